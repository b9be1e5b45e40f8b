package dev.millrace.cli;

import dev.millrace.cli.local.ServerLauncher;
import dev.millrace.cli.view.Style;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/**
 * What a command finds around itself; tests give their own.
 *
 * @param in standard input, for files named {@code -}
 * @param out results
 * @param err errors and remarks, so that results can be piped
 * @param environment variables
 * @param folder the working folder, which relative paths are resolved against
 * @param terminal the size of the terminal that shows {@code out}; empty if nobody watches
 * @param launcher starts servers in this process
 * @param home where Millrace is installed: the folder with its examples
 */
public record Surroundings(
        InputStream in,
        PrintStream out,
        PrintStream err,
        Map<String, String> environment,
        Path folder,
        InstantSource clock,
        ZoneId zone,
        Optional<TerminalSize> terminal,
        ServerLauncher launcher,
        Path home) {

    /**
     * @param columns at least 1
     * @param rows at least 1
     */
    public record TerminalSize(int columns, int rows) {}

    /** Coloured on a terminal, unless {@code NO_COLOR} is set. */
    public Style style() {
        return terminal.isPresent()
                        && variable("NO_COLOR").isEmpty()
                        && !variable("TERM").equals(Optional.of("dumb"))
                ? Style.COLOURED
                : Style.PLAIN;
    }

    /** A variable that is set to something. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
    }

    /** The folder that {@code up} keeps its data in unless told otherwise. */
    public Path dataFolder() {
        return folder.resolve(".millrace");
    }
}
