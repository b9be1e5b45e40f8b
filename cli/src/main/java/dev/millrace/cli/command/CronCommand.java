package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.CronWorkflows;
import dev.millrace.cli.view.CronPicture;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code cron …}: CronWorkflows, and runs for times in the past. */
final class CronCommand {

    private CronCommand() {}

    static CommandLine of(Surroundings surroundings) {
        return new CommandLine(new Group())
                .addSubcommand(new CronWrite.Create(surroundings))
                .addSubcommand(new CronWrite.Update(surroundings))
                .addSubcommand(new ListCrons(surroundings))
                .addSubcommand(new GetCrons(surroundings))
                .addSubcommand(new DeleteCrons(surroundings))
                .addSubcommand(new SuspendCrons(surroundings))
                .addSubcommand(new ResumeCrons(surroundings))
                .addSubcommand(new LintCommand(surroundings))
                .addSubcommand(new CronBackfill(surroundings));
    }

    @Command(name = "cron", description = "Handles CronWorkflows, which start by a schedule.")
    private static final class Group {}

    @Command(name = "list", description = "Lists CronWorkflows.")
    private static final class ListCrons implements Callable<Integer> {

        private final Surroundings surroundings;

        @Option(
                names = {"-A", "--all-namespaces"},
                description = "Those of all namespaces.")
        boolean everywhere;

        @Option(
                names = {"-l", "--selector"},
                paramLabel = "LABELS",
                description = "Those with these labels, such as team=red.")
        String labels = "";

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "wide (default), or name for names only.")
        String output = "wide";

        @Mixin final ServerOptions server = new ServerOptions();

        ListCrons(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (!List.of("wide", "name").contains(output)) {
                throw CommandException.usage("-o %s: wide or name is expected".formatted(output));
            }
            try (ApiClient api = server.connect(surroundings)) {
                List<JsonNode> crons =
                        new CronWorkflows(api)
                                .list(everywhere ? "" : server.namespace(surroundings), labels);
                if (output.equals("name")) {
                    crons.forEach(cron -> ObjectPrinter.print(cron, output, surroundings));
                } else if (crons.isEmpty()) {
                    surroundings.out().println("No cron workflows found");
                } else {
                    CronPicture.table(crons, everywhere, surroundings.clock().instant())
                            .forEach(surroundings.out()::println);
                }
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "get", description = "Shows CronWorkflows with their status.")
    private static final class GetCrons implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of CronWorkflows.")
        List<String> names = new ArrayList<>();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "One of wide (default), yaml, json, name.")
        String output = "wide";

        @Mixin final ServerOptions server = new ServerOptions();

        GetCrons(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            try (ApiClient api = server.connect(surroundings)) {
                for (String name : names) {
                    print(
                            new CronWorkflows(api).get(server.namespace(surroundings), name),
                            output,
                            surroundings);
                }
            }
            return ExitCode.OK;
        }
    }

    /** One that was made, changed or asked for. */
    static void print(JsonNode cron, String output, Surroundings surroundings) {
        if (output.isEmpty() || output.equals("wide")) {
            CronPicture.summary(cron, surroundings.clock().instant(), ZoneId.systemDefault())
                    .forEach(surroundings.out()::println);
        } else {
            ObjectPrinter.print(cron, output, surroundings);
        }
    }

    @Command(
            name = "delete",
            description =
                    "Deletes CronWorkflows and, as their owner references say, the workflows that they started.")
    private static final class DeleteCrons implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(arity = "0..*", paramLabel = "NAME", description = "Names of CronWorkflows.")
        List<String> names = new ArrayList<>();

        @Option(names = "--all", description = "All of the namespace.")
        boolean all;

        @Mixin final ServerOptions server = new ServerOptions();

        DeleteCrons(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (names.isEmpty() == !all) {
                throw CommandException.usage("give either names or --all");
            }
            String namespace = server.namespace(surroundings);
            try (ApiClient api = server.connect(surroundings)) {
                CronWorkflows crons = new CronWorkflows(api);
                List<String> chosen =
                        all
                                ? crons.list(namespace, "").stream()
                                        .map(c -> c.path("metadata").path("name").asString(""))
                                        .toList()
                                : names;
                return each(
                        chosen,
                        surroundings,
                        name -> {
                            crons.delete(namespace, name);
                            return "cronworkflow " + name + " deleted";
                        });
            }
        }
    }

    @Command(
            name = "suspend",
            description = "Lets CronWorkflows start nothing until they are resumed.")
    private static final class SuspendCrons implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of CronWorkflows.")
        List<String> names = new ArrayList<>();

        @Mixin final ServerOptions server = new ServerOptions();

        SuspendCrons(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            return suspend(names, true, server, surroundings);
        }
    }

    @Command(
            name = "resume",
            description =
                    "Lets suspended CronWorkflows go on; times that passed meanwhile are not made up for.")
    private static final class ResumeCrons implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of CronWorkflows.")
        List<String> names = new ArrayList<>();

        @Mixin final ServerOptions server = new ServerOptions();

        ResumeCrons(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            return suspend(names, false, server, surroundings);
        }
    }

    private static int suspend(
            List<String> names,
            boolean suspended,
            ServerOptions server,
            Surroundings surroundings) {
        try (ApiClient api = server.connect(surroundings)) {
            return each(
                    names,
                    surroundings,
                    name -> {
                        new CronWorkflows(api)
                                .suspend(server.namespace(surroundings), name, suspended);
                        return "CronWorkflow '%s' %s"
                                .formatted(name, suspended ? "suspended" : "resumed");
                    });
        }
    }

    /** Does something with one of several; gives what to say. */
    private interface Action {
        String on(String name);
    }

    /** One that fails does not keep back the others. */
    private static int each(List<String> names, Surroundings surroundings, Action action) {
        int code = ExitCode.OK;
        for (String name : names) {
            try {
                surroundings.out().println(action.on(name));
            } catch (ApiException e) {
                surroundings.err().println("millrace: " + name + ": " + e.text());
                code = ExitCode.FAILED;
            }
        }
        return code;
    }
}
