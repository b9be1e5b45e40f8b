package dev.millrace.workflowengine.view;

import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.MutableWorkflowState;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A workflow as it stood at a moment: the fold of its transitions up to there. Later ones are
 * counted only, so that a moment out of range can be answered with what there is.
 */
public final class PastWorkflow {

    private final Moment moment;
    private final MutableWorkflowState state;
    private long number;
    private long count;
    private @Nullable Instant first;
    private @Nullable Instant last;

    /**
     * @param state a workflow that was never submitted; becomes what stood then
     */
    public PastWorkflow(Moment moment, MutableWorkflowState state) {
        this.moment = moment;
        this.state = state;
    }

    /**
     * Takes the next transition of the workflow; the first one holds its submission.
     *
     * @return whether it lies before the moment or on it
     */
    public boolean add(WorkflowTransition transition) {
        count++;
        if (first == null) {
            first = transition.now();
        }
        last = transition.now();
        boolean covered =
                switch (moment) {
                    case Moment.AfterTransition(var wanted) -> count <= wanted;
                    case Moment.At(var instant) -> !transition.now().isAfter(instant);
                };
        if (covered) {
            number = count;
            transition
                    .events()
                    .forEach(
                            event ->
                                    Evolution.apply(
                                            state,
                                            transition.namespace(),
                                            transition.name(),
                                            event));
        }
        return covered;
    }

    /** Whether the moment lies within the history, which goes on until {@code now}. */
    public boolean isInRange(Instant now) {
        return switch (moment) {
            case Moment.AfterTransition(var wanted) -> wanted >= 1 && wanted <= count;
            case Moment.At(var instant) -> number > 0 && !instant.isAfter(now);
        };
    }

    /** The last transition before the moment, or on it; 0 if there is none. */
    public long number() {
        return number;
    }

    /** How many transitions there are in all. */
    public long count() {
        return count;
    }

    /** When the workflow began; null if there are no transitions. */
    public @Nullable Instant first() {
        return first;
    }

    /** When its last transition so far was; null if there are no transitions. */
    public @Nullable Instant last() {
        return last;
    }
}
