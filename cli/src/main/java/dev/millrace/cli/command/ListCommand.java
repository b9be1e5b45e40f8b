package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.WorkflowTable;
import dev.millrace.schemas.Json;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

@Command(
        name = "list",
        description = "Lists workflows: running ones first, then by age, the newest first.")
final class ListCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Mixin final WorkflowSelection selection = new WorkflowSelection();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "The workflows of all namespaces.")
    boolean everywhere;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "One of wide, name, json, yaml; without it, a table.")
    String output = "";

    @Option(names = "--no-headers", description = "The table without its first line.")
    boolean noHeaders;

    @Option(
            names = "--chunk-size",
            paramLabel = "N",
            description = "Fetch so many from the server at a time; ${DEFAULT-VALUE} without it.")
    int chunkSize = 500;

    @Mixin final ServerOptions server = new ServerOptions();

    ListCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!List.of("", "wide", "name", "json", "yaml").contains(output)) {
            throw CommandException.usage(
                    "-o %s: one of wide, name, json, yaml is expected".formatted(output));
        }
        if (chunkSize < 0) {
            throw CommandException.usage(
                    "--chunk-size %d: a number that is not negative is expected"
                            .formatted(chunkSize));
        }
        // As with argo, 0 means all at once.
        int page = chunkSize == 0 ? Integer.MAX_VALUE : chunkSize;
        String namespace = everywhere ? "" : server.namespace(surroundings);
        List<JsonNode> found;
        try (ApiClient api = server.connect(surroundings)) {
            found =
                    selection.find(
                            new Workflows(api), namespace, surroundings.clock().instant(), page);
        }
        switch (output) {
            case "json", "yaml" -> {
                ArrayNode list = Json.mapper().createArrayNode().addAll(found);
                ObjectPrinter.print(list, output, surroundings);
            }
            case "name" ->
                    found.forEach(workflow -> ObjectPrinter.print(workflow, output, surroundings));
            default -> table(found);
        }
        return ExitCode.OK;
    }

    private void table(List<JsonNode> found) {
        if (found.isEmpty()) {
            surroundings.out().println("No workflows found");
            return;
        }
        List<String> lines =
                WorkflowTable.render(
                        found,
                        surroundings.clock().instant(),
                        everywhere,
                        output.equals("wide"),
                        surroundings.style());
        lines.subList(noHeaders ? 1 : 0, lines.size()).forEach(surroundings.out()::println);
    }
}
