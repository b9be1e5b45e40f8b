package dev.millrace.workflowengine.topology;

import dev.millrace.log.stream.CoreOptions;
import dev.millrace.log.stream.CoreProcessor;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** The processor of the log's cores, with workflows as its entities. One per partition. */
final class WorkflowProcessor implements Processor<String, EngineInput, String, Object> {
    /**
     * Timers are also the turns of workflows that have work left: half of the time for them, half
     * for inputs, so that neither a huge loop nor a flood of results stops the other.
     */
    private static final Duration TIMERS_EVERY = Duration.ofMillis(50);

    private static final Duration TIMER_BUDGET = Duration.ofMillis(25);

    /** Decoded entries kept per partition; a node takes 1 to 2 KiB. */
    private static final int DECODED = 4_000;

    private final Decisions core;
    private final EngineOptions options;
    private @Nullable CoreProcessor<EngineInput> processor;

    WorkflowProcessor(Decisions core, EngineOptions options) {
        this.core = core;
        this.options = options;
    }

    @Override
    public void init(ProcessorContext<String, Object> context) {
        KeyValueStore<String, byte[]> store = context.getStateStore(EngineTopology.STORE);
        // Nothing remembers ids here (a workflow knows its commands and steps), so no window is
        // needed.
        CoreOptions coreOptions =
                new CoreOptions(
                        EngineTopology.STORE,
                        EngineTopology.DEAD_LETTERS,
                        TIMERS_EVERY,
                        TIMER_BUDGET,
                        Duration.ZERO,
                        DECODED);
        processor =
                new CoreProcessor<>(
                        new WorkflowTurns(
                                core, new EntryKeys(store), options, context.taskId().partition()),
                        coreOptions);
        processor.init(context);
    }

    @Override
    public void process(Record<String, EngineInput> record) {
        Objects.requireNonNull(processor, "not initialised").process(record);
    }

    @Override
    public void close() {
        if (processor != null) {
            processor.close();
        }
    }
}
