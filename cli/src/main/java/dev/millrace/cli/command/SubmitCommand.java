package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.WorkflowTable;
import dev.millrace.schemas.manifest.ManifestDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "submit",
        description = "Starts workflows: those of files, or one made from a template.")
final class SubmitCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Files with Workflows; - is standard input.")
    List<String> files = new ArrayList<>();

    @Option(
            names = "--from",
            paramLabel = "KIND/NAME",
            description = "Start from a template instead, such as workflowtemplate/release.")
    String from = "";

    @Mixin final SubmitChanges changes = new SubmitChanges();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORM",
            description = "What to print of each: name, wide, json or yaml; without it, its state.")
    String output = "";

    @Mixin final FollowOptions follow = new FollowOptions();

    @Mixin final ServerOptions server = new ServerOptions();

    SubmitCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (files.isEmpty() == from.isEmpty()) {
            throw CommandException.usage("give either a FILE or --from KIND/NAME");
        }
        if (!List.of("", "name", "wide", "json", "yaml").contains(output)) {
            throw CommandException.usage(
                    "-o %s: one of name, wide, json, yaml is expected".formatted(output));
        }
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            List<JsonNode> started = new ArrayList<>();
            for (Start start : from.isEmpty() ? fromFiles() : List.of(fromTemplate())) {
                JsonNode workflow = start.on(workflows);
                print(workflow);
                started.add(workflow);
            }
            int code = ExitCode.OK;
            for (JsonNode workflow : started) {
                code = Math.max(code, follow.follow(workflows, workflow, surroundings));
            }
            return code;
        }
    }

    /** A workflow that is wanted. */
    private interface Start {
        JsonNode on(Workflows workflows);
    }

    /** All files are read before the first workflow starts. */
    private List<Start> fromFiles() {
        List<Start> starts = new ArrayList<>();
        for (String name : files) {
            ManifestFile file = ManifestFile.read(name, surroundings);
            for (ManifestDocument other : file.documents(false)) {
                surroundings
                        .err()
                        .println(
                                "%s: %s is left out; apply it with 'millrace apply -f %s'"
                                        .formatted(name, other.manifest(), name));
            }
            List<ManifestDocument> found = file.documents(true);
            if (found.isEmpty()) {
                throw CommandException.refused(name + ": there is no Workflow in it");
            }
            for (ManifestDocument document : found) {
                JsonNode placed =
                        Manifests.placed(document.manifest(), server.namespace(surroundings));
                JsonNode changed = changes.applied(placed, surroundings);
                starts.add(
                        workflows ->
                                workflows.create(
                                        changed.path("metadata").path("namespace").asString(""),
                                        changed));
            }
        }
        return starts;
    }

    private Start fromTemplate() {
        int slash = from.indexOf('/');
        if (slash < 1 || slash == from.length() - 1) {
            throw CommandException.usage(
                    "--from %s: write it as KIND/NAME, such as workflowtemplate/release"
                            .formatted(from));
        }
        return workflows ->
                workflows.submit(
                        server.namespace(surroundings),
                        from.substring(0, slash),
                        from.substring(slash + 1),
                        changes.options(surroundings));
    }

    private void print(JsonNode workflow) {
        switch (output) {
            case "json", "yaml", "name" -> ObjectPrinter.print(workflow, output, surroundings);
            case "wide" ->
                    WorkflowTable.render(
                                    List.of(workflow),
                                    surroundings.clock().instant(),
                                    true,
                                    true,
                                    surroundings.style())
                            .forEach(surroundings.out()::println);
            default -> {
                // The picture that follows says it all.
                if (!follow.watch) {
                    LivePicture.picture(workflow, surroundings)
                            .forEach(surroundings.out()::println);
                }
            }
        }
        surroundings.out().flush();
    }
}
