package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.Times;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Which workflows are meant, by what they are rather than by name. */
final class WorkflowSelection {

    private static final String PHASE = "workflows.argoproj.io/phase";
    private static final String COMPLETED = "workflows.argoproj.io/completed";
    private static final Set<String> PHASES =
            Set.of("Pending", "Running", "Succeeded", "Failed", "Error");

    @Option(
            names = "--status",
            paramLabel = "PHASE,…",
            split = ",",
            description =
                    "Those in one of these phases: Pending, Running, Succeeded, Failed, Error.")
    List<String> phases = new ArrayList<>();

    @Option(names = "--running", description = "Those that have not finished.")
    boolean running;

    @Option(names = "--completed", description = "Those that have finished.")
    boolean completed;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Those with these labels, such as team=a,stage!=test.")
    String selector = "";

    @Option(
            names = "--field-selector",
            paramLabel = "SELECTOR",
            description = "Those with these fields, such as metadata.name=x,status.phase!=Failed.")
    String fieldSelector = "";

    @Option(names = "--prefix", paramLabel = "TEXT", description = "Those whose names begin so.")
    String prefix = "";

    @Option(
            names = "--since",
            paramLabel = "SPAN",
            description = "Those created within this span, such as 2h.")
    String since = "";

    @Option(
            names = "--older",
            paramLabel = "SPAN",
            description = "Those that finished longer ago than this, such as 7d.")
    String older = "";

    /** Whether anything at all was said. */
    boolean isEmpty() {
        return phases.isEmpty()
                && !running
                && !completed
                && selector.isEmpty()
                && fieldSelector.isEmpty()
                && prefix.isEmpty()
                && since.isEmpty()
                && older.isEmpty();
    }

    /** The workflows that fulfil all conditions, in the server's order. */
    List<JsonNode> find(Workflows workflows, String namespace, Instant now) {
        Predicate<JsonNode> fits = condition(now);
        return workflows.list(namespace, labelSelector(), fieldSelector).stream()
                .filter(fits)
                .toList();
    }

    /** {@link #find(Workflows, String, Instant)} with another size of the server's pages. */
    List<JsonNode> find(Workflows workflows, String namespace, Instant now, int page) {
        Predicate<JsonNode> fits = condition(now);
        return workflows.list(namespace, labelSelector(), fieldSelector, page).stream()
                .filter(fits)
                .toList();
    }

    String labelSelector() {
        if (running && completed) {
            throw CommandException.usage(
                    "--running and --completed exclude each other; give one of them");
        }
        for (String phase : phases) {
            if (!PHASES.contains(phase)) {
                throw CommandException.usage(
                        "--status %s: Pending, Running, Succeeded, Failed or Error is expected"
                                .formatted(phase));
            }
        }
        return Stream.of(
                        phases.isEmpty() ? "" : PHASE + " in (" + String.join(",", phases) + ")",
                        running ? COMPLETED + "!=true" : "",
                        completed ? COMPLETED + "=true" : "",
                        selector)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(","));
    }

    /** What the server does not look at. */
    private Predicate<JsonNode> condition(Instant now) {
        Instant earliest = since.isEmpty() ? Instant.MIN : now.minus(Spans.parse("--since", since));
        Instant latest = older.isEmpty() ? Instant.MAX : now.minus(Spans.parse("--older", older));
        return workflow -> {
            JsonNode metadata = workflow.path("metadata");
            Instant created = Times.of(metadata.path("creationTimestamp")).orElse(Instant.MIN);
            Instant finished =
                    Times.of(workflow.path("status").path("finishedAt")).orElse(Instant.MAX);
            return metadata.path("name").asString("").startsWith(prefix)
                    && !created.isBefore(earliest)
                    && (older.isEmpty() || finished.isBefore(latest));
        };
    }
}
