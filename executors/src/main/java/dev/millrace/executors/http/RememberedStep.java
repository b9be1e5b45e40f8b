package dev.millrace.executors.http;

import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a step, also over restarts.
 *
 * @param begunAt when its call was made for the first time, or was just about to be; absent while
 *     it waits for room
 * @param end how it ended; once settled it never changes, so that every report says the same
 * @param reported whether the log has its end
 */
record RememberedStep(
        StepSpec spec,
        @Nullable Instant begunAt,
        StepReport.@Nullable Finished end,
        boolean reported) {

    static RememberedStep accepted(StepSpec spec) {
        return new RememberedStep(spec, null, null, false);
    }

    RememberedStep begun(Instant at) {
        return new RememberedStep(spec, at, end, reported);
    }

    RememberedStep ended(StepReport.Finished how) {
        return new RememberedStep(spec, begunAt, how, reported);
    }

    RememberedStep told() {
        return new RememberedStep(spec, begunAt, end, true);
    }
}
