package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Lookup;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The variables {@code steps.<name>.*} or {@code tasks.<name>.*}: what the other members of a Steps
 * or DAG node gave. They are looked up node by node when a text asks for them.
 */
final class SiblingVariables implements Variables.Layer {

    /** Finds the nodes behind the names of steps or tasks. */
    interface Siblings {
        /** The names that may be referred to. */
        Collection<String> names();

        /** The node of this name (for a loop in steps its group), or null if there is none yet. */
        @Nullable Node node(String name);

        /** The members of a loop, or null if the name is no loop. */
        @Nullable List<Node> members(String name);
    }

    private static final String OUTPUT_PARAMETER = "outputs.parameters.";
    private static final String OUTPUT_ARTIFACT = ".outputs.artifacts.";

    private final Transition transition;
    private final String prefix;
    private final Siblings siblings;

    /**
     * @param prefix {@code steps} or {@code tasks}
     */
    SiblingVariables(Transition transition, String prefix, Siblings siblings) {
        this.transition = transition;
        this.prefix = prefix;
        this.siblings = siblings;
    }

    @Override
    public Lookup lookup(String name) {
        if (!name.startsWith(prefix + ".")) {
            return Variables.MISSING;
        }
        String rest = name.substring(prefix.length() + 1);
        int dot = rest.indexOf('.');
        if (dot < 0) {
            return Variables.MISSING;
        }
        String sibling = rest.substring(0, dot);
        String field = rest.substring(dot + 1);
        Node node = siblings.node(sibling);
        if (node == null) {
            return new Lookup.NotYet(name);
        }
        List<Node> members = field.startsWith("outputs.") ? siblings.members(sibling) : null;
        if (members != null) {
            String text = aggregate(members, field);
            return text == null ? new Lookup.NotYet(name) : new Lookup.Value(text);
        }
        return field(name, node, field);
    }

    private Lookup field(String name, Node node, String field) {
        Outputs outputs = node.outputs();
        String value =
                switch (field) {
                    case "id" -> node.id();
                    case "status" -> node.phase().text();
                    case "startedAt" -> text(node.startedAt());
                    case "finishedAt" -> node.finishedAt() == null ? null : text(node.finishedAt());
                    case "hostNodeName" -> node.hostNodeName();
                    case "ip" -> node.daemon() == null ? null : node.daemon().address();
                    case "exitCode" -> outputs == null ? null : outputs.exitCode();
                    case "outputs.result" -> outputs == null ? null : outputs.result();
                    default ->
                            field.startsWith(OUTPUT_PARAMETER) ? parameter(outputs, field) : null;
                };
        if (value != null) {
            return new Lookup.Value(value);
        }
        if (neverRan(node)) {
            if (field.startsWith(OUTPUT_PARAMETER)) {
                String byDefault =
                        declaredDefault(node, field.substring(OUTPUT_PARAMETER.length()));
                return byDefault == null ? new Lookup.Absent(name) : new Lookup.Value(byDefault);
            }
            if (field.startsWith("outputs.")) {
                return new Lookup.Absent(name);
            }
        }
        return new Lookup.NotYet(name);
    }

    /**
     * What a sibling stored. Nothing is there of a loop. A step that was skipped has its declared
     * artifacts without a place; of a skipped task there is nothing.
     */
    @Override
    public @Nullable ObjectNode artifact(String name) {
        int outputs = name.indexOf(OUTPUT_ARTIFACT);
        if (!name.startsWith(prefix + ".") || outputs < 0) {
            return null;
        }
        String sibling =
                name.substring(prefix.length() + 1, Math.max(outputs, prefix.length() + 1));
        String wanted = name.substring(outputs + OUTPUT_ARTIFACT.length());
        Node node = siblings.node(sibling);
        return node == null || siblings.members(sibling) != null
                ? null
                : artifacts(node).get(wanted);
    }

    private Map<String, ObjectNode> artifacts(Node node) {
        Map<String, ObjectNode> all = new LinkedHashMap<>();
        if (node.outputs() != null) {
            node.outputs().artifacts().forEach(a -> all.put(a.name(), (ObjectNode) Json.tree(a)));
        } else if (neverRan(node) && prefix.equals("steps")) {
            for (JsonNode declared : declaredOutputs(node, "artifacts")) {
                all.put(declared.path("name").asString(""), Json.object());
            }
        }
        return all;
    }

