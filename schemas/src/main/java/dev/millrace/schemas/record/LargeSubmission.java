package dev.millrace.schemas.record;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A submission that is too large for one record: its source goes ahead of it, in parts. */
public final class LargeSubmission {

    private LargeSubmission() {}

    /**
     * The commands to send in place of one, in this order and under the same key.
     *
     * @return the command itself unless it is a large submission
     */
    public static List<WorkflowCommand> split(WorkflowCommand command) {
        if (!(command instanceof WorkflowCommand.Submit submit) || !large(submit)) {
            return List.of(command);
        }
        List<String> parts = SourceParts.split(submit.source());
        List<WorkflowCommand> commands = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            commands.add(
                    new WorkflowCommand.SubmitPart(
                            submit.commandId(),
                            submit.namespace(),
                            submit.name(),
                            i,
                            parts.get(i)));
        }
        commands.add(
                new WorkflowCommand.Submit(
                        submit.commandId(),
                        submit.namespace(),
                        submit.name(),
                        submit.uid(),
                        new WorkflowSource(
                                outline(submit.manifest()), Json.object(), Map.of(), null),
                        submit.fromTemplate(),
                        submit.origin(),
                        parts.size()));
        return commands;
    }

    /** The submission whose source went ahead of it. */
    public static WorkflowCommand.Submit join(WorkflowCommand.Submit submit, List<String> parts) {
        return new WorkflowCommand.Submit(
                submit.commandId(),
                submit.namespace(),
                submit.name(),
                submit.uid(),
                SourceParts.join(parts),
                submit.fromTemplate(),
                submit.origin(),
                null);
    }

    private static boolean large(WorkflowCommand.Submit submit) {
        return Json.mapper().writeValueAsBytes(submit).length > SourceParts.LARGEST_VALUE;
    }

    /** What of a manifest says whose it is. */
    public static JsonNode outline(JsonNode manifest) {
        ObjectNode outline = Json.object();
        outline.set("apiVersion", manifest.get("apiVersion"));
        outline.set("kind", manifest.get("kind"));
        outline.set("metadata", manifest.get("metadata"));
        return outline;
    }
}
