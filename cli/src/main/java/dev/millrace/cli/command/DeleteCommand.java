package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "delete",
        description = "Deletes workflows, with their logs; what runs of them is ended.")
final class DeleteCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Option(names = "--all", description = "All workflows of the namespace.")
    boolean all;

    @Option(names = "--dry-run", description = "Only say which would be deleted.")
    boolean dryRun;

    @Mixin final WorkflowSelection selection = new WorkflowSelection();

    @Mixin final ServerOptions server = new ServerOptions();

    DeleteCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        List<String> chosen = chosen();
        if (dryRun) {
            chosen.forEach(
                    name -> surroundings.out().println("workflow " + name + " would be deleted"));
            return ExitCode.OK;
        }
        if (chosen.isEmpty()) {
            surroundings.out().println("No workflows found");
            return ExitCode.OK;
        }
        try (ApiClient api = server.connect(surroundings)) {
            return WorkflowOrder.each(
                    chosen,
                    "deleted",
                    Workflows::delete,
                    new Workflows(api),
                    server.namespace(surroundings),
                    surroundings);
        }
    }

    private List<String> chosen() {
        if (!names.isEmpty()) {
            if (all || !selection.isEmpty()) {
                throw CommandException.usage(
                        "give either names or conditions such as --completed, not both");
            }
            return names;
        }
        if (!all && selection.isEmpty()) {
            throw CommandException.usage(
                    "which workflows? Give their names, --all, or a condition such as --completed or --older 7d");
        }
        try (ApiClient api = server.connect(surroundings)) {
            return selection
                    .find(
                            new Workflows(api),
                            server.namespace(surroundings),
                            surroundings.clock().instant())
                    .stream()
                    .map(workflow -> workflow.path("metadata").path("name").asString(""))
                    .toList();
        }
    }
}
