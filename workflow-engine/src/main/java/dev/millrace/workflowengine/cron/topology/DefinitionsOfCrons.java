package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.UndecodableRecordException;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.CronInput;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/** Tells CronWorkflows of their definitions. The bytes of other kinds are not looked at. */
final class DefinitionsOfCrons implements Processor<String, byte[], String, CronInput> {
    private static final Logger LOG = LoggerFactory.getLogger(DefinitionsOfCrons.class);
    private static final JsonSerde<JsonNode> MANIFESTS = JsonSerde.of(JsonNode.class);
    private static final String PREFIX = Kind.CRON_WORKFLOW.yamlName() + "/";

    private @Nullable ProcessorContext<String, CronInput> context;

    @Override
    public void init(ProcessorContext<String, CronInput> context) {
        this.context = context;
    }

    @Override
    public void process(Record<String, byte[]> record) {
        if (record.key() == null || !record.key().startsWith(PREFIX)) {
            return;
        }
        ProcessorContext<String, CronInput> to = Objects.requireNonNull(context, "not initialised");
        // A manifest's version is its offset.
        long version = to.recordMetadata().orElseThrow().offset();
        try {
            ManifestKey key = ManifestKey.parse(record.key());
            CronInput input =
                    record.value() == null
                            ? new CronInput.Removed(version)
                            : new CronInput.Defined(
                                    MANIFESTS.decode("manifests", record.value()), version);
            to.forward(new Record<>(key.namespace() + "/" + key.name(), input, record.timestamp()));
        } catch (UndecodableRecordException | IllegalArgumentException e) {
            // Every reader of the manifests skips it.
            LOG.error("version {} of {} is skipped: {}", version, record.key(), e.getMessage());
        }
    }
}
