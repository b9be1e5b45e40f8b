package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Query;
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

    @Mixin final Strictness strictness = new Strictness();

    @Option(
            names = "--dry-run",
            description =
                    "Start nothing, only print what would be sent, in the form of -o; a template of --from is looked up by the server.")
    boolean dryRun;

    @Option(
            names = "--server-dry-run",
            description =
                    "Start nothing, only let the server check it, and print what it would start in the form of -o.")
    boolean serverDryRun;

    @Option(
            names = {"-w", "--wait"},
            description = "Wait until it has ended; exit with 0 if it Succeeded, else with 1.")
    boolean wait;

    @Option(names = "--watch", description = "The same, and show the tree meanwhile.")
    boolean watch;

    @Option(names = "--log", description = "The same, and show what the steps print meanwhile.")
    boolean log;

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
        if (isDry()) {
            checkDry();
        }
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            List<JsonNode> started = new ArrayList<>();
            for (Start start : from.isEmpty() ? fromFiles() : List.of(fromTemplate())) {
                JsonNode workflow = start.on(workflows);
                if (output.equals("yaml") && !started.isEmpty()) {
                    surroundings.out().println("---");
                }
                print(workflow);
                started.add(workflow);
            }
            int code = ExitCode.OK;
            for (JsonNode workflow : isDry() ? List.<JsonNode>of() : started) {
                code = Math.max(code, follow(workflows, workflow));
            }
            return code;
        }
    }

    private boolean isDry() {
        return dryRun || serverDryRun;
    }

    private void checkDry() {
        String option = dryRun ? "--dry-run" : "--server-dry-run";
        if (dryRun && serverDryRun) {
            throw CommandException.usage("give either --dry-run or --server-dry-run");
        }
        if (wait || watch || log) {
            throw CommandException.usage(
                    option + " starts nothing, so leave --wait, --watch and --log out");
        }
        if (!List.of("name", "json", "yaml").contains(output)) {
            throw CommandException.usage(
                    option + ": say with -o in which form to print it: name, json or yaml");
        }
    }

    /** A workflow that is wanted. */
    private interface Start {
        JsonNode on(Workflows workflows);
    }

    /** All files are read and checked before the first workflow starts. */
    private List<Start> fromFiles() {
        List<Start> starts = new ArrayList<>();
        for (ManifestFile file :
                ManifestFile.readAll(files, strictness.unknownFields(), surroundings)) {
            file.warn(surroundings);
            for (ManifestDocument other : file.documents(false)) {
                surroundings
                        .err()
                        .println(
                                "%s: %s is left out; apply it with 'millrace apply -f %s'"
                                        .formatted(file.name(), other.manifest(), file.name()));
            }
            List<ManifestDocument> found = file.documents(true);
            if (found.isEmpty()) {
                throw CommandException.refused(file.name() + ": there is no Workflow in it");
            }
            found.forEach(document -> starts.add(start(document)));
        }
        return starts;
    }

    private Start start(ManifestDocument document) {
        JsonNode placed = Manifests.placed(document.manifest(), server.namespace(surroundings));
        JsonNode changed = changes.applied(placed, surroundings);
        String namespace = changed.path("metadata").path("namespace").asString("");
        return workflows ->
                dryRun
                        ? changed
                        : ServerRefusal.located(
                                document, () -> workflows.create(namespace, changed, serverDryRun));
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
                        changes.options(surroundings)
                                .put("dryRun", dryRun)
                                .put("serverDryRun", serverDryRun));
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
                if (!watch) {
                    LivePicture.picture(workflow, surroundings)
                            .forEach(surroundings.out()::println);
                }
            }
        }
        surroundings.out().flush();
    }

    private int follow(Workflows workflows, JsonNode started) {
        String namespace = started.path("metadata").path("namespace").asString("");
        String name = started.path("metadata").path("name").asString("");
        if (log) {
            LogLines lines = new LogLines(surroundings, surroundings.style());
            workflows.followLogs(namespace, name, "", Query.none(), lines::print);
        }
        if (watch) {
            return WatchCommand.watch(workflows, namespace, name, surroundings);
        }
        return wait || log
                ? WaitCommand.await(workflows, namespace, name, surroundings)
                : ExitCode.OK;
    }
}
