package dev.millrace.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends a command with a message for the person who gave it: what is wrong, where, and what to do.
 */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int exitCode;
    private final boolean located;

    public CommandException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
        this.located = false;
    }

    public CommandException(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
        this.located = false;
    }

    private CommandException(List<String> lines, @Nullable Throwable cause) {
        super(String.join("\n", lines), cause);
        this.exitCode = ExitCode.FAILED;
        this.located = true;
    }

    /**
     * Manifests are wrong.
     *
     * @param lines that begin with the file and, where known, the place in it
     */
    public static CommandException wrongManifests(List<String> lines) {
        return new CommandException(lines, null);
    }

    /** {@link #wrongManifests(List)} with what said so. */
    public static CommandException wrongManifests(List<String> lines, Throwable cause) {
        return new CommandException(lines, cause);
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

    /** Whether the message begins with a place, as editors and terminals make it clickable. */
    public boolean isLocated() {
        return located;
    }

    public String text() {
        return String.valueOf(getMessage());
    }
}
