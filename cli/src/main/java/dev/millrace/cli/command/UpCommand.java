package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.local.ClosedOnExit;
import dev.millrace.cli.local.RunningServer;
import dev.millrace.cli.local.ServerPlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "up",
        description = {
            "Runs the server, with all its roles and its own Kafka broker in this process, until Ctrl-C.",
            "The definitions in DIR are applied and kept so: what changes there is applied again, what goes is deleted.",
            "Workflows in DIR are not started; 'submit' does that."
        })
final class UpCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(arity = "0..1", paramLabel = "DIR", description = "A folder of manifests.")
    String definitions = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Where everything is kept; ./.millrace without it.")
    String data = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port of the API; 2746 without it, 0 takes a free one.")
    @Nullable Integer port;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS",
            description =
                    "The address to listen on; 127.0.0.1 without it. Beyond this machine every request needs the token in the data folder.")
    String bind = "";

    @Option(
            names = "--keep-steps",
            description = "Steps that run go on when the server stops; it finds them again.")
    boolean keepSteps;

    UpCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (port != null && (port < 0 || port > 65_535)) {
            throw CommandException.usage(
                    "--port %d: a number from 0 to 65535 is expected".formatted(port));
        }
        RunningServer server = surroundings.launcher().start(plan(), surroundings.out()::println);
        CountDownLatch stopped = new CountDownLatch(1);
        try (ClosedOnExit _ =
                new ClosedOnExit(
                        () -> {
                            surroundings.err().println("millrace: stopping ...");
                            server.close();
                            surroundings.err().println("millrace: stopped");
                            stopped.countDown();
                        })) {
            say(server);
            await(stopped);
        }
        return ExitCode.OK;
    }

    private ServerPlan plan() {
        Optional<Path> folder =
                definitions.isEmpty()
                        ? Optional.empty()
                        : Optional.of(surroundings.folder().resolve(definitions));
        if (folder.isPresent() && !Files.isDirectory(folder.get())) {
            throw CommandException.usage(
                    definitions + ": there is no such folder; make it, or leave it out");
        }
        return new ServerPlan(
                dataFolder(),
                folder,
                Optional.ofNullable(port),
                bind.isEmpty() ? Optional.empty() : Optional.of(bind),
                keepSteps);
    }

    private Path dataFolder() {
        return data.isEmpty() ? surroundings.dataFolder() : surroundings.folder().resolve(data);
    }

    private void say(RunningServer server) {
        surroundings.out().println("Millrace is up.");
        surroundings.out().println("  API       " + server.api());
        surroundings
                .out()
                .println(
                        "  webhooks  at the ports of their manifests, and below "
                                + server.api()
                                + "/webhooks/NAMESPACE/EVENTSOURCE/EVENT");
        surroundings.out().println("  data      " + dataFolder());
        if (!definitions.isEmpty()) {
            surroundings.out().println("  watching  " + surroundings.folder().resolve(definitions));
        }
        if (!server.isLoopback()) {
            surroundings.out().println("  token     in " + dataFolder().resolve("token"));
        }
        server.facts().forEach(fact -> surroundings.out().println("  steps     " + fact));
        surroundings.out().println("Ctrl-C stops it.");
        surroundings.out().flush();
    }

    /** An interrupt is a request to stop, as Ctrl-C is. */
    private static void await(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException e) {
            // Not passed on: what follows is the orderly stop, which waits itself.
            return;
        }
    }
}
