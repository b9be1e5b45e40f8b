package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "resume",
        description = "Resumes workflows that were suspended, or their suspend steps.")
final class ResumeCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin final WorkflowChoice choice = new WorkflowChoice();

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
                choice,
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
