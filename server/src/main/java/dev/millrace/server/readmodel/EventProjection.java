package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.log.serde.RecordDecoder;
import io.cloudevents.CloudEvent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Events, with the beginning of their data: the whole of it stays in the log. */
final class EventProjection implements TopicProjection<CloudEvent> {

    /** So many bytes of an event's data can be shown. */
    static final int SHOWN_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(EventProjection.class);

    @Override
    public String topic() {
        return Topics.EVENTS;
    }

    @Override
    public RecordDecoder<CloudEvent> decoder() {
        return new CloudEventRecords();
    }

    @Override
    public void apply(Handle handle, List<LogRecord<CloudEvent>> records) {
        for (LogRecord<CloudEvent> record : records) {
            CloudEvent event = record.value();
            if (event == null) {
                LOG.error(
                        "{} is a tombstone, which events do not have; it is left out",
                        record.place());
                continue;
            }
            byte[] data = event.getData() == null ? new byte[0] : event.getData().toBytes();
            String key = String.valueOf(record.key());
            Instant at = event.getTime() == null ? record.time() : event.getTime().toInstant();
            handle.execute(
                    """
                    INSERT OR REPLACE INTO events
                        (part, position, id, namespace, source, subject, type, at, size, content_type, data)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                    record.partition(),
                    record.offset(),
                    event.getId(),
                    key.substring(0, Math.max(0, key.indexOf('/'))),
                    event.getSource().toString(),
                    event.getSubject() == null ? "" : event.getSubject(),
                    event.getType(),
                    at.toEpochMilli(),
                    data.length,
                    event.getDataContentType(),
                    new String(
                            data, 0, Math.min(data.length, SHOWN_BYTES), StandardCharsets.UTF_8));
        }
    }
}
