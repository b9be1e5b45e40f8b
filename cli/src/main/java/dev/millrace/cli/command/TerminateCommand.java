package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "terminate", description = "Ends workflows at once, without their exit handlers.")
final class TerminateCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin final WorkflowChoice choice = new WorkflowChoice();

    @Mixin final ServerOptions server = new ServerOptions();

    TerminateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return WorkflowOrder.each(
                choice,
                "terminated",
                (workflows, namespace, name) ->
                        workflows.command(
                                namespace, name, "terminate", WorkflowOrder.details("", "")),
                server,
                surroundings);
    }
}
