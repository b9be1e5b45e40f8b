package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.PodSettings;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells a step what the workflow says about all its pods. */
final class StepPods {
    private static final List<String> MEMBERS =
            Arrays.stream(PodSettings.class.getRecordComponents())
                    .map(RecordComponent::getName)
                    .toList();

    private StepPods() {}

    /**
     * What concerns the pod of a step, with tags replaced; null if the workflow says nothing, or
     * the step has no pod.
     */
    static @Nullable PodSettings settings(Transition t, Node node, Called called) {
        if (node.type() != NodeType.POD) {
            return null;
        }
        JsonNode spec = t.workflow().spec();
        ObjectNode said = Json.object();
        for (String member : MEMBERS) {
            if (spec.hasNonNull(member)) {
                said.set(member, spec.get(member));
            }
        }
        return said.isEmpty()
                ? null
                : Json.convert(
                        Calls.replace(said, Calls.variables(t, node, called), Mode.LENIENT),
                        PodSettings.class);
    }
}
