package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.Query;
import dev.millrace.cli.client.Workflows;
import dev.millrace.cli.view.Style;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "logs", description = "Shows what the steps of a workflow printed, by time.")
final class LogsCommand implements Callable<Integer> {

    private final Surroundings surroundings;

    @Parameters(
            index = "0",
            paramLabel = "WORKFLOW",
            description = "The workflow's name; @latest is the newest.")
    String workflow = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "POD",
            description = "One step only, by the PODNAME that 'millrace get' shows.")
    String pod = "";

    @Option(
            names = {"-f", "--follow"},
            description = "Go on until the workflow ends.")
    boolean follow;

    @Option(names = "--tail", paramLabel = "N", description = "The last lines of each step only.")
    @Nullable Integer tail;

    @Option(
            names = "--since",
            paramLabel = "SPAN",
            description = "Lines of this span before now only, such as 10m.")
    String since = "";

    @Option(
            names = "--since-time",
            paramLabel = "TIME",
            description = "Lines from this time on only, such as 2026-01-31T12:00:00Z.")
    @Nullable Instant sinceTime;

    @Option(
            names = "--timestamps",
            description = "With the time of each line, to about a tenth of a second.")
    boolean timestamps;

    @Option(names = "--grep", paramLabel = "REGEXP", description = "Lines that match only.")
    String grep = "";

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Steps with these labels only.")
    String selector = "";

    @Option(
            names = {"-c", "--container"},
            paramLabel = "NAME",
            description =
                    "The container of the steps: main, or one of a container set, an init container, a sidecar.")
    String container = "main";

    // Known from argo; refused with the reason, which an unknown option would not give.
    @Option(
            names = {"-p", "--previous"},
            hidden = true)
    boolean previous;

    @Option(names = "--no-color", description = "Without colours on a terminal too.")
    boolean noColour;

    @Mixin final ServerOptions server = new ServerOptions();

    LogsCommand(Surroundings surroundings) {
        this.surroundings = surroundings;
    }

    @Override
    public Integer call() {
        if (tail != null && tail < 0) {
            throw CommandException.usage(
                    "--tail " + tail + ": a number that is not negative is expected");
        }
        if (!since.isEmpty() && sinceTime != null) {
            throw CommandException.usage("--since and --since-time: one of them is enough");
        }
        if (previous) {
            throw CommandException.usage(
                    "--previous: every try of a step is a pod of its own; name it, as 'millrace get' shows it");
        }
        Query query =
                Query.none()
                        .with("logOptions.container", container)
                        .with("logOptions.tailLines", tail == null ? "" : Integer.toString(tail))
                        .with(
                                "logOptions.sinceSeconds",
                                since.isEmpty()
                                        ? ""
                                        : Long.toString(Spans.parse("--since", since).toSeconds()))
                        .with("logOptions.sinceTime", sinceTime == null ? "" : sinceTime.toString())
                        .with("logOptions.timestamps", timestamps)
                        .with("grep", grep)
                        .with("selector", selector);
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
            LogLines lines =
                    new LogLines(surroundings, noColour ? Style.PLAIN : surroundings.style());
            String name = workflows.resolve(namespace, workflow);
            if (follow) {
                workflows.followLogs(namespace, name, pod, query, lines::print);
            } else {
                workflows.logs(namespace, name, pod, query, lines::print);
            }
        }
        return ExitCode.OK;
    }
}
