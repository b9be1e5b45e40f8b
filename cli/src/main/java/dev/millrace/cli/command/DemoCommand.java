package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.local.TemporaryServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "demo",
        description = {
            "Shows the main job: two webhooks come in, satisfy a sensor, and a workflow runs to its end.",
            "It starts a server with its data in a temporary folder, applies examples/quickstart, and posts the webhooks.",
            "Exits with 0 if the workflow Succeeded. The folder goes at the end."
        })
final class DemoCommand implements Callable<Integer> {

    private static final int API_PORT = 2746;

    private final Surroundings surroundings;
    private final RootOptions root;

    @Option(
            names = "--keep",
            description = "Leave the server running until Ctrl-C, to look around.")
    boolean keep;

    DemoCommand(Surroundings surroundings, RootOptions root) {
        this.surroundings = surroundings;
        this.root = root;
    }

    @Override
    public Integer call() {
        Path folder = surroundings.home().resolve("examples").resolve("quickstart");
        if (!Files.isDirectory(folder)) {
            throw CommandException.refused(
                    folder
                            + " is not there; run the demo with the script ./millrace of a checkout");
        }
        DemoManifests manifests = DemoManifests.read(folder, surroundings);
        for (int port : manifests.ports()) {
            if (!isFree(port)) {
                throw new CommandException(
                        ExitCode.UNAVAILABLE,
                        "port %d is in use by another process (ss -ltnp shows which one). The webhooks of the demo come in there: stop that process, or change the port in %s"
                                .formatted(port, folder.resolve("eventsource.yaml")));
            }
        }
        surroundings
                .out()
                .println("Starting a server: a Kafka broker and all roles in this process ...");
        surroundings.out().flush();
        int port = isFree(API_PORT) ? API_PORT : 0;
        return TemporaryServer.during(
                surroundings.launcher(),
                port,
                root.verbose,
                surroundings.err()::println,
                own -> play(own, manifests));
    }

    private int play(TemporaryServer own, DemoManifests manifests) {
        try (ApiClient api = new ApiClient(own.server().api(), own.server().authorization())) {
            surroundings.out().println("  API at " + api.base() + ", data in " + own.folder());
            own.server().facts().forEach(fact -> surroundings.out().println("  steps: " + fact));
            int code = new Demo(api, manifests, surroundings).play();
            if (keep) {
                stay(own, api);
            }
            return code;
        }
    }

    private void stay(TemporaryServer own, ApiClient api) {
        surroundings.out().println();
        surroundings
                .out()
                .println(
                        "The server goes on at "
                                + api.base()
                                + "; Ctrl-C stops it and removes "
                                + own.folder());
        surroundings.out().println("  Try: millrace list --server " + api.base());
        surroundings.out().flush();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            // A request to stop, as Ctrl-C is; the stop itself waits, so the mark is not set again.
            return;
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
