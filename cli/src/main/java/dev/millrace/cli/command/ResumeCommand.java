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
        name = "resume",
        description = "Resumes workflows that were suspended, or their suspend steps.")
final class ResumeCommand implements Callable<Integer> {

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

    @Mixin final ServerOptions server = new ServerOptions();

    ResumeCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return WorkflowOrder.each(
                names,
                "resumed",
                (workflows, namespace, name) ->
                        workflows.command(
                                namespace,
                                name,
                                "resume",
                                WorkflowOrder.details(nodeFieldSelector, "")),
                server,
                surroundings);
    }
}
