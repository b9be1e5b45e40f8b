package dev.millrace.executors.serverside;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Template;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What the server does for the steps of one kind of template, in one turn or several. It remembers
 * nothing of a step: a turn that was under way when the server was killed is taken again.
 */
public interface StepWork extends AutoCloseable {

    boolean isFor(Template template);

    /** What a person should know about it, as one sentence. */
    String describe();

    /** How a step ends whose time is over, before or between its turns. */
    StepOutcome outOfTime();

    /** Takes one turn and waits for its end; called from many threads at once. */
    Turn take(Order order) throws InterruptedException;

    @Override
    void close();

    /**
     * What is to be done.
     *
     * @param number of the turn, from 0; the same again if it was broken off
     * @param remaining what is left of the step's own time, above zero; null for no limit
     * @param cancelled ends the turn when it is completed
     */
    record Order(
            StepSpec step,
            int number,
            @Nullable Duration remaining,
            CompletableFuture<?> cancelled) {}

    /** What came of a turn. */
    sealed interface Turn {
        record Ended(StepOutcome outcome) implements Turn {}

        /**
         * Another turn is to be taken.
         *
         * @param pause until then, at least zero
         * @param progress how far the step is, such as {@code 1/2}; null if that is not known
         * @param message what it does; null if that is not known
         */
        record Again(Duration pause, @Nullable String progress, @Nullable String message)
                implements Turn {}

        /** Nobody wants to know any more. */
        record Cancelled() implements Turn {}
    }

    /** A step that failed and left nothing but a message. */
    static StepOutcome failed(String message) {
        return new StepOutcome(NodePhase.FAILED, message, null, null, Map.of());
    }
}
