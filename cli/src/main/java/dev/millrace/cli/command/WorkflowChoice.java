package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.client.Workflows;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The workflows that an order is given to: by name, or by what they are. */
final class WorkflowChoice {

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "Names of workflows; @latest is the newest.")
    List<String> names = new ArrayList<>();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description =
                    "All that have not finished with these labels, such as team=a,stage!=test.")
    String selector = "";

    @Option(
            names = "--field-selector",
            paramLabel = "SELECTOR",
            description =
                    "All that have not finished with these fields, such as metadata.name=x,status.phase=Running.")
    String fieldSelector = "";

    @Option(names = "--dry-run", description = "Only say which would be meant.")
    boolean dryRun;

    /** Refuses a choice of nothing, and one by both ways. */
    void check() {
        boolean selects = !selector.isEmpty() || !fieldSelector.isEmpty();
        if (names.isEmpty() && !selects) {
            throw CommandException.usage(
                    "which workflows? Give their names, or a selector with -l or --field-selector");
        }
        if (!names.isEmpty() && selects) {
            throw CommandException.usage("give either names or a selector, not both");
        }
    }

    /** The names of those that are meant; {@code @latest} as it is. */
    List<String> names(Workflows workflows, String namespace) {
        if (!names.isEmpty()) {
            return names;
        }
        String unfinished = "workflows.argoproj.io/completed!=true";
        return workflows
                .list(
                        namespace,
                        selector.isEmpty() ? unfinished : unfinished + "," + selector,
                        fieldSelector)
                .stream()
                .map(workflow -> workflow.path("metadata").path("name").asString(""))
                .toList();
    }
}
