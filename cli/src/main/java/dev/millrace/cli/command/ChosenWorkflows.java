package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.Workflows;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Workflows by name, or by labels and fields, and what is done to bring them to run again. */
final class ChosenWorkflows {

    /** Brings one workflow to run; gives it as it stands then. */
    interface Deed {
        JsonNode on(Workflows workflows, String namespace, String name);
    }

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Instead of names: those with these labels, such as team=a,stage!=test.")
    String selector = "";

    @Option(
            names = "--field-selector",
            paramLabel = "SELECTOR",
            description = "Instead of names: those with these fields, such as metadata.name=x.")
    String fieldSelector = "";

    @Option(
            names = {"-p", "--parameter"},
            paramLabel = "NAME=VALUE",
            description = "Replace an argument; may be given several times.")
    List<String> parameters = new ArrayList<>();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "What to print of each: name, json or yaml; without it, its state.")
    String output = "";

    @Mixin final FollowOptions follow = new FollowOptions();

    @Mixin final ServerOptions server = new ServerOptions();

    /** One that refuses does not keep back the others. */
    int each(Deed deed, Surroundings surroundings) {
        boolean selects = !selector.isEmpty() || !fieldSelector.isEmpty();
        if (names.isEmpty() != selects) {
            throw CommandException.usage(
                    "give either names of workflows, or --selector or --field-selector");
        }
        if (!List.of("", "name", "json", "yaml").contains(output)) {
            throw CommandException.usage(
                    "-o %s: one of name, json, yaml is expected".formatted(output));
        }
        for (String parameter : parameters) {
            if (parameter.indexOf('=') <= 0) {
                throw CommandException.usage(
                        "--parameter %s: write it as NAME=VALUE".formatted(parameter));
            }
        }
        int code = ExitCode.OK;
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
            List<String> chosen = selects ? selected(workflows, namespace) : names;
            if (chosen.isEmpty()) {
                surroundings.out().println("No workflows found");
            }
            for (String name : chosen) {
                try {
                    JsonNode workflow =
                            deed.on(workflows, namespace, workflows.resolve(namespace, name));
                    print(workflow, surroundings);
                    code = Math.max(code, follow.follow(workflows, workflow, surroundings));
                } catch (ApiException e) {
                    surroundings.err().println("millrace: " + name + ": " + e.text());
                    code = ExitCode.FAILED;
                }
            }
        }
        return code;
    }

    private List<String> selected(Workflows workflows, String namespace) {
        return workflows.list(namespace, selector, fieldSelector).stream()
                .map(workflow -> workflow.path("metadata").path("name").asString(""))
                .toList();
    }

    private void print(JsonNode workflow, Surroundings surroundings) {
        if (!output.isEmpty()) {
            ObjectPrinter.print(workflow, output, surroundings);
        } else if (!follow.watch) {
            LivePicture.picture(workflow, surroundings).forEach(surroundings.out()::println);
        }
        surroundings.out().flush();
    }
}
