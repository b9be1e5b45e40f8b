package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "get",
        description =
                "Shows workflows: their state and the tree of their steps, now or as they stood at any moment.")
final class GetCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "One of tree (default), json, yaml, name.")
    String output = "tree";

    @Option(
            names = "--at",
            paramLabel = "N|TIME",
            description =
                    "As the workflow stood after its Nth transition, or at a time: 2026-01-31T12:00:00Z, or a span ago such as 5m.")
    String at = "";

    @Option(
            names = "--history",
            description =
                    "The transitions of the workflow: their numbers for --at, and what happened.")
    boolean history;

    @Mixin final ServerOptions server = new ServerOptions();

    GetCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (!ObjectPrinter.FORMS.contains(output) && !output.equals("tree")) {
            throw CommandException.usage(
                    "-o %s: one of tree, json, yaml, name is expected".formatted(output));
        }
        if (history && (!at.isEmpty() || output.equals("name"))) {
            throw CommandException.usage(
                    "--history lists all transitions, as tree, json or yaml; leave out "
                            + (at.isEmpty() ? "-o name" : "--at"));
        }
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
            for (String name : names) {
                if (history) {
                    print(workflows.history(namespace, name), PastPicture::history);
                } else if (!at.isEmpty()) {
                    print(
                            workflows.at(namespace, name, at),
                            workflow -> PastPicture.of(workflow, surroundings));
                } else {
                    print(
                            workflows.get(namespace, name),
                            workflow -> LivePicture.picture(workflow, surroundings));
                }
            }
        }
        return ExitCode.OK;
    }

    private void print(JsonNode object, Function<JsonNode, List<String>> picture) {
        if (output.equals("tree")) {
            picture.apply(object).forEach(surroundings.out()::println);
        } else {
            ObjectPrinter.print(object, output, surroundings);
        }
    }
}
