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
import tools.jackson.databind.JsonNode;

@Command(name = "get", description = "Shows workflows: their state and the tree of their steps.")
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
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            for (String name : names) {
                JsonNode workflow = workflows.get(server.namespace(surroundings), name);
                if (output.equals("tree")) {
                    LivePicture.picture(workflow, surroundings)
                            .forEach(surroundings.out()::println);
                } else {
                    ObjectPrinter.print(workflow, output, surroundings);
                }
            }
        }
        return ExitCode.OK;
    }
}
