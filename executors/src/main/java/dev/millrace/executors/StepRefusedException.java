package dev.millrace.executors;

import org.jspecify.annotations.Nullable;

/** A step that cannot be started as it is written; the message becomes that of its Error. */
public final class StepRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public StepRefusedException(String message) {
        this(message, null);
    }

    public StepRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
