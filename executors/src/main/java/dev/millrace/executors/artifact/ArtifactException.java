package dev.millrace.executors.artifact;

import org.jspecify.annotations.Nullable;

/**
 * An artifact could not be brought, stored or removed. The message names the place and the cure, as
 * text that follows {@code inputs artifact NAME: }.
 */
public class ArtifactException extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean passing;

    ArtifactException(String message, boolean passing, @Nullable Throwable cause) {
        super(message, cause);
        this.passing = passing;
    }

    /** Trying again as it is leads nowhere. */
    public ArtifactException(String message) {
        this(message, false, null);
    }

    /** Trying again as it is leads nowhere. */
    public ArtifactException(String message, Throwable cause) {
        this(message, false, cause);
    }

    /** May be gone in a moment: a lost connection, a server that is busy. */
    static ArtifactException passing(String message, @Nullable Throwable cause) {
        return new ArtifactException(message, true, cause);
    }

    /** Whether it may succeed if it is tried again. */
    boolean isPassing() {
        return passing;
    }

    /** The message. */
    public String reason() {
        return String.valueOf(getMessage());
    }
}
