package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** When a workflow that has ended is deleted by itself ({@code ttlStrategy}). */
public final class Expiry {
    static final String TIMER = "ttl";

    /** A hundred years: more is a slip, and instants have an end. */
    private static final long MOST_SECONDS = Duration.ofDays(36_500).toSeconds();

    private Expiry() {}

    /**
     * The timer of a workflow that ends.
     *
     * @param source absent if it was never accepted
     * @param phase in which it ends; one that ended in Error has no time of its own
     * @return empty if it is kept until somebody deletes it
     */
    public static Optional<WorkflowEvent> timer(
            @Nullable WorkflowSource source, WorkflowPhase phase, Instant at) {
        return Optional.ofNullable(source)
                .map(s -> seconds(s.spec().path("ttlStrategy"), phase))
                .map(seconds -> new WorkflowEvent.TimerSet(TIMER, at.plusSeconds(seconds)));
    }

    private static @Nullable Long seconds(JsonNode strategy, WorkflowPhase phase) {
        JsonNode own =
                switch (phase) {
                    case SUCCEEDED -> strategy.path("secondsAfterSuccess");
                    case FAILED -> strategy.path("secondsAfterFailure");
                    case PENDING, RUNNING, ERROR -> strategy.path(-1);
                };
        JsonNode any = own.isNumber() ? own : strategy.path("secondsAfterCompletion");
        return any.isNumber() ? Math.clamp(any.asLong(), 0, MOST_SECONDS) : null;
    }

    /** A retry takes the workflow up: it is not over. */
    static void callOff(Transition t) {
        if (t.source().spec().path("ttlStrategy").isObject()) {
            t.emit(new WorkflowEvent.TimerCancelled(TIMER));
        }
    }

    static void fired(Transition t) {
        if (t.state().head() != null && t.head().stage() == WorkflowStage.DONE) {
            CommandRun.delete(t);
        }
    }
}
