package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.CronWorkflows;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader.UnknownFields;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code cron create} and {@code cron update}: CronWorkflows of files. */
final class CronWrite {

    private CronWrite() {}

    @Command(name = "create", description = "Creates the CronWorkflows of files.")
    static final class Create implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(
                arity = "1..*",
                paramLabel = "FILE",
                description = "Files with CronWorkflows; - is standard input.")
        List<String> files = new ArrayList<>();

        @Option(
                names = "--schedule",
                paramLabel = "SCHEDULE",
                description = "A schedule in place of those that are written.")
        String schedule = "";

        @Mixin final SubmitChanges changes = new SubmitChanges();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "What to print of each: wide (default), name, json or yaml.")
        String output = "wide";

        @Mixin final ServerOptions server = new ServerOptions();

        Create(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            checkForm(output);
            List<Cron> crons = read(files, server.namespace(surroundings), surroundings);
            try (ApiClient api = server.connect(surroundings)) {
                for (Cron cron : crons) {
                    ObjectNode changed = changed(cron.tree());
                    CronCommand.print(
                            ServerRefusal.located(
                                    cron.document(),
                                    () ->
                                            new CronWorkflows(api)
                                                    .create(namespace(changed), changed)),
                            output,
                            surroundings);
                }
            }
            return ExitCode.OK;
        }

        /** What the options say of a workflow, they say of those that it starts. */
        private ObjectNode changed(ObjectNode cron) {
            ObjectNode workflow = Json.object();
            workflow.set("metadata", cron.path("metadata"));
            workflow.set("spec", cron.path("spec").path("workflowSpec"));
            ObjectNode written = changes.applied(workflow, surroundings);
            cron.set("metadata", written.path("metadata"));
            cron.withObject("/spec").set("workflowSpec", written.path("spec"));
            if (!schedule.isEmpty()) {
                cron.withObject("/spec").set("schedules", Json.tree(List.of(schedule)));
            }
            return cron;
        }
    }

    @Command(name = "update", description = "Changes CronWorkflows to what files say.")
    static final class Update implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(
                arity = "1..*",
                paramLabel = "FILE",
                description = "Files with CronWorkflows; - is standard input.")
        List<String> files = new ArrayList<>();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "What to print of each: wide (default), name, json or yaml.")
        String output = "wide";

        @Mixin final ServerOptions server = new ServerOptions();

        Update(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            checkForm(output);
            List<Cron> crons = read(files, server.namespace(surroundings), surroundings);
            try (ApiClient api = server.connect(surroundings)) {
                for (Cron cron : crons) {
                    ObjectNode tree = cron.tree();
                    String name = tree.path("metadata").path("name").asString("");
                    CronCommand.print(
                            ServerRefusal.located(
                                    cron.document(),
                                    () ->
                                            new CronWorkflows(api)
                                                    .update(namespace(tree), name, tree)),
                            output,
                            surroundings);
                }
            }
            return ExitCode.OK;
        }
    }

    private static void checkForm(String output) {
        if (!List.of("wide", "name", "json", "yaml").contains(output)) {
            throw CommandException.usage(
                    "-o %s: one of wide, name, json, yaml is expected".formatted(output));
        }
    }

    private static String namespace(JsonNode cron) {
        return cron.path("metadata").path("namespace").asString("");
    }

    /**
     * One of a file.
     *
     * @param tree with the namespace that is meant
     */
    private record Cron(ManifestDocument document, ObjectNode tree) {}

    /** All files are read before the first is sent. */
    private static List<Cron> read(
            List<String> files, String namespace, Surroundings surroundings) {
        List<Cron> crons = new ArrayList<>();
        for (ManifestFile file : ManifestFile.readAll(files, UnknownFields.REFUSED, surroundings)) {
            int before = crons.size();
            for (ManifestDocument document : file.documents()) {
                if (document.manifest().kind() == Kind.CRON_WORKFLOW) {
                    crons.add(new Cron(document, Manifests.placed(document.manifest(), namespace)));
                } else {
                    surroundings
                            .err()
                            .println(
                                    "%s: %s is left out"
                                            .formatted(file.name(), document.manifest()));
                }
            }
            if (crons.size() == before) {
                throw CommandException.refused(file.name() + ": there is no CronWorkflow in it");
            }
        }
        return crons;
    }
}
