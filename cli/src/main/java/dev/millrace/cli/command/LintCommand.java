package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.CronWorkflows;
import dev.millrace.cli.client.Templates;
import dev.millrace.cli.client.Workflows;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "lint",
        description = {
            "Checks manifests without starting or changing anything; exits with 1 if there are errors.",
            "The server also looks up the templates that it holds; with --offline none is needed."
        })
final class LintCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files or folders; - is standard input.")
    List<String> paths = new ArrayList<>();

    @Option(
            names = "--offline",
            description =
                    "Check here, with the same rules; templates are looked up in the files given.")
    boolean offline;

    @Mixin final ServerOptions server = new ServerOptions();

    LintCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        List<ManifestFile> files =
                ManifestFile.expand(paths, surroundings).stream()
                        .map(name -> ManifestFile.read(name, surroundings))
                        .toList();
        return (offline ? offline(files) : online(files)) ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean offline(List<ManifestFile> files) {
        OfflineLint lint = new OfflineLint(files, server.namespace(surroundings));
        boolean sound = true;
        for (ManifestFile file : files) {
            List<Problem> problems = lint.check(file);
            problems.forEach(this::print);
            sound &= conclude(file, problems.stream().noneMatch(Problem::isError));
        }
        return sound;
    }

    private boolean online(List<ManifestFile> files) {
        boolean sound = true;
        try (ApiClient api = server.connect(surroundings)) {
            for (ManifestFile file : files) {
                file.content().problems().forEach(this::print);
                boolean fileIsSound = !file.content().hasErrors();
                for (ManifestDocument document : file.content().documents()) {
                    if (document.isValid()) {
                        fileIsSound &= online(api, file, document);
                    }
                }
                sound &= conclude(file, fileIsSound);
            }
        }
        return sound;
    }

    private boolean online(ApiClient api, ManifestFile file, ManifestDocument document) {
        JsonNode tree = Manifests.placed(document.manifest(), server.namespace(surroundings));
        String namespace =
                document.manifest().kind().isNamespaced()
                        ? tree.path("metadata").path("namespace").asString("")
                        : "";
        try {
            switch (document.manifest().kind()) {
                case WORKFLOW -> new Workflows(api).lint(namespace, tree);
                case WORKFLOW_TEMPLATE -> new Templates(api).lint(namespace, tree, false);
                case CLUSTER_WORKFLOW_TEMPLATE -> new Templates(api).lint(namespace, tree, true);
                case CRON_WORKFLOW -> new CronWorkflows(api).lint(namespace, tree);
                // The server has nothing to look up for these.
                case EVENT_SOURCE, SENSOR, EVENT_BUS, SECRET, CONFIG_MAP -> {
                    List<Problem> problems =
                            new OfflineLint(List.of(file), namespace).meaning(document);
                    problems.forEach(this::print);
                    return problems.stream().noneMatch(Problem::isError);
                }
            }
            return true;
        } catch (ApiException e) {
            e.text()
                    .lines()
                    .forEach(
                            line ->
                                    surroundings
                                            .err()
                                            .println(
                                                    file.name()
                                                            + ": "
                                                            + document.manifest()
                                                            + ": "
                                                            + line));
            return false;
        }
    }

    private boolean conclude(ManifestFile file, boolean sound) {
        if (file.content().documents().isEmpty() && sound) {
            surroundings.err().println(file.name() + ": there is no manifest in it");
            return false;
        }
        if (sound) {
            surroundings
                    .out()
                    .println(
                            "%s: no errors in %d manifests"
                                    .formatted(file.name(), file.content().documents().size()));
        }
        return sound;
    }

    private void print(Problem problem) {
        surroundings.err().println((problem.isError() ? "" : "warning: ") + problem);
    }
}
