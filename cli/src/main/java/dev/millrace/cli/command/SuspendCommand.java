package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "suspend",
        description = "Suspends workflows: steps that run end, and none is started until 'resume'.")
final class SuspendCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Mixin final ServerOptions server = new ServerOptions();

    SuspendCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return WorkflowOrder.each(
                names,
                "suspended",
                (workflows, namespace, name) ->
                        workflows.command(
                                namespace, name, "suspend", WorkflowOrder.details("", "")),
                server,
                surroundings);
    }
}
