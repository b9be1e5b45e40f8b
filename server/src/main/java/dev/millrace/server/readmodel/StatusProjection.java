package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StatusRecord;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** How sources, sensors and the like are doing. */
final class StatusProjection implements TopicProjection<StatusRecord> {

    private static final JsonSerde<StatusRecord> SERDE = JsonSerde.of(StatusRecord.class);

    @Override
    public String topic() {
        return Topics.STATUS;
    }

    @Override
    public RecordDecoder<StatusRecord> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<StatusRecord>> records) {
        for (LogRecord<StatusRecord> record : records) {
            ManifestKey key = ManifestKey.parse(String.valueOf(record.key()));
            StatusRecord status = record.value();
            if (status == null) {
                handle.execute(
                        "DELETE FROM status WHERE kind = ? AND namespace = ? AND name = ?",
                        key.kind(),
                        key.namespace(),
                        key.name());
            } else {
                handle.execute(
                        "INSERT OR REPLACE INTO status (kind, namespace, name, status) VALUES (?, ?, ?, ?)",
                        key.kind(),
                        key.namespace(),
                        key.name(),
                        Json.mapper().writeValueAsString(status));
            }
        }
    }
}
