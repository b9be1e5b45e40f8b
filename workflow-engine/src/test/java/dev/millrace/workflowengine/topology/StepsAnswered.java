package dev.millrace.workflowengine.topology;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.log.serde.Producers.Patience;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Artifact;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * An executor whose steps take no time: it answers each request, and again when it is asked again.
 */
final class StepsAnswered implements AutoCloseable {
    private static final JsonSerde<StepReport> REPORTS = JsonSerde.of(StepReport.class);

    /**
     * How often each step was requested; with its name, since ids of nodes are short hashes, and
     * some of 50,000 are alike.
     */
    final Map<String, Integer> requested = new ConcurrentHashMap<>();

    final List<StepCommand.Stop> stopped = new CopyOnWriteArrayList<>();
    final List<StepCommand.Forget> forgotten = new CopyOnWriteArrayList<>();
    final AtomicInteger answered = new AtomicInteger();

    private final Function<StepSpec, @Nullable NodePhase> result;
    private final Producer<String, byte[]> producer;
    private final TailReader<StepCommand> reader;

    /**
     * @param result how a step ends; null if it never does
     */
    StepsAnswered(LogConnection log, Function<StepSpec, @Nullable NodePhase> result) {
        this.result = result;
        this.producer = Producers.plain(log, "executor", Patience.NEVER_GIVES_UP);
        this.reader =
                TailReader.start(
                        log,
                        "executor",
                        Topics.STEPS,
                        Positions.START,
                        JsonSerde.of(StepCommand.class),
                        (batch, _) -> batch.forEach(this::take));
    }

    private void take(LogRecord<StepCommand> record) {
        switch (record.requiredValue()) {
            case StepCommand.Start(var spec) -> {
                requested.merge(spec.stepId() + " " + spec.nodeName(), 1, Integer::sum);
                NodePhase phase = result.apply(spec);
                if (phase != null) {
                    answer(spec, phase, record);
                }
            }
            case StepCommand.Stop stop -> stopped.add(stop);
            case StepCommand.Forget forget -> forgotten.add(forget);
            case StepCommand.ReleaseClaims _ -> {}
            case StepCommand.DiscardArtifacts discard ->
                    producer.send(
                            new ProducerRecord<>(
                                    Topics.STEP_RESULTS,
                                    discard.workflow().key(),
                                    REPORTS.encode(discarded(discard, record))));
        }
    }

    private static StepReport discarded(
            StepCommand.DiscardArtifacts discard, LogRecord<StepCommand> record) {
        return new StepReport.Discarded(
                discard.stepId(),
                discard.nodeId(),
                discard.workflow(),
                record.time(),
                discard.artifacts().stream().map(Artifact::name).toList(),
                null);
    }

    private void answer(StepSpec spec, NodePhase phase, LogRecord<StepCommand> record) {
        StepOutcome outcome =
                new StepOutcome(
                        phase,
                        phase == NodePhase.SUCCEEDED ? null : "exit code 1",
                        0,
                        null,
                        Map.of());
        StepReport report =
                new StepReport.Finished(
                        spec.stepId(),
                        spec.nodeId(),
                        spec.workflow(),
                        record.time(),
                        record.time(),
                        outcome);
        producer.send(
                new ProducerRecord<>(
                        Topics.STEP_RESULTS, spec.workflow().key(), REPORTS.encode(report)));
        answered.incrementAndGet();
    }

    @Override
    public void close() {
        reader.close();
        producer.close();
    }
}