    private static boolean neverRan(Node node) {
        return node.phase() == NodePhase.SKIPPED || node.phase() == NodePhase.OMITTED;
    }

    private static @Nullable String parameter(@Nullable Outputs outputs, String field) {
        if (outputs == null) {
            return null;
        }
        String wanted = field.substring(OUTPUT_PARAMETER.length());
        for (Parameter p : outputs.parameters()) {
            if (p.name().equals(wanted) && p.value() != null) {
                return p.value().text();
            }
        }
        return null;
    }

    /** The default of an output parameter that the node's template declares. */
    private @Nullable String declaredDefault(Node node, String parameter) {
        for (JsonNode declared : declaredOutputs(node, "parameters")) {
            if (declared.path("name").asString("").equals(parameter)) {
                JsonNode value = declared.path("valueFrom").path("default");
                return value.isMissingNode() || value.isNull() ? null : Scalar.of(value).text();
            }
        }
        return null;
    }

    private JsonNode declaredOutputs(Node node, String kind) {
        Workflow.Resolution resolution =
                transition.workflow().resolve(node.templateScope(), Calls.use(node));
        return resolution instanceof Workflow.Resolution.Found(var body, _)
                ? body.path("outputs").path(kind)
                : Json.mapper().missingNode();
    }

    /**
     * Results and parameters of a loop: JSON lists over the members that succeeded, in order of
     * index.
     */
    private static @Nullable String aggregate(List<Node> members, String field) {
        // A skipped one with outputs was done by an earlier workflow.
        List<Node> succeeded =
                members.stream()
                        .filter(
                                n ->
                                        n.phase() == NodePhase.SUCCEEDED
                                                || (neverRan(n) && n.outputs() != null))
                        .toList();
        ArrayNode list = Json.mapper().createArrayNode();
        if (field.equals("outputs.result")) {
            for (Node node : succeeded) {
                String result = node.outputs() == null ? null : node.outputs().result();
                if (result != null) {
                    try {
                        list.add(Json.mapper().readTree(result));
                    } catch (JacksonException e) {
                        throw new CallException(
                                "the result of "
                                        + node.displayName()
                                        + " is not JSON, so the results of the loop cannot become a list"
                                        + " (print plain words in quotes): "
                                        + e.getOriginalMessage());
                    }
                }
            }
            return list.toString();
        }
        if (field.equals("outputs.parameters")) {
            for (Node node : succeeded) {
                ObjectNode values = Json.object();
                if (node.outputs() != null) {
                    node.outputs()
                            .parameters()
                            .forEach(
                                    p ->
                                            values.put(
                                                    p.name(),
                                                    p.value() == null ? "" : p.value().text()));
                }
                list.add(values);
            }
            return list.toString();
        }
        if (!field.startsWith(OUTPUT_PARAMETER)) {
            return null;
        }
        List<String> values =
                succeeded.stream()
                        .map(n -> parameter(n.outputs(), field))
                        .filter(v -> v != null)
                        .toList();
        List<JsonNode> parsed =
                values.stream().map(SiblingVariables::container).filter(v -> v != null).toList();
        if (parsed.size() == values.size()) {
            parsed.forEach(list::add);
        } else {
            values.forEach(list::add);
        }
        return list.toString();
    }

    private static @Nullable JsonNode container(String text) {
        try {
            JsonNode tree = Json.mapper().readTree(text);
            return tree.isContainer() ? tree : null;
        } catch (JacksonException e) {
            return null; // Plain text: the whole list then stays text.
        }
    }

    @Override
    public @Nullable Map<String, @Nullable Object> root(String root) {
        if (!root.equals(prefix)) {
            return null;
        }
        return new LateMap() {
            private final Map<String, Map<String, @Nullable Object>> known = new HashMap<>();

            @Override
            boolean has(String name) {
                return siblings.names().contains(name) && siblings.node(name) != null;
            }

            @Override
            @Nullable Object value(String name) {
                Map<String, @Nullable Object> view = known.get(name);
                Node node = view == null && has(name) ? siblings.node(name) : null;
                if (node != null) {
                    view = view(name, node);
                    known.put(name, view);
                }
                return view;
            }

            @Override
            Iterable<String> names() {
                return siblings.names();
            }
        };
    }

