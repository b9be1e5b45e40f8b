package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The {@code fields} parameter: a comma list of paths to keep ({@code items.metadata.name}), or,
 * with a minus in front, to leave out ({@code -items.status.nodes}). Lists on the way are passed
 * through.
 */
final class FieldFilter {

    private final boolean exclude;
    private final Branch paths;

    /** A tree of path segments; an empty one stands for everything below. */
    private record Branch(Map<String, Branch> children) {
        Branch() {
            this(new TreeMap<>());
        }

        void add(List<String> path) {
            Branch branch = this;
            for (int i = 0; i < path.size(); i++) {
                Branch known = branch.children.get(path.get(i));
                // A shorter path that is there already keeps all below it.
                if (known != null && known.children.isEmpty()) {
                    return;
                }
                branch = branch.children.computeIfAbsent(path.get(i), _ -> new Branch());
            }
            branch.children.clear();
        }
    }

    private FieldFilter(boolean exclude, Branch paths) {
        this.exclude = exclude;
        this.paths = paths;
    }

    /** Reads the parameter; an empty one keeps everything. */
    static FieldFilter parse(String fields) {
        Branch paths = new Branch();
        boolean exclude = fields.startsWith("-");
        for (String field : (exclude ? fields.substring(1) : fields).split(",", -1)) {
            if (!field.isBlank()) {
                paths.add(new ArrayList<>(List.of(field.strip().split("\\."))));
            }
        }
        return new FieldFilter(exclude, paths);
    }

    /** Whether there is nothing to filter. */
    boolean keepsAll() {
        return paths.children().isEmpty();
    }

    /** The filtered copy of a tree; the tree itself if there is nothing to filter. */
    JsonNode apply(JsonNode tree) {
        if (keepsAll()) {
            return tree;
        }
        return exclude ? without(tree, paths) : with(tree, paths);
    }

    private static JsonNode with(JsonNode tree, Branch branch) {
        if (branch.children().isEmpty()) {
            return tree;
        }
        if (tree.isArray()) {
            ArrayNode kept = Json.mapper().createArrayNode();
            tree.forEach(item -> kept.add(with(item, branch)));
            return kept;
        }
        if (!tree.isObject()) {
            return tree;
        }
        ObjectNode kept = Json.object();
        branch.children()
                .forEach(
                        (name, below) -> {
                            JsonNode member = tree.get(name);
                            if (member != null) {
                                kept.set(name, with(member, below));
                            }
                        });
        return kept;
    }

    private static JsonNode without(JsonNode tree, Branch branch) {
        if (tree.isArray()) {
            ArrayNode kept = Json.mapper().createArrayNode();
            tree.forEach(item -> kept.add(without(item, branch)));
            return kept;
        }
        if (!tree.isObject()) {
            return tree;
        }
        ObjectNode kept = Json.object();
        tree.properties()
                .forEach(
                        member -> {
                            Branch below = branch.children().get(member.getKey());
                            if (below == null) {
                                kept.set(member.getKey(), member.getValue());
                            } else if (!below.children().isEmpty()) {
                                kept.set(member.getKey(), without(member.getValue(), below));
                            }
                        });
        return kept;
    }
}
