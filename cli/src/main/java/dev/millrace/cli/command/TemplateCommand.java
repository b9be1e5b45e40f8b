package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.Templates;
import dev.millrace.cli.view.Table;
import dev.millrace.cli.view.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code template list|get|delete}. */
final class TemplateCommand {

    private TemplateCommand() {}

    static CommandLine of(Surroundings surroundings) {
        return new CommandLine(new Group())
                .addSubcommand(new ListTemplates(surroundings))
                .addSubcommand(new GetTemplates(surroundings))
                .addSubcommand(new DeleteTemplates(surroundings));
    }

    @Command(
            name = "template",
            description = "Shows and deletes WorkflowTemplates; 'apply' makes them.")
    private static final class Group {}

    @Command(name = "list", description = "Lists WorkflowTemplates.")
    private static final class ListTemplates implements Callable<Integer> {

        private final Surroundings surroundings;

        @Option(
                names = {"-A", "--all-namespaces"},
                description = "Those of all namespaces.")
        boolean everywhere;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "name for names only; without it, a table.")
        String output = "";

        @Mixin final ServerOptions server = new ServerOptions();

        ListTemplates(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (!List.of("", "name").contains(output)) {
                throw CommandException.usage(
                        "-o %s: name is expected, or nothing".formatted(output));
            }
            Table table = new Table("NAMESPACE", "NAME", "AGE");
            try (ApiClient api = server.connect(surroundings)) {
                String namespace = everywhere ? "" : server.namespace(surroundings);
                for (JsonNode template : new Templates(api).list(namespace)) {
                    JsonNode metadata = template.path("metadata");
                    if (output.equals("name")) {
                        ObjectPrinter.print(template, output, surroundings);
                    }
                    table.row(
                            metadata.path("namespace").asString(""),
                            metadata.path("name").asString(""),
                            Times.of(metadata.path("creationTimestamp"))
                                    .map(
                                            made ->
                                                    Times.brief(
                                                            Duration.between(
                                                                    made,
                                                                    surroundings
                                                                            .clock()
                                                                            .instant())))
                                    .orElse(""));
                }
            }
            if (output.isEmpty() && table.isEmpty()) {
                surroundings.out().println("No workflow templates found");
            } else if (output.isEmpty()) {
                table.lines().forEach(surroundings.out()::println);
            }
            return ExitCode.OK;
        }
    }

    @Command(name = "get", description = "Shows WorkflowTemplates.")
    private static final class GetTemplates implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of templates.")
        List<String> names = new ArrayList<>();

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "One of yaml (default), json, name.")
        String output = "yaml";

        @Mixin final ServerOptions server = new ServerOptions();

        GetTemplates(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            try (ApiClient api = server.connect(surroundings)) {
                for (String name : names) {
                    ObjectPrinter.print(
                            new Templates(api).get(server.namespace(surroundings), name),
                            output,
                            surroundings);
                }
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "delete",
            description =
                    "Deletes WorkflowTemplates; workflows that run go on with what they have.")
    private static final class DeleteTemplates implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of templates.")
        List<String> names = new ArrayList<>();

        @Mixin final ServerOptions server = new ServerOptions();

        DeleteTemplates(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            int code = ExitCode.OK;
            try (ApiClient api = server.connect(surroundings)) {
                for (String name : names) {
                    try {
                        new Templates(api).delete(server.namespace(surroundings), name);
                        surroundings.out().println("workflowtemplate " + name + " deleted");
                    } catch (ApiException e) {
                        surroundings.err().println("millrace: " + name + ": " + e.text());
                        code = ExitCode.FAILED;
                    }
                }
            }
            return code;
        }
    }
}
