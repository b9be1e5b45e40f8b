package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import java.util.List;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.JsonNode;

/** Manifests, as they were put. */
final class ManifestProjection implements TopicProjection<JsonNode> {

    private static final JsonSerde<JsonNode> SERDE = JsonSerde.of(JsonNode.class);

    @Override
    public String topic() {
        return Topics.MANIFESTS;
    }

    @Override
    public RecordDecoder<JsonNode> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<JsonNode>> records) {
        for (LogRecord<JsonNode> record : records) {
            ManifestKey key = ManifestKey.parse(String.valueOf(record.key()));
            JsonNode manifest = record.value();
            if (manifest == null) {
                handle.execute(
                        "DELETE FROM manifests WHERE kind = ? AND namespace = ? AND name = ?",
                        key.kind(),
                        key.namespace(),
                        key.name());
            } else {
                handle.execute(
                        "INSERT OR REPLACE INTO manifests (kind, namespace, name, version, manifest) VALUES (?, ?, ?, ?, ?)",
                        key.kind(),
                        key.namespace(),
                        key.name(),
                        record.offset(),
                        manifest.toString());
            }
        }
    }
}
