package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Whether the core and the model say the same of every node, and of the workflow. */
final class Agreement {
    private Agreement() {}

    /** What differs, the core's side first; empty if nothing does. */
    static List<String> differences(InMemoryWorkflow core, SlowTree model) {
        List<String> differences = new ArrayList<>();
        Map<String, Face> ours = faces(core);
        Map<String, Face> theirs = new TreeMap<>();
        model.spots().forEach(s -> theirs.put(s.name(), Face.of(s)));
        if (!ours.equals(theirs)) {
            TreeSet<String> names = new TreeSet<>(ours.keySet());
            names.addAll(theirs.keySet());
            for (String name : names) {
                differ(differences, ours.get(name), theirs.get(name));
            }
        }
        differ(
                differences,
                head(Objects.requireNonNull(core.head())),
                model.root.phase() + " " + (model.root.done() ? model.root.message() : null));
        return differences;
    }

    private static void differ(
            List<String> differences, @Nullable Object core, @Nullable Object model) {
        if (!Objects.equals(core, model)) {
            differences.add("core:  %s%nmodel: %s".formatted(core, model));
        }
    }

    /** What is compared of each node, by name. */
    static Map<String, Face> faces(InMemoryWorkflow core) {
        Map<String, Face> faces = new TreeMap<>();
        for (String id : core.nodes()) {
            Node node = Objects.requireNonNull(core.node(id));
            faces.put(node.name(), Face.of(core, node));
        }
        return faces;
    }

    private static String head(WorkflowHead head) {
        WorkflowPhase phase = head.phase() == null ? WorkflowPhase.PENDING : head.phase();
        return phase + " " + (phase.finished() ? head.message() : null);
    }
}
