package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a workflow or a node stands to the locks that it takes.
 *
 * @param locks names of all of them
 * @param waiting the lock that it waits for, as far as it was told
 * @param waited whether it ever had to wait
 */
public record LockClaim(List<String> locks, Stage stage, @Nullable String waiting, boolean waited) {

    public LockClaim {
        locks = List.copyOf(locks);
    }

    /** Where it stands. */
    public enum Stage {
        /** It asked for them and has none. */
        @JsonProperty("Asked")
        ASKED,
        /** It has them, and has not begun. */
        @JsonProperty("Granted")
        GRANTED,
        /** It has them and runs. */
        @JsonProperty("Held")
        HELD,
        /** It needs them no more. */
        @JsonProperty("Released")
        RELEASED
    }

    /** A claim that nobody has answered yet. */
    public static LockClaim asked(List<String> locks) {
        return new LockClaim(locks, Stage.ASKED, null, false);
    }

    public LockClaim withWaiting(String lock) {
        return new LockClaim(locks, stage, lock, true);
    }

    public LockClaim withStage(Stage value) {
        return new LockClaim(locks, value, null, waited);
    }

    /** Whether it has not begun: it waits for its locks, or got them just now. */
    public boolean notBegun() {
        return stage == Stage.ASKED || stage == Stage.GRANTED;
    }
}
