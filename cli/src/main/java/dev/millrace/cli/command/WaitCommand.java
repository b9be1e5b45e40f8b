package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.Times;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "wait",
        description =
                "Waits until workflows have ended; exits with 0 if all Succeeded, else with 1.")
final class WaitCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Mixin final ServerOptions server = new ServerOptions();

    WaitCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        int code = ExitCode.OK;
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
            for (String name : names) {
                code =
                        Math.max(
                                code,
                                await(
                                        workflows,
                                        namespace,
                                        workflows.resolve(namespace, name),
                                        surroundings));
            }
        }
        return code;
    }

    /** Waits, and says how it ended. */
    static int await(
            Workflows workflows, String namespace, String name, Surroundings surroundings) {
        JsonNode status = workflows.follow(namespace, name, _ -> {}).path("status");
        String phase = status.path("phase").asString("");
        surroundings
                .out()
                .println(
                        "%s %s at %s"
                                .formatted(
                                        name,
                                        phase,
                                        Times.of(status.path("finishedAt"))
                                                .map(Object::toString)
                                                .orElse("an unknown time")));
        return ExitCode.ofPhase(phase);
    }
}
