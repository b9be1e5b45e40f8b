package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge of a patch into a pod's spec, by the merge keys that the Kubernetes API publishes
 * for it. Lists without a merge key are replaced as a whole.
 */
final class StrategicMerge {
    private static final String PATCH = "$patch";
    private static final String RETAIN = "$retainKeys";
    private static final String ORDER = "$setElementOrder/";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList/";

    /** What keeps the items of a list apart: by the list's place, containers being the same. */
    private static final Map<String, String> MERGE_KEYS =
            Map.ofEntries(
                    Map.entry("containers", "name"),
                    Map.entry("initContainers", "name"),
                    Map.entry("ephemeralContainers", "name"),
                    Map.entry("volumes", "name"),
                    Map.entry("imagePullSecrets", "name"),
                    Map.entry("resourceClaims", "name"),
                    Map.entry("schedulingGates", "name"),
                    Map.entry("hostAliases", "ip"),
                    Map.entry("topologySpreadConstraints", "topologyKey"),
                    Map.entry("containers.env", "name"),
                    Map.entry("containers.ports", "containerPort"),
                    Map.entry("containers.volumeMounts", "mountPath"),
                    Map.entry("containers.volumeDevices", "devicePath"));

    private StrategicMerge() {}

    /**
     * The spec with a patch laid on.
     *
     * @param spec of a pod; not changed
     * @throws StepRefusedException naming the place where the patch cannot be understood
     */
    static ObjectNode apply(ObjectNode spec, ObjectNode patch) throws StepRefusedException {
        return merge(spec.deepCopy(), patch, "");
    }

    private static ObjectNode merge(ObjectNode original, ObjectNode patch, String at)
            throws StepRefusedException {
        if (patch.has(PATCH)) {
            String directive = patch.path(PATCH).asString("");
            return switch (directive) {
                case "replace" -> (ObjectNode) plain(patch);
                case "delete" -> original.objectNode();
                case "merge" -> members(original, patch, at);
                default -> throw unknown(directive, at);
            };
        }
        return members(original, patch, at);
    }

    private static ObjectNode members(ObjectNode original, ObjectNode patch, String at)
            throws StepRefusedException {
        retain(original, patch, at);
        for (Map.Entry<String, JsonNode> entry : patch.properties()) {
            String name = entry.getKey();
            JsonNode value = entry.getValue();
            if (name.startsWith(DELETE_FROM)) {
                deleteFrom(original.path(name.substring(DELETE_FROM.length())), value);
            } else if (!name.startsWith(ORDER) && !name.equals(RETAIN) && !name.equals(PATCH)) {
                member(original, name, value, at.isEmpty() ? name : at + "." + name);
            }
        }
        return original;
    }

    private static void member(ObjectNode original, String name, JsonNode value, String at)
            throws StepRefusedException {
        JsonNode old = original.get(name);
        if (value.isNull()) {
            original.remove(name);
        } else if (value instanceof ObjectNode more) {
            original.set(name, old instanceof ObjectNode map ? merge(map, more, at) : plain(more));
        } else if (value instanceof ArrayNode more) {
            String key = MERGE_KEYS.get(place(at));
            ArrayNode list = old instanceof ArrayNode known ? known : more.arrayNode();
            original.set(name, key == null ? plain(more) : list(list, more, key, at));
        } else {
            original.set(name, value);
        }
    }

    private static String place(String at) {
        return at.replaceAll("\\[[^]]*]", "")
                .replaceFirst("^(initC|ephemeralC)ontainers\\.", "containers.");
    }

    private static void retain(ObjectNode original, ObjectNode patch, String at)
            throws StepRefusedException {
        JsonNode keys = patch.get(RETAIN);
        if (keys == null) {
            return;
        }
        Set<String> kept = new HashSet<>();
        keys.forEach(key -> kept.add(key.asString("")));
        for (String name : patch.propertyNames()) {
            if (!name.startsWith("$") && !kept.contains(name)) {
                throw new StepRefusedException(
                        "podSpecPatch: %s sets %s, which its $retainKeys does not name"
                                .formatted(at.isEmpty() ? "the spec" : at, name));
            }
        }
        original.retain(kept);
    }

