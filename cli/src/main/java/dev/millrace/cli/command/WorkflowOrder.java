package dev.millrace.cli.command;

import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.client.ApiClient;
import dev.millrace.cli.client.ApiException;
import dev.millrace.cli.client.Workflows;
import dev.millrace.schemas.Json;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Commands that are given to each of several workflows; one that refuses does not keep back the
 * others.
 */
final class WorkflowOrder {

    /** What is done with one workflow. */
    interface Deed {
        void on(Workflows workflows, String namespace, String name);
    }

    private WorkflowOrder() {}

    /**
     * Gives an order to each of those that are chosen.
     *
     * @param done said of each, behind its name
     */
    static int each(
            WorkflowChoice choice,
            String done,
            Deed deed,
            ServerOptions server,
            Surroundings surroundings) {
        choice.check();
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
            List<String> names = choice.names(workflows, namespace);
            if (names.isEmpty()) {
                surroundings.out().println("No workflows found");
                return ExitCode.OK;
            }
            if (choice.dryRun) {
                for (String name : names) {
                    String resolved = workflows.resolve(namespace, name);
                    surroundings.out().println("workflow " + resolved + " would be " + done);
                }
                return ExitCode.OK;
            }
            return each(names, done, deed, workflows, namespace, surroundings);
        }
    }

    /** Gives an order to each of those that are named. */
    static int each(
            List<String> names,
            String done,
            Deed deed,
            Workflows workflows,
            String namespace,
            Surroundings surroundings) {
        int code = ExitCode.OK;
        for (String name : names) {
            try {
                String resolved = workflows.resolve(namespace, name);
                deed.on(workflows, namespace, resolved);
                surroundings.out().println("workflow " + resolved + " " + done);
            } catch (ApiException e) {
                surroundings.err().println("millrace: " + name + ": " + e.text());
                code = ExitCode.FAILED;
            }
        }
        return code;
    }

    /** The members of a message that say something. */
    static ObjectNode details(String nodeFieldSelector, String message) {
        ObjectNode details = Json.object();
        if (!nodeFieldSelector.isEmpty()) {
            details.put("nodeFieldSelector", nodeFieldSelector);
        }
        if (!message.isEmpty()) {
            details.put("message", message);
        }
        return details;
    }
}
