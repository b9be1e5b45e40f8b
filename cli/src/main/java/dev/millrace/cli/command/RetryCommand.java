package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "retry",
        description =
                "Takes up workflows that failed: what had not succeeded runs again, and what comes after it.")
final class RetryCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(
            names = "--restart-successful",
            description = "Also run what --node-field-selector picks, although it succeeded.")
    boolean restartSuccessful;

    @Option(
            names = "--node-field-selector",
            paramLabel = "SELECTOR",
            description =
                    "With --restart-successful: the nodes with these fields, such as displayName=build.")
    String nodeFieldSelector = "";

    @Mixin final ChosenWorkflows chosen = new ChosenWorkflows();

    RetryCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        ObjectNode details = WorkflowOrder.details(nodeFieldSelector, "");
        details.put("restartSuccessful", restartSuccessful);
        chosen.parameters.forEach(details.withArray("/parameters")::add);
        return chosen.each(
                (workflows, namespace, name) ->
                        workflows.command(namespace, name, "retry", details),
                surroundings);
    }
}
