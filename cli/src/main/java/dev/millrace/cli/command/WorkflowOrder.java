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
     * @param done said of each, behind its name
     */
    static int each(
            List<String> names,
            String done,
            Deed deed,
            ServerOptions server,
            Surroundings surroundings) {
        int code = ExitCode.OK;
        try (ApiClient api = server.connect(surroundings)) {
            Workflows workflows = new Workflows(api);
            String namespace = server.namespace(surroundings);
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
