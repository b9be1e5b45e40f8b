package dev.millrace.cli;

import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.UnreachableException;
import dev.millrace.cli.command.Commands;
import dev.millrace.cli.local.MillraceLauncher;
import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** The {@code millrace} command. */
public final class Main {

    private Main() {}

    /** Runs the command of the process. */
    public static void main(String[] arguments) {
        PrintStream out =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        PrintStream err =
                new PrintStream(
                        new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Console console = System.console();
        Surroundings surroundings =
                new Surroundings(
                        System.in,
                        out,
                        err,
                        System.getenv(),
                        Path.of("").toAbsolutePath(),
                        InstantSource.system(),
                        ZoneId.systemDefault(),
                        console != null && console.isTerminal()
                                ? Optional.of(Terminal.size())
                                : Optional.empty(),
                        new MillraceLauncher(System.getenv()),
                        Path.of(System.getProperty("millrace.home", "")).toAbsolutePath());
        int code = run(surroundings, arguments);
        out.flush();
        System.exit(code);
    }

    /**
     * Runs a command; the exit code tells how it went. Whatever goes wrong is said in a few lines.
     */
    public static int run(Surroundings surroundings, String... arguments) {
        CommandLine commands =
                Commands.of(surroundings)
                        .setOut(new PrintWriter(surroundings.out(), true, StandardCharsets.UTF_8))
                        .setErr(new PrintWriter(surroundings.err(), true, StandardCharsets.UTF_8))
                        .setParameterExceptionHandler((e, _) -> usage(e, surroundings))
                        .setExecutionExceptionHandler(
                                (e, command, _) -> failure(e, command, surroundings));
        if (arguments.length == 0) {
            commands.usage(commands.getOut());
            return ExitCode.USAGE;
        }
        try {
            return commands.execute(arguments);
        } finally {
            surroundings.out().flush();
            surroundings.err().flush();
        }
    }

    private static int usage(ParameterException e, Surroundings surroundings) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        say(surroundings, String.valueOf(e.getMessage()));
        if (e instanceof MissingParameterException && !command.getSubcommands().isEmpty()) {
            command.usage(command.getErr());
        } else {
            surroundings.err().println("'" + name + " --help' tells how it is written.");
        }
        return ExitCode.USAGE;
    }

    private static int failure(Exception e, CommandLine command, Surroundings surroundings) {
        int code =
                switch (e) {
                    case CommandException known -> {
                        if (known.isLocated()) {
                            surroundings.err().println(known.text());
                        } else {
                            say(surroundings, known.text());
                        }
                        yield known.exitCode();
                    }
                    case ApiException refused -> {
                        say(surroundings, refused.text());
                        yield ExitCode.FAILED;
                    }
                    case UnreachableException unreachable -> {
                        say(surroundings, unreachable.text());
                        yield ExitCode.UNAVAILABLE;
                    }
                    default -> {
                        say(
                                surroundings,
                                "a fault of Millrace: %s. '-v' shows where; please report it"
                                        .formatted(e));
                        yield ExitCode.FAULT;
                    }
                };
        boolean verbose =
                command.getCommandSpec().findOption("-v").getValue() instanceof Boolean on && on;
        if (verbose) {
            e.printStackTrace(surroundings.err());
        } else if (code == ExitCode.USAGE) {
            surroundings
                    .err()
                    .println(
                            "'"
                                    + command.getCommandSpec().qualifiedName()
                                    + " --help' tells how it is written.");
        }
        return code;
    }

    /** Each line as it is, the first one with the name of the command before it. */
    private static void say(Surroundings surroundings, String message) {
        surroundings.err().println("millrace: " + message);
    }
}
