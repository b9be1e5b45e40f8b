package dev.millrace.cli;

import dev.millrace.cli.Surroundings.TerminalSize;
import dev.millrace.cli.local.ServerLauncher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Runs commands as a shell would, and keeps what they say. */
public final class Recorder {

    private final Path folder;
    private final Map<String, String> environment = new HashMap<>();
    private ServerLauncher launcher =
            (_, _) -> {
                throw new AssertionError("no server may be started here");
            };
    private Path home = Path.of("nowhere");
    private byte[] input = {};
    private Optional<TerminalSize> terminal = Optional.empty();

    /** What a command said. */
    public record Said(int code, String out, String err) {}

    public Recorder(Path folder) {
        this.folder = folder;
    }

    public Recorder variable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    public Recorder launcher(ServerLauncher real, Path realHome) {
        launcher = real;
        home = realHome;
        return this;
    }

    public Recorder input(String text) {
        return input(text.getBytes(StandardCharsets.UTF_8));
    }

    public Recorder input(byte[] bytes) {
        input = bytes;
        return this;
    }

    public Recorder terminal(int columns, int rows) {
        terminal = Optional.of(new TerminalSize(columns, rows));
        return this;
    }

    public Said run(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(surroundings(out, err), arguments);
        return new Said(
                code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    public Surroundings surroundings(ByteArrayOutputStream out, ByteArrayOutputStream err) {
        return new Surroundings(
                new ByteArrayInputStream(input),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                folder,
                InstantSource.system(),
                ZoneOffset.UTC,
                terminal,
                launcher,
                home);
    }
}
