package dev.millrace.bench.load;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowTransition;
import java.util.concurrent.TimeUnit;

/** Follows {@code workflow-events} and tells what happened, and when it was seen in the log. */
final class WorkflowTail implements AutoCloseable {

    /** Hears what happened; called by one thread. Times are of {@link System#nanoTime()}. */
    interface Listener {
        default void submitted(String workflow, WorkflowEvent.Submitted event, long at) {}

        default void stepRequested(String workflow, long at) {}

        default void stepRunning(String workflow, long at) {}

        default void finished(String workflow, long at) {}
    }

    private final Listener listener;
    private final TailReader<WorkflowTransition> reader;

    WorkflowTail(LogConnection log, Listener listener) {
        this.listener = listener;
        this.reader =
                TailReader.start(
                        log,
                        "bench-workflow-events",
                        Topics.WORKFLOW_EVENTS,
                        Positions.START,
                        JsonSerde.of(WorkflowTransition.class),
                        (batch, _) -> batch.forEach(record -> take(record, System.nanoTime())));
        reader.caughtUp().orTimeout(1, TimeUnit.MINUTES).join();
    }

    private void take(LogRecord<WorkflowTransition> record, long at) {
        WorkflowTransition transition = record.value();
        if (transition == null) {
            return; // The tombstone of a record that a deletion erased.
        }
        for (WorkflowEvent event : transition.events()) {
            if (event instanceof WorkflowEvent.Submitted submitted) {
                listener.submitted(transition.name(), submitted, at);
            } else if (event instanceof WorkflowEvent.StepRequested) {
                listener.stepRequested(transition.name(), at);
            } else if (event instanceof WorkflowEvent.NodeRunning) {
                listener.stepRunning(transition.name(), at);
            } else if (event instanceof WorkflowEvent.NodeFinished finished
                    && finished.phase() != NodePhase.SUCCEEDED) {
                throw failed(transition.name(), String.valueOf(finished.message()));
            } else if (event instanceof WorkflowEvent.Finished finished) {
                if (finished.phase() != WorkflowPhase.SUCCEEDED) {
                    throw failed(transition.name(), String.valueOf(finished.message()));
                }
                listener.finished(transition.name(), at);
            }
        }
    }

    /** Figures of workflows that fail are worth nothing; the reader says this in its log. */
    private static IllegalStateException failed(String workflow, String message) {
        return new IllegalStateException("workflow " + workflow + " failed: " + message);
    }

    @Override
    public void close() {
        reader.close();
    }
}
