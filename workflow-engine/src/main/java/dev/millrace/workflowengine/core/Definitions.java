package dev.millrace.workflowengine.core;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Templates taken apart, as long as the trees that they were made of are in memory. A memory and no
 * state: what it gives depends on the tree alone.
 */
final class Definitions {

    private final Map<Tree, Definition> templates = new HashMap<>();
    private final Map<Tree, Map<String, JsonNode>> byName = new HashMap<>();
    private final ReferenceQueue<JsonNode> gone = new ReferenceQueue<>();

    /** The definition that a template's tree is. */
    synchronized Definition of(JsonNode template) {
        forget();
        return templates.computeIfAbsent(new Tree(template, gone), _ -> new Definition(template));
    }

    /** The templates of a list by name; of two with the same name the first. */
    synchronized Map<String, JsonNode> byName(JsonNode list) {
        forget();
        return byName.computeIfAbsent(
                new Tree(list, gone),
                _ -> {
                    Map<String, JsonNode> all = new HashMap<>();
                    list.forEach(t -> all.putIfAbsent(t.path("name").asString(""), t));
                    return all;
                });
    }

    private void forget() {
        for (Reference<?> r = gone.poll(); r != null; r = gone.poll()) {
            templates.remove(r);
            byName.remove(r);
        }
    }

    /** A tree by identity: comparing trees by content would take longer than what is spared. */
    private static final class Tree extends WeakReference<JsonNode> {
        private final int hash;

        Tree(JsonNode tree, ReferenceQueue<JsonNode> gone) {
            super(tree, gone);
            hash = System.identityHashCode(tree);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Tree tree && get() != null && get() == tree.get());
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