    private Map<String, @Nullable Object> view(String name, Node node) {
        Map<String, @Nullable Object> view = new LinkedHashMap<>();
        Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
        Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
        view.put("id", node.id());
        view.put("status", node.phase().text());
        view.put("startedAt", text(node.startedAt()));
        if (node.finishedAt() != null) {
            view.put("finishedAt", text(node.finishedAt()));
        }
        if (node.daemon() != null) {
            view.put("ip", node.daemon().address());
        }
        List<Node> members = siblings.members(name);
        if (members != null) {
            outputs.put("result", aggregate(members, "outputs.result"));
            members.stream()
                    .filter(m -> m.outputs() != null)
                    .flatMap(m -> m.outputs().parameters().stream())
                    .map(Parameter::name)
                    .distinct()
                    .forEach(p -> parameters.put(p, aggregate(members, OUTPUT_PARAMETER + p)));
        } else if (neverRan(node) && node.outputs() == null) {
            outputs.put("result", null);
            for (JsonNode declared : declaredOutputs(node, "parameters")) {
                String parameter = declared.path("name").asString("");
                parameters.put(parameter, declaredDefault(node, parameter));
            }
        } else if (node.outputs() != null) {
            if (node.outputs().exitCode() != null) {
                view.put("exitCode", node.outputs().exitCode());
            }
            if (node.outputs().result() != null) {
                outputs.put("result", node.outputs().result());
            }
            node.outputs()
                    .parameters()
                    .forEach(
                            p ->
                                    parameters.put(
                                            p.name(), p.value() == null ? null : p.value().text()));
        }
        if (!parameters.isEmpty()) {
            outputs.put("parameters", parameters);
        }
        if (members == null) {
            Map<String, @Nullable Object> artifacts = new LinkedHashMap<>();
            artifacts(node).forEach((a, tree) -> artifacts.put(a, ArtifactReferences.value(tree)));
            if (!artifacts.isEmpty()) {
                outputs.put("artifacts", artifacts);
            }
        }
        if (!outputs.isEmpty()) {
            view.put("outputs", outputs);
        }
        return view;
    }

    private static String text(Instant instant) {
        return DateTimeFormatter.ISO_INSTANT.format(instant.truncatedTo(ChronoUnit.SECONDS));
    }

    /** The siblings of a Steps node. */
    static Siblings steps(Transition t, Node boundary, Map<String, Integer> places) {
        return new Siblings() {
            @Override
            public Collection<String> names() {
                return places.keySet();
            }

            @Override
            public @Nullable Node node(String name) {
                Integer group = places.get(name);
                if (group == null) {
                    return null;
                }
                Node node = t.find(boundary.name() + "[" + group + "]." + name);
                if (node != null) {
                    return node;
                }
                Node groupNode = t.find(boundary.name() + "[" + group + "]");
                return groupNode != null && groupNode.fulfilled() ? groupNode : null;
            }

            @Override
            public @Nullable List<Node> members(String name) {
                Node group = node(name);
                if (group == null || group.type() != NodeType.STEP_GROUP) {
                    return null;
                }
                return t.state().children(group.id()).stream()
                        .map(t::node)
                        .filter(n -> name.equals(n.call()))
                        .toList();
            }
        };
    }

    /** The siblings of a DAG node. */
    static Siblings tasks(Transition t, Node boundary, Collection<String> names) {
        return new Siblings() {
            @Override
            public Collection<String> names() {
                return names;
            }

            @Override
            public @Nullable Node node(String name) {
                return names.contains(name) ? t.find(boundary.name() + "." + name) : null;
            }

            @Override
            public @Nullable List<Node> members(String name) {
                Node group = node(name);
                if (group == null || group.type() != NodeType.TASK_GROUP) {
                    return null;
                }
                return t.state().children(group.id()).stream()
                        .map(t::node)
                        .filter(n -> !n.hooked() && group.id().equals(n.ownerId()))
                        .toList();
            }
        };
    }
}
