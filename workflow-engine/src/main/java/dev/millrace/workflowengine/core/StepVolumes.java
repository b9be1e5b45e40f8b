package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.workflow.Template;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Gives a step the volumes of the workflow that its containers mount, beside its template's. */
final class StepVolumes {

    private StepVolumes() {}

    static Template with(Transition t, Node node, Called called) {
        JsonNode body = called.body();
        Set<String> wanted = mounted(body);
        body.path("volumes").forEach(v -> wanted.remove(v.path("name").asString("")));
        if (wanted.isEmpty()) {
            return called.template();
        }
        ObjectNode copy = (ObjectNode) body.deepCopy();
        ArrayNode volumes =
                copy.get("volumes") instanceof ArrayNode own ? own : copy.putArray("volumes");
        for (String name : wanted) {
            JsonNode volume = declared(t, name);
            if (volume != null) {
                volumes.add(Calls.replace(volume, Calls.variables(t, node, called), Mode.LENIENT));
            }
        }
        return Json.convert(copy, Template.class);
    }

    private static @Nullable JsonNode declared(Transition t, String name) {
        JsonNode spec = t.workflow().spec();
        for (JsonNode volume : spec.path("volumes")) {
            if (volume.path("name").asString("").equals(name)) {
                return volume;
            }
        }
        if (!Claims.templates(spec).contains(name)) {
            return null;
        }
        ObjectNode volume = Json.object().put("name", name);
        volume.putObject("persistentVolumeClaim").put("claimName", Claims.name(t.name(), name));
        return volume;
    }

    /** The names of all volumes that some container of the template mounts. */
    private static Set<String> mounted(JsonNode body) {
        Set<String> names = new LinkedHashSet<>();
        for (String one : List.of("container", "script", "containerSet")) {
            add(body.path(one), names);
        }
        body.path("containerSet").path("containers").forEach(c -> add(c, names));
        for (String list : List.of("initContainers", "sidecars")) {
            body.path(list).forEach(c -> add(c, names));
        }
        return names;
    }

    private static void add(JsonNode container, Set<String> names) {
        container.path("volumeMounts").forEach(m -> names.add(m.path("name").asString("")));
    }
}
