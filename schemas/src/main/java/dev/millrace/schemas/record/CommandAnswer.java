package dev.millrace.schemas.record;

import org.jspecify.annotations.Nullable;

/** The answer to a command: accepted, or refused with a gRPC status code and a message. */
public record CommandAnswer(String commandId, int code, @Nullable String message) {
    public static final int OK = 0;
    public static final int INVALID_ARGUMENT = 3;
    public static final int NOT_FOUND = 5;
    public static final int ALREADY_EXISTS = 6;
    public static final int FAILED_PRECONDITION = 9;

    public boolean accepted() {
        return code == OK;
    }
}