    private static void deleteFrom(JsonNode list, JsonNode values) {
        if (list instanceof ArrayNode known) {
            Set<JsonNode> gone = new HashSet<>();
            values.forEach(gone::add);
            known.removeIf(gone::contains);
        }
    }

    private static ArrayNode list(ArrayNode original, ArrayNode patch, String key, String at)
            throws StepRefusedException {
        List<ObjectNode> items = new ArrayList<>();
        Set<JsonNode> deleted = new HashSet<>();
        boolean replace = false;
        for (JsonNode element : patch) {
            if (!(element instanceof ObjectNode item)) {
                throw new StepRefusedException("podSpecPatch: %s must hold objects".formatted(at));
            }
            String directive = item.path(PATCH).asString("");
            switch (directive) {
                case "" -> items.add(keyed(item, key, at));
                case "merge" -> {
                    ObjectNode copy = item.deepCopy();
                    copy.remove(PATCH);
                    items.add(keyed(copy, key, at));
                }
                case "delete" -> deleted.add(keyed(item, key, at).get(key));
                case "replace" -> {
                    replace = true;
                    if (item.hasNonNull(key)) {
                        items.add((ObjectNode) plain(item));
                    }
                }
                default -> throw unknown(directive, at);
            }
        }
        List<JsonNode> kept = new ArrayList<>();
        if (!replace) {
            original.forEach(kept::add);
            kept.removeIf(old -> deleted.contains(old.get(key)));
        }
        return merged(kept, items, key, at);
    }

    /**
     * The order is that of the API's own merge: what is new comes in front, what was there keeps
     * its place among the others, and patched items stand in the order of the patch.
     */
    private static ArrayNode merged(
            List<JsonNode> kept, List<ObjectNode> items, String key, String at)
            throws StepRefusedException {
        ArrayNode result = Json.mapper().createArrayNode();
        Set<JsonNode> patched = new HashSet<>();
        items.forEach(item -> patched.add(item.get(key)));
        List<JsonNode> others = new ArrayList<>(kept);
        others.removeIf(old -> patched.contains(old.get(key)));
        int next = 0;
        for (ObjectNode item : items) {
            int old = indexOf(kept, item.get(key), key);
            while (old >= 0 && next < others.size() && kept.indexOf(others.get(next)) < old) {
                result.add(others.get(next++));
            }
            String name = "%s[%s]".formatted(at, item.get(key).asString(""));
            result.add(
                    old >= 0 && kept.get(old) instanceof ObjectNode before
                            ? merge(before, item, name)
                            : plain(item));
        }
        while (next < others.size()) {
            result.add(others.get(next++));
        }
        return result;
    }

    private static int indexOf(List<JsonNode> list, JsonNode value, String key) {
        for (int i = 0; i < list.size(); i++) {
            if (value.equals(list.get(i).get(key))) {
                return i;
            }
        }
        return -1;
    }

    private static ObjectNode keyed(ObjectNode item, String key, String at)
            throws StepRefusedException {
        @Nullable JsonNode value = item.get(key);
        if (value == null || value.isNull()) {
            throw new StepRefusedException(
                    "podSpecPatch: each item of %s needs a %s, by which it is found"
                            .formatted(at, key));
        }
        return item;
    }

    /** Without directives, and without what is to be taken away. */
    private static JsonNode plain(JsonNode value) {
        if (value instanceof ObjectNode map) {
            ObjectNode copy = map.objectNode();
            map.properties()
                    .forEach(
                            e -> {
                                if (!e.getKey().startsWith("$") && !e.getValue().isNull()) {
                                    copy.set(e.getKey(), plain(e.getValue()));
                                }
                            });
            return copy;
        }
        if (value instanceof ArrayNode list) {
            ArrayNode copy = list.arrayNode();
            for (JsonNode item : list) {
                if (!"delete".equals(item.path(PATCH).asString(""))) {
                    copy.add(plain(item));
                }
            }
            return copy;
        }
        return value;
    }

    private static StepRefusedException unknown(String directive, String at) {
        return new StepRefusedException(
                "podSpecPatch: %s: $patch must be replace, merge or delete, not '%s'"
                        .formatted(at.isEmpty() ? "the spec" : at, directive));
    }
}
