package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "suspend",
        description = "Suspends workflows: steps that run end, and none is started until 'resume'.")
final class SuspendCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin final WorkflowChoice choice = new WorkflowChoice();

    @Mixin final ServerOptions server = new ServerOptions();

    SuspendCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return WorkflowOrder.each(
                choice,
                "suspended",
                (workflows, namespace, name) ->
                        workflows.command(
                                namespace, name, "suspend", WorkflowOrder.details("", "")),
                server,
                surroundings);
    }
}
