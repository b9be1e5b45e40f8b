package dev.millrace.workflowengine.topology;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.stream.CoreOptions;
import dev.millrace.log.stream.CoreProcessor;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.workflowengine.locks.LockInput;
import dev.millrace.workflowengine.locks.LockMachine;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The processor of the log's cores, with the locks as its one entity. Of the manifests it takes the
 * ConfigMaps. At each start it tells all holders again what they were told: who does not want its
 * locks any more answers with a release, so no lock is held for ever whatever happened before.
 */
final class LockProcessor implements Processor<String, LockTopology.Read, String, Object> {
    /** Nothing comes twice: what does is recognised by its holder. */
    private static final CoreOptions OPTIONS =
            new CoreOptions(
                    LockTopology.STORE,
                    LockTopology.DEAD_LETTERS,
                    Duration.ofMillis(20),
                    Duration.ofMillis(15),
                    Duration.ZERO,
                    10_000);

    private final WorkflowLimits limits;
    private @Nullable CoreProcessor<LockInput> processor;

    LockProcessor(WorkflowLimits limits) {
        this.limits = limits;
    }

    @Override
    public void init(ProcessorContext<String, Object> context) {
        CoreProcessor<LockInput> core =
                new CoreProcessor<>(new LockTurns(new LockMachine(), limits), OPTIONS);
        core.init(context);
        processor = core;
        AtomicReference<Cancellable> once = new AtomicReference<>();
        once.set(
                context.schedule(
                        Duration.ofMillis(1),
                        PunctuationType.WALL_CLOCK_TIME,
                        now -> {
                            once.get().cancel();
                            input(new LockInput.TellAgain(""), now);
                            // The limits on workflows may have been others before.
                            input(new LockInput.GrantMore(), now);
                        }));
    }

    @Override
    public void process(Record<String, LockTopology.Read> record) {
        switch (record.value()) {
            case LockTopology.Read.Request(LockRequest request) ->
                    input(new LockInput.Requested(request), record.timestamp());
            case LockTopology.Read.Manifest(var manifest) -> {
                LockInput change = limits(record.key(), manifest);
                if (change != null) {
                    input(change, record.timestamp());
                }
            }
        }
    }

    @Override
    public void close() {
        if (processor != null) {
            processor.close();
        }
    }

    private void input(LockInput input, long timestamp) {
        Objects.requireNonNull(processor, "not initialised")
                .process(new Record<>(LockTurns.ENTITY, input, timestamp));
    }

    private static @Nullable LockInput limits(String key, @Nullable JsonNode manifest) {
        if (key == null || !key.startsWith("ConfigMap/")) {
            return null;
        }
        ManifestKey name = ManifestKey.parse(key);
        if (manifest == null) {
            return new LockInput.LimitsChanged(name.namespace(), name.name(), null);
        }
        Map<String, String> data = new TreeMap<>();
        manifest.path("data")
                .properties()
                .forEach(entry -> data.put(entry.getKey(), entry.getValue().asString("")));
        return new LockInput.LimitsChanged(name.namespace(), name.name(), data);
    }
}
