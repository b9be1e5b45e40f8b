package dev.millrace.cli.command;

import dev.millrace.cli.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(name = "terminate", description = "Ends workflows at once, without their exit handlers.")
final class TerminateCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Mixin final ServerOptions server = new ServerOptions();

    TerminateCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        return WorkflowOrder.each(
                names,
                "terminated",
                (workflows, namespace, name) ->
                        workflows.command(
                                namespace, name, "terminate", WorkflowOrder.details("", "")),
                server,
                surroundings);
    }
}
