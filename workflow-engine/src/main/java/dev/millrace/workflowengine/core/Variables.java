package dev.millrace.workflowengine.core;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.tag.Lookup;
import dev.millrace.expressions.tag.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The variables of one stage of substitution: layers, of which the later ones come first. */
final class Variables implements Scope {
    static final Lookup MISSING = new Lookup.Missing();

    /** A group of variables. */
    interface Layer {
        Lookup lookup(String name);

        /**
         * The variables below a top-level name as nested maps for expressions, or null if the layer
         * has none there.
         */
        @Nullable Map<String, @Nullable Object> root(String root);

        /** The artifact of this name, or null; it need not have a place. */
        default @Nullable ObjectNode artifact(String name) {
            return null;
        }

        /** The functions of expressions, if the layer has a say in them. */
        default @Nullable ExprOptions options() {
            return null;
        }
    }

    private final List<Layer> layers;

    private Variables(List<Layer> layers) {
        this.layers = layers;
    }

    static Variables of(Layer... layers) {
        return new Variables(List.of(layers));
    }

    Variables with(Layer layer) {
        List<Layer> more = new ArrayList<>(layers);
        more.add(layer);
        return new Variables(List.copyOf(more));
    }

    @Override
    public Lookup lookup(String name) {
        for (int i = layers.size() - 1; i >= 0; i--) {
            Lookup found = layers.get(i).lookup(name);
            if (!(found instanceof Lookup.Missing)) {
                return found;
            }
        }
        return MISSING;
    }

    /** The artifact that a reference means, or null if there is none. */
    @Nullable ObjectNode artifact(String name) {
        for (int i = layers.size() - 1; i >= 0; i--) {
            ObjectNode found = layers.get(i).artifact(name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    @Override
    public ExprOptions options() {
        for (Layer layer : layers) {
            ExprOptions options = layer.options();
            if (options != null) {
                return options;
            }
        }
        throw new IllegalStateException("every stage has the variables of the workflow");
    }

    @Override
    public Environment environment() {
        return new Environment() {
            @Override
            public boolean has(String name) {
                return layers.stream().anyMatch(l -> l.root(name) != null);
            }

            @Override
            public @Nullable Object get(String name) {
                List<Map<String, @Nullable Object>> roots = new ArrayList<>();
                for (Layer layer : layers) {
                    Map<String, @Nullable Object> root = layer.root(name);
                    if (root != null) {
                        roots.add(root);
                    }
                }
                if (roots.isEmpty()) {
                    return null;
                }
                Map<String, @Nullable Object> all = LateMap.merged(roots);
                // A name without a dot is its root's value.
                return all.containsKey("") && all.size() == 1 ? all.get("") : all;
            }
        };
    }

    /**
     * A layer of flat names; for expressions the dots become nested maps. A name without a dot is
     * its root's value.
     */
    static final class Flat implements Layer {
        private final Map<String, String> flat;
        private @Nullable Map<String, Map<String, @Nullable Object>> roots;

        Flat(Map<String, String> flat) {
            this.flat = flat;
        }

        @Override
        public Lookup lookup(String name) {
            String value = flat.get(name);
            return value == null ? MISSING : new Lookup.Value(value);
        }

        @Override
        public @Nullable Map<String, @Nullable Object> root(String root) {
            if (roots == null) {
                roots = nest();
            }
            return roots.get(root);
        }

        private Map<String, Map<String, @Nullable Object>> nest() {
            Map<String, Map<String, @Nullable Object>> all = new LinkedHashMap<>();
            flat.forEach(
                    (name, value) -> {
                        String[] parts = name.split("\\.", -1);
                        Map<String, @Nullable Object> at =
                                all.computeIfAbsent(parts[0], _ -> new LinkedHashMap<>());
                        if (parts.length == 1) {
                            at.put("", value);
                            return;
                        }
                        for (int i = 1; i < parts.length - 1; i++) {
                            at = child(at, parts[i]);
                        }
                        // A name that is also the prefix of longer ones gives way to them.
                        at.putIfAbsent(parts[parts.length - 1], value);
                    });
            return all;
        }

        @SuppressWarnings("unchecked") // Maps below a root were made here.
        private static Map<String, @Nullable Object> child(
                Map<String, @Nullable Object> parent, String key) {
            if (parent.get(key) instanceof Map<?, ?> known) {
                return (Map<String, @Nullable Object>) known;
            }
            Map<String, @Nullable Object> made = new LinkedHashMap<>();
            parent.put(key, made);
            return made;
        }
    }
}
