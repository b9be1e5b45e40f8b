package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.schemas.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/** {@code node set}. */
final class NodeCommand {

    private NodeCommand() {}

    static CommandLine of(Surroundings surroundings) {
        return new CommandLine(new Group()).addSubcommand(new SetNode(surroundings));
    }

    @Command(name = "node", description = "Changes nodes of workflows that run.")
    private static final class Group {}

    @Command(
            name = "set",
            description = "Gives suspended steps their outputs, a message, or an end.")
    private static final class SetNode implements Callable<Integer> {

        private final Surroundings surroundings;

        @Parameters(paramLabel = "NAME", description = "Name of a workflow; @latest is the newest.")
        String name = "";

        @Option(
                names = "--node-field-selector",
                paramLabel = "SELECTOR",
                description =
                        "Only the nodes with these fields, such as displayName=approve; without it, all that wait.")
        String nodeFieldSelector = "";

        @Option(
                names = {"-p", "--output-parameter"},
                paramLabel = "NAME=VALUE",
                description = "Give an output parameter its value; may be given several times.")
        Map<String, String> outputs = new LinkedHashMap<>();

        @Option(
                names = {"-m", "--message"},
                paramLabel = "TEXT",
                description = "Show this with the nodes.")
        String message = "";

        @Option(
                names = "--phase",
                paramLabel = "PHASE",
                description = "End them as Succeeded, Failed or Error.")
        String phase = "";

        @Mixin final ServerOptions server = new ServerOptions();

        SetNode(Surroundings surroundings) {
            this.surroundings = surroundings;
        }

        @Override
        public Integer call() {
            if (outputs.isEmpty() && message.isEmpty() && phase.isEmpty()) {
                throw CommandException.usage(
                        "what shall be set? Give --output-parameter, --message or --phase");
            }
            ObjectNode details = WorkflowOrder.details(nodeFieldSelector, message);
            if (!outputs.isEmpty()) {
                details.put("outputParameters", Json.tree(outputs).toString());
            }
            if (!phase.isEmpty()) {
                details.put("phase", phase);
            }
            return WorkflowOrder.each(
                    WorkflowChoice.of(name),
                    "values set",
                    (workflows, namespace, resolved) ->
                            workflows.command(namespace, resolved, "set", details),
                    server,
                    surroundings);
        }
    }
}
