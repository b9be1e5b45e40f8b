package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "watch",
        description =
                "Shows a workflow's tree as it fills up, until it ends; exits with 0 if it Succeeded, else with 1.")
final class WatchCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(paramLabel = "NAME", description = "The workflow's name; @latest is the newest.")
    String name = "";

    @Mixin final ServerOptions server = new ServerOptions();

    WatchCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
            return watch(workflows, namespace, workflows.resolve(namespace, name), surroundings);
        }
    }

    /** Shows it to its end; the exit code tells which. */
    static int watch(
            Workflows workflows, String namespace, String name, Surroundings surroundings) {
        LivePicture picture = new LivePicture(surroundings);
        JsonNode finished = workflows.follow(namespace, name, picture::show);
        picture.end(finished);
        return ExitCode.ofPhase(finished.path("status").path("phase").asString(""));
    }
}
