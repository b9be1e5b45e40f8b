package dev.millrace.eventsources;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an entry is doing.
 *
 * @param message why, and what to do; null if there is nothing to add
 * @param since when it came to this state
 */
public record EntryStatus(State state, @Nullable String message, Instant since) {

    /** The states of an entry. */
    public enum State {
        /** It has begun and does not receive yet. */
        CONNECTING("Connecting"),
        /** It receives events. */
        ACTIVE("Active"),
        /** Another process runs it. */
        STANDBY("Standby"),
        /** It does not work; what is not the manifest's fault is tried again. */
        FAILED("Failed");

        private final String text;

        State(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    boolean says(State otherState, @Nullable String otherMessage) {
        return state == otherState && Objects.equals(message, otherMessage);
    }
}
