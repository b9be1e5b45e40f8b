package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.Json;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "resubmit",
        description = "Starts workflows again, as new ones with the same manifest.")
final class ResubmitCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Option(
            names = "--memoized",
            description = "Skip the steps that succeeded; only for workflows that failed.")
    boolean memoized;

    @Mixin final ChosenWorkflows chosen = new ChosenWorkflows();

    ResubmitCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        ObjectNode details = Json.object().put("memoized", memoized);
        chosen.parameters.forEach(details.withArray("/parameters")::add);
        return chosen.each(
                (workflows, namespace, name) ->
                        workflows.command(namespace, name, "resubmit", details),
                surroundings);
    }
}
