package dev.millrace.executors;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.GroupWorker;
import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.log.plain.WorkerOptions;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Connects an executor with the log: commands come from {@code steps}, reports go to {@code
 * step-results}. A command's offset is committed once the executor has it in safety, not when the
 * step has ended; a crash between the two is the executor's to mend.
 */
public final class StepWorker implements AutoCloseable {
    private static final String GROUP = "millrace.executors";

    private final JsonSerde<StepReport> reports = JsonSerde.of(StepReport.class);
    private final Executor executor;
    private final UnaryOperator<String> redact;
    private final Producer<String, byte[]> producer;
    private final GroupWorker<StepCommand> worker;

    private StepWorker(
            LogConnection log,
            Executor executor,
            DeadLetters deadLetters,
            UnaryOperator<String> redact) {
        this.executor = executor;
        this.redact = redact;
        // Late is fine: the engine waits for the report of a step as long as it takes.
        this.producer = Producers.plain(log, "step-results", Producers.Patience.NEVER_GIVES_UP);
        executor.recover(this::write);
        this.worker =
                GroupWorker.start(
                        log,
                        GROUP,
                        List.of(Topics.STEPS),
                        JsonSerde.of(StepCommand.class),
                        this::handle,
                        deadLetters,
                        // A stop must not overtake its start; both have the step's id as key.
                        WorkerOptions.DEFAULT.withKeyOrder(true));
    }

    /**
     * Lets the executor find what it left, then begins to read.
     *
     * @param executor not yet in use; it is closed with the worker
     * @param redact masks secrets in what steps give, which would otherwise stand in the log
     */
    public static StepWorker start(
            LogConnection log,
            Executor executor,
            DeadLetters deadLetters,
            UnaryOperator<String> redact) {
        return new StepWorker(log, executor, deadLetters, redact);
    }

    private void handle(LogRecord<StepCommand> record) {
        switch (record.requiredValue()) {
            case StepCommand.Start start -> executor.start(start.spec());
            case StepCommand.Stop stop -> executor.stop(stop);
            case StepCommand.Forget forget -> executor.forget(forget.stepId());
            case StepCommand.ReleaseClaims(var workflow, var claims) ->
                    executor.releaseClaims(workflow, claims);
            case StepCommand.DiscardArtifacts discard -> write(executor.discard(discard));
        }
    }

    private StepReport redacted(StepReport report) {
        return switch (report) {
            case StepReport.Finished(var id, var node, var workflow, var at, var begun, var end) ->
                    new StepReport.Finished(id, node, workflow, at, begun, end.map(redact));
            case StepReport.Progress(
                            var id,
                            var node,
                            var workflow,
                            var at,
                            var progress,
                            var message)
                    when message != null ->
                    new StepReport.Progress(
                            id, node, workflow, at, progress, redact.apply(message));
            case StepReport.Progress _,
                    StepReport.Started _,
                    StepReport.Ready _,
                    StepReport.Discarded _ ->
                    report;
        };
    }

    private void write(StepReport report) {
        ProducerRecord<String, byte[]> record =
                new ProducerRecord<>(
                        Topics.STEP_RESULTS,
                        report.workflow().key(),
                        reports.encode(redacted(report)));
        try {
            Sending.send(producer, record).get();
        } catch (ExecutionException e) {
            throw new InfrastructureException(
                    "the report of step " + report.stepId() + " did not reach the log", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InfrastructureException(
                    "interrupted before the report of step " + report.stepId() + " was in the log",
                    e);
        }
    }

    /** How it is doing, now. */
    public Health health() {
        return worker.health();
    }

    /** Reads no more, ends the executor, and writes its last reports. */
    public void close(boolean keepSteps) {
        worker.close();
        executor.close(keepSteps);
        producer.close();
    }

    /** Ends the running steps as well. */
    @Override
    public void close() {
        close(false);
    }
}
