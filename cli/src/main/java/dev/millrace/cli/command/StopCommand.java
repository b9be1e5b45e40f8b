package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "stop",
        description = "Stops workflows: what runs is ended, exit handlers still run.")
final class StopCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin final WorkflowChoice choice = new WorkflowChoice();

    @Option(
            names = "--node-field-selector",
            paramLabel = "SELECTOR",
            description = "Only the nodes with these fields, such as displayName=approve.")
    String nodeFieldSelector = "";

    @Option(
            names = "--message",
            paramLabel = "TEXT",
            description =
                    "Why, to be shown with the nodes of --node-field-selector, which it goes with.")
    String message = "";

    @Mixin final ServerOptions server = new ServerOptions();

    StopCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!message.isEmpty() && nodeFieldSelector.isEmpty()) {
            throw CommandException.usage(
                    "--message goes with --node-field-selector: it is shown with the nodes that are meant, and a workflow that is stopped as a whole keeps none");
        }
        return WorkflowOrder.each(
                choice,
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
