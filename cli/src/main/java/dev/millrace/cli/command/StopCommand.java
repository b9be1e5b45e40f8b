package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "stop",
        description = "Stops workflows: what runs is ended, exit handlers still run.")
final class StopCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Option(
            names = "--node-field-selector",
            paramLabel = "SELECTOR",
            description = "Only the nodes with these fields, such as displayName=approve.")
    String nodeFieldSelector = "";

    @Option(
            names = "--message",
            paramLabel = "TEXT",
            description = "Why, to be shown with the nodes that are stopped.")
    String message = "";

    @Mixin final ServerOptions server = new ServerOptions();

    StopCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return WorkflowOrder.each(
                names,
                "stopped",
                (workflows, namespace, name) ->
                        workflows.command(
                                namespace,
                                name,
                                "stop",
                                WorkflowOrder.details(nodeFieldSelector, message)),
                server,
                surroundings);
    }
}
