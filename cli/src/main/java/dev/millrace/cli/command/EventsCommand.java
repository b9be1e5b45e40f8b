package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Events;
import dev.millrace.cli.view.EventPicture;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code events list|show}. */
final class EventsCommand {

    private EventsCommand() {}

    static CommandLine of(Surroundings surroundings) {
        return new CommandLine(new Group())
                .addSubcommand(new ListEvents(surroundings))
                .addSubcommand(new ShowEvent(surroundings));
    }

    private static void check(String output) {
        if (!List.of("", "json", "yaml").contains(output)) {
            throw CommandException.usage("-o %s: json or yaml is expected".formatted(output));
        }
    }

    @Command(
            name = "events",
            description = "Shows the events that came in, and what became of them.")
    private static final class Group {}

    @Command(name = "list", description = "Lists events, the newest first.")
    private static final class ListEvents implements Callable<Integer> {

        private final Surroundings surroundings;

        @Option(
                names = {"-A", "--all-namespaces"},
                description = "Those of all namespaces.")
        boolean everywhere;

        @Option(
                names = "--source",
                paramLabel = "NAME",
                description = "Those of this event source only.")
        String source = "";

        @Option(
                names = "--limit",
                paramLabel = "N",
                description = "At most so many; 50 without it.")
        int limit = 50;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "json or yaml; without it, a table.")
        String output = "";

        @Mixin final ServerOptions server = new ServerOptions();

        ListEvents(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (limit < 1) {
                throw CommandException.usage(
                        "--limit %d: a number above zero is expected".formatted(limit));
            }
            check(output);
            try (ApiClient api = server.connect(surroundings)) {
                String namespace = everywhere ? "" : server.namespace(surroundings);
                JsonNode events = new Events(api).list(namespace, source, limit);
                if (!output.isEmpty()) {
                    ObjectPrinter.print(events, output, surroundings);
                } else if (events.isEmpty()) {
                    surroundings.out().println("No events found");
                } else {
                    EventPicture.list(events, surroundings.clock().instant())
                            .forEach(surroundings.out()::println);
                }
            }
            return ExitCode.OK;
        }
    }

    @Command(
            name = "show",
            description =
                    "Shows an event: its data, the decisions about it, the workflows that came of it.")
    private static final class ShowEvent implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(paramLabel = "ID", description = "The event's id, as 'events list' shows it.")
        String id = "";

        @Option(names = "--json", description = "The same as -o json.")
        boolean json;

        @Option(
                names = {"-o", "--output"},
                paramLabel = "FORM",
                description = "json or yaml; without it, for people.")
        String output = "";

        @Mixin final ServerOptions server = new ServerOptions();

        ShowEvent(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            check(output);
            String form = json && output.isEmpty() ? "json" : output;
            try (ApiClient api = server.connect(surroundings)) {
                JsonNode event = new Events(api).get(id);
                if (!form.isEmpty()) {
                    ObjectPrinter.print(event, form, surroundings);
                } else {
                    EventPicture.show(event, surroundings.style())
                            .forEach(surroundings.out()::println);
                }
            }
            return ExitCode.OK;
        }
    }
}
