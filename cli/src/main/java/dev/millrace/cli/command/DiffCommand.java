package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.ComparisonText;
import dev.millrace.cli.view.WorkflowComparison;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "diff",
        description = {
            "Says in what two workflows differ, or one at two moments: phases, messages, inputs, outputs, durations, parameters, spec.",
            "Ends with 0 if they are the same, whatever they took, and with 1 if not."
        })
final class DiffCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..2",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest. One name goes with --at.")
    List<String> names = new ArrayList<>();

    @Option(
            names = "--at",
            paramLabel = "N|TIME",
            description =
                    "The moments of the one workflow, as in get. Once: that one and now; twice: these two.")
    List<String> moments = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "One of text (default), json.")
    String output = "text";

    @Mixin final ServerOptions server = new ServerOptions();

    DiffCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    /** One side of the comparison. */
    private record Side(String title, JsonNode workflow) {}

    @Override
    public Integer call() {
        if (!List.of("text", "json").contains(output)) {
            throw CommandException.usage("-o %s: one of text, json is expected".formatted(output));
        }
        boolean oneWorkflow = names.size() == 1;
        if (oneWorkflow == moments.isEmpty() || moments.size() > 2) {
            throw CommandException.usage(
                    "give two workflows, or one workflow and --at once or twice");
        }
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            if (!oneWorkflow) {
                return compare(now(workflows, names.getFirst()), now(workflows, names.getLast()));
            }
            // @latest may be another one a moment later.
            String name = workflows.resolve(server.namespace(surroundings), names.getFirst());
            return compare(
                    at(workflows, name, moments.getFirst()),
                    moments.size() == 1
                            ? now(workflows, name)
                            : at(workflows, name, moments.getLast()));
        }
    }

    private Side now(Workflows workflows, String name) {
        JsonNode workflow = workflows.get(server.namespace(surroundings), name);
        return new Side(workflow.path("metadata").path("name").asString(name), workflow);
    }

    private Side at(Workflows workflows, String name, String moment) {
        return new Side(
                name + " at " + moment, workflows.at(server.namespace(surroundings), name, moment));
    }

    private int compare(Side left, Side right) {
        ObjectNode comparison = WorkflowComparison.of(left.workflow(), right.workflow());
        if (output.equals("json")) {
            comparison.put("left", left.title()).put("right", right.title());
            ObjectPrinter.print(comparison, output, surroundings);
        } else {
            ComparisonText.render(comparison, left.title(), right.title())
                    .forEach(surroundings.out()::println);
        }
        return comparison.path("same").asBoolean(false) ? ExitCode.OK : ExitCode.FAILED;
    }
}
