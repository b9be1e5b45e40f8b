package dev.millrace.log;

import java.time.Instant;

/** How a reader of the log is doing; {@code /readyz} shows it. */
public sealed interface Health {

    /** All is well. */
    record Ready() implements Health {}

    /** It has not got its partitions, or has not read what was there when it started. */
    record Starting(String what) implements Health {}

    /** It fails and tries again. */
    record Retrying(String what, Instant since) implements Health {}

    /**
     * Records were deleted before they were read. It went on with the oldest that are left, and
     * says so until the process ends.
     */
    record LostRecords(String what, Instant since) implements Health {}

    /** Whether a load balancer may count on it. */
    default boolean isReady() {
        return switch (this) {
            case Ready _ -> true;
            case Starting _, Retrying _, LostRecords _ -> false;
        };
    }
}
