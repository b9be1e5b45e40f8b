package dev.millrace.executors.serverside;

import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a step, also over restarts.
 *
 * @param begunAt when its first turn was taken, or was just about to be; absent while it waits for
 *     room
 * @param turns so many turns came to an end that asked for another
 * @param dueAt when the next turn is to be taken; absent for at once
 * @param end how it ended; once settled it never changes, so that every report says the same
 * @param reported whether the log has its end
 */
record RememberedStep(
        StepSpec spec,
        @Nullable Instant begunAt,
        int turns,
        @Nullable Instant dueAt,
        StepReport.@Nullable Finished end,
        boolean reported) {

    static RememberedStep accepted(StepSpec spec) {
        return new RememberedStep(spec, null, 0, null, null, false);
    }

    RememberedStep begun(Instant at) {
        return new RememberedStep(spec, at, turns, dueAt, end, reported);
    }

    RememberedStep due(Instant at) {
        return new RememberedStep(spec, begunAt, turns + 1, at, end, reported);
    }

    RememberedStep ended(StepReport.Finished how) {
        return new RememberedStep(spec, begunAt, turns, dueAt, how, reported);
    }

    RememberedStep told() {
        return new RememberedStep(spec, begunAt, turns, dueAt, end, true);
    }
}
