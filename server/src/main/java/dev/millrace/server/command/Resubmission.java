package dev.millrace.server.command;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.state.WorkflowState;
import dev.millrace.workflowengine.submission.DoneSteps;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A new workflow from the manifest of an old one. */
public final class Resubmission {

    private static final String PREFIX = "workflows.argoproj.io/";

    /** Labels that belong to the old run. */
    private static final Set<String> NOT_COPIED =
            Set.of(PREFIX + "phase", PREFIX + "completed", PREFIX + "workflow-archiving-status");

    private Resubmission() {}

    /**
     * The manifest to submit.
     *
     * @param workflow the old workflow as clients see it
     * @param parameters {@code name=value} texts that replace its arguments
     */
    public static ObjectNode of(ObjectNode workflow, JsonNode parameters) {
        ObjectNode again = Json.object();
        again.put("apiVersion", workflow.path("apiVersion").asString(""));
        again.put("kind", workflow.path("kind").asString(""));
        JsonNode old = workflow.path("metadata");
        String name = old.path("name").asString("");
        ObjectNode metadata = again.putObject("metadata");
        metadata.put("generateName", old.path("generateName").asString(name + "-"));
        metadata.put("namespace", old.path("namespace").asString(""));
        ObjectNode labels = metadata.putObject("labels");
        old.path("labels")
                .properties()
                .forEach(
                        label -> {
                            if (!NOT_COPIED.contains(label.getKey())
                                    && !label.getKey().startsWith(PREFIX + "creator")) {
                                labels.set(label.getKey(), label.getValue());
                            }
                        });
        labels.put(PREFIX + "resubmitted-from-workflow", name);
        ObjectNode annotations = metadata.putObject("annotations");
        old.path("annotations")
                .properties()
                .forEach(
                        annotation -> {
                            if (!annotation.getKey().startsWith(PREFIX)) {
                                annotations.set(annotation.getKey(), annotation.getValue());
                            }
                        });
        ObjectNode spec = workflow.path("spec").deepCopy().asObject();
        spec.remove(List.of("shutdown", "suspend"));
        again.set("spec", spec);
        setParameters(spec, parameters);
        return again;
    }

    /**
     * The steps that a memoized resubmit need not run.
     *
     * @throws RefusedException unless the workflow failed
     */
    public static Map<String, Carried> done(WorkflowState workflow) {
        WorkflowHead head = workflow.head();
        WorkflowPhase phase = head == null ? null : head.phase();
        if (phase != WorkflowPhase.FAILED && phase != WorkflowPhase.ERROR) {
            throw new RefusedException(
                    RefusedException.Code.FAILED_PRECONDITION,
                    "workflow must be Failed/Error to resubmit in memoized mode; it is "
                            + (phase == null ? "Pending" : phase.text())
                            + ". Resubmit it without memoized to run all steps");
        }
        return DoneSteps.of(workflow);
    }

    /** {@code name=value} texts as a map. */
    public static Map<String, String> parameters(Iterable<String> texts) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : texts) {
            int equals = pair.indexOf('=');
            if (equals <= 0) {
                throw RefusedException.invalid("parameter '" + pair + "': name=value is expected");
            }
            parameters.put(pair.substring(0, equals), pair.substring(equals + 1));
        }
        return parameters;
    }

    /** The texts of a JSON list. */
    public static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(text -> texts.add(text.asString("")));
        return texts;
    }

    /**
     * Puts {@code name=value} texts into a spec's arguments.
     *
     * @throws RefusedException if one is no {@code name=value}
     */
    static void setParameters(ObjectNode spec, JsonNode texts) {
        parameters(texts(texts)).forEach((name, value) -> setParameter(spec, name, value));
    }

    private static void setParameter(ObjectNode spec, String name, String value) {
        ObjectNode arguments =
                spec.path("arguments") instanceof ObjectNode a ? a : spec.putObject("arguments");
        ArrayNode parameters =
                arguments.path("parameters") instanceof ArrayNode p
                        ? p
                        : arguments.putArray("parameters");
        for (JsonNode parameter : parameters) {
            if (parameter instanceof ObjectNode known
                    && known.path("name").asString("").equals(name)) {
                known.remove("valueFrom");
                known.put("value", value);
                return;
            }
        }
        parameters.addObject().put("name", name).put("value", value);
    }
}
