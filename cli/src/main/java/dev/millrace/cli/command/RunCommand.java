package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Query;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.local.TemporaryServer;
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
        name = "run",
        description = {
            "Runs one workflow, shows its tree as it fills up, and exits with 0 if it Succeeded, else with 1.",
            "It is the first Workflow of FILE; templates, ConfigMaps and Secrets in FILE are applied before it.",
            "Without --server everything happens here: in a temporary folder that goes with the command. Nothing else is touched."
        })
final class RunCommand implements Callable<Integer> {

    private final Surroundings surroundings;
    private final RootOptions root;

    @Parameters(paramLabel = "FILE", description = "A file with a Workflow; - is standard input.")
    String name = "";

    @Mixin final SubmitChanges changes = new SubmitChanges();

    @Option(names = "--log", description = "At the end, also show what the steps printed.")
    boolean log;

    @Option(
            names = {"--server", "-s"},
            paramLabel = "URL",
            description = "Run it on this server instead.")
    String server = "";

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            description = "The namespace; default without it.")
    String namespace = "";

    RunCommand(Surroundings surroundings, RootOptions root) {
        this.surroundings = surroundings;
        this.root = root;
    }

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description = "What to show that server if it demands a token.")
    String token = "";

    @Mixin final Strictness strictness = new Strictness();

    @Override
    public Integer call() {
        ManifestFile file = ManifestFile.read(name, strictness.unknownFields(), surroundings);
        List<ManifestDocument> workflows = file.documents(true);
        if (workflows.isEmpty()) {
            throw CommandException.refused(name + ": there is no Workflow in it");
        }
        if (workflows.size() > 1) {
            surroundings
                    .err()
                    .println(
                            "%s: %d Workflows; the first one is run"
                                    .formatted(name, workflows.size()));
        }
        file.warn(surroundings);
        String place = namespace.isEmpty() ? "default" : namespace;
        ManifestDocument document = workflows.getFirst();
        JsonNode workflow =
                changes.applied(Manifests.placed(document.manifest(), place), surroundings);
        if (!server.isBlank()) {
            ServerOptions options = new ServerOptions();
            options.server = server;
            options.token = token;
            try (ApiClient api = options.connect(surroundings)) {
                return run(api, place, file, document, workflow);
            }
        }
        return TemporaryServer.during(
                surroundings.launcher(),
                0,
                root.verbose,
                surroundings.err()::println,
                own -> {
                    try (ApiClient api =
                            new ApiClient(own.server().api(), own.server().authorization())) {
                        return run(api, place, file, document, workflow);
                    }
                });
    }

    private int run(
            ApiClient api,
            String place,
            ManifestFile file,
            ManifestDocument document,
            JsonNode workflow) {
        apply(api, place, file);
        Workflows workflows = new Workflows(api);
        String in = workflow.path("metadata").path("namespace").asString("");
        String started =
                ServerRefusal.located(document, () -> workflows.create(in, workflow, false))
                        .path("metadata")
                        .path("name")
                        .asString("");
        int code = WatchCommand.watch(workflows, in, started, surroundings);
        if (log) {
            surroundings.out().println();
            LogLines lines = new LogLines(surroundings, surroundings.style());
            workflows.followLogs(in, started, "", Query.none(), lines::print);
        }
        return code;
    }

    /** What listens or fires does not belong to the run of one workflow. */
    private void apply(ApiClient api, String place, ManifestFile file) {
        List<ManifestDocument> used = new ArrayList<>();
        for (ManifestDocument document : file.documents(false)) {
            switch (document.manifest().kind()) {
                case WORKFLOW_TEMPLATE, CLUSTER_WORKFLOW_TEMPLATE, CONFIG_MAP, SECRET ->
                        used.add(document);
                case WORKFLOW,
                        CRON_WORKFLOW,
                        WORKFLOW_EVENT_BINDING,
                        EVENT_SOURCE,
                        SENSOR,
                        EVENT_BUS ->
                        surroundings
                                .err()
                                .println(
                                        "%s: %s is left out; 'millrace up' runs it"
                                                .formatted(name, document.manifest()));
            }
        }
        if (!new Manifests(api, place, surroundings).apply(name, used, _ -> {})) {
            throw CommandException.refused(name + ": the workflow was not started");
        }
    }
}
