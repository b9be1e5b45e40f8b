package dev.millrace.sensors.matching;

import dev.millrace.log.LogRecord;
import dev.millrace.schemas.record.EventRef;
import io.cloudevents.CloudEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Events as their records hold them. */
public final class EventRecords {

    /** Header with the run of a replay, on events that are written again by one. */
    public static final String REPLAY_HEADER = "millrace-replay";

    private EventRecords() {}

    /**
     * The event of a record. Its namespace stands in the key, {@code namespace/eventsource/event};
     * the rest in the CloudEvent.
     *
     * @throws IllegalArgumentException if the key is another one
     */
    static EventRef event(LogRecord<CloudEvent> record) {
        CloudEvent event = record.requiredValue();
        List<String> key = List.of(String.valueOf(record.key()).split("/", 3));
        if (key.size() != 3) {
            throw new IllegalArgumentException(
                    "the key of an event is namespace/eventsource/event, not " + record.key());
        }
        String subject = event.getSubject();
        String data =
                event.getData() == null
                        ? ""
                        : new String(event.getData().toBytes(), StandardCharsets.UTF_8);
        return new EventRef(
                event.getId(),
                key.get(0),
                event.getSource().toString(),
                subject == null ? "" : subject,
                event.getType(),
                event.getSpecVersion().toString(),
                event.getDataContentType(),
                event.getTime() == null ? record.time() : event.getTime().toInstant(),
                data);
    }

    static @Nullable String replay(LogRecord<CloudEvent> record) {
        Header header = record.headers().lastHeader(REPLAY_HEADER);
        return header == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
