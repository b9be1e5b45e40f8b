package dev.millrace.server.command;

import dev.millrace.schemas.manifest.Problem;
import java.util.List;
import java.util.stream.Collectors;

/** A request that is refused; the message says why, and what to do. */
public final class RefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Why, in the codes that clients of the field know (those of gRPC). */
    public enum Code {
        UNKNOWN(2, 500),
        INVALID_ARGUMENT(3, 400),
        DEADLINE_EXCEEDED(4, 504),
        NOT_FOUND(5, 404),
        ALREADY_EXISTS(6, 409),
        PERMISSION_DENIED(7, 403),
        RESOURCE_EXHAUSTED(8, 429),
        FAILED_PRECONDITION(9, 400),
        UNIMPLEMENTED(12, 501),
        INTERNAL(13, 500),
        UNAVAILABLE(14, 503),
        UNAUTHENTICATED(16, 401);

        private final int number;
        private final int httpStatus;

        Code(int number, int httpStatus) {
            this.number = number;
            this.httpStatus = httpStatus;
        }

        public int number() {
            return number;
        }

        public int httpStatus() {
            return httpStatus;
        }

        /** The code of an engine's answer. */
        static Code of(int number) {
            for (Code code : values()) {
                if (code.number == number) {
                    return code;
                }
            }
            return UNKNOWN;
        }
    }

    private final Code code;
    private final transient List<Problem> problems;

    public RefusedException(Code code, String message) {
        this(code, message, List.of());
    }

    private RefusedException(Code code, String message, List<Problem> problems) {
        super(message);
        this.code = code;
        this.problems = List.copyOf(problems);
    }

    /** What is wrong with a manifest. */
    public static RefusedException invalid(List<Problem> problems) {
        return new RefusedException(
                Code.INVALID_ARGUMENT,
                problems.stream().map(Problem::toString).collect(Collectors.joining("\n")),
                problems);
    }

    public static RefusedException invalid(String message) {
        return new RefusedException(Code.INVALID_ARGUMENT, message);
    }

    public static RefusedException notFound(String plural, String name) {
        return new RefusedException(
                Code.NOT_FOUND, plural + ".argoproj.io \"" + name + "\" not found");
    }

    public Code code() {
        return code;
    }

    /** What is wrong with the manifest, one by one; empty if the message says it all. */
    public List<Problem> problems() {
        return problems;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }

    /** Whether nobody refused: there was no answer in time. */
    boolean isLate() {
        return code == Code.DEADLINE_EXCEEDED || code == Code.UNAVAILABLE;
    }
}
