package dev.millrace.cli;

/**
 * Ends a command with a message for the person who gave it: what is wrong, where, and what to do.
 */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;

    public CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public CommandException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    /** Something that was asked for cannot be done. */
    public static CommandException refused(String message) {
        return new CommandException(ExitCode.FAILED, message);
    }

    /** The command line makes no sense. */
    public static CommandException usage(String message) {
        return new CommandException(ExitCode.USAGE, message);
    }

    public int exitCode() {
        return exitCode;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
