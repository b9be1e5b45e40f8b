package dev.millrace.testkit;

import dev.millrace.schemas.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Compares a workflow, as clients see it, with a recording, field by field, and says every
 * difference.
 */
public final class Comparison {
    /** A value that is nothing but this is another one each time. */
    private static final Pattern MOMENT =
            Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ|\\d+\\.\\d{6}");

    private final JsonNode recorded;
    private final JsonNode made;
    private final String workflow;
    private final Map<String, String> names = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private final boolean logs;

    private Comparison(JsonNode recorded, JsonNode made) {
        this.recorded = recorded;
        this.made = made;
        this.workflow = made.path("metadata").path("name").asString("");
        this.logs =
                made.path("spec").findValues("archiveLogs").stream()
                        .anyMatch(v -> v.asBoolean(false));
        made.path("status")
                .path("nodes")
                .properties()
                .forEach(n -> names.put(n.getKey(), n.getValue().path("name").asString("")));
    }

    /**
     * The differences, empty if there are none.
     *
     * @param made the object of a finished workflow
     */
    public static List<String> of(JsonNode recorded, JsonNode made) {
        Comparison comparison = new Comparison(recorded, made);
        comparison.compare();
        return comparison.differences;
    }

    private void compare() {
        JsonNode status = made.path("status");
        same(
                "workflow",
                "phase",
                recorded.path("phase").asString(""),
                status.path("phase").asString(""));
        same(
                "workflow",
                "message",
                text(recorded.path("message")),
                normalText(text(status.path("message"))));
        Map<String, JsonNode> nodes = new HashMap<>();
        status.path("nodes")
                .properties()
                .forEach(
                        n ->
                                nodes.put(
                                        normal(n.getValue().path("name").asString("")),
                                        n.getValue()));
        Set<String> wanted = new TreeSet<>();
        recorded.path("nodes").properties().forEach(n -> wanted.add(n.getKey()));
        for (String name : wanted) {
            JsonNode node = nodes.get(name);
            if (node == null) {
                differences.add(name + ": missing");
            } else {
                compare(name, recorded.path("nodes").path(name), node);
            }
        }
        nodes.keySet().stream()
                .filter(n -> !wanted.contains(n))
                .forEach(
                        n ->
                                differences.add(
                                        n
                                                + ": not in the recording ("
                                                + Objects.requireNonNull(nodes.get(n))
                                                        .path("phase")
                                                        .asString("")
                                                + " "
                                                + text(
                                                        Objects.requireNonNull(nodes.get(n))
                                                                .path("message"))
                                                + ")"));
    }

    private void compare(String name, JsonNode then, JsonNode node) {
        for (String field :
                List.of(
                        "type",
                        "phase",
                        "message",
                        "displayName",
                        "templateName",
                        "templateScope")) {
            same(name, field, text(then.path(field)), normalText(text(node.path(field))));
        }
        for (String field : List.of("templateRef", "nodeFlag")) {
            same(name, field, then.path(field), node.path(field));
        }
        same(
                name,
                "boundary",
                text(then.path("boundary")),
                normal(names.getOrDefault(text(node.path("boundaryID")), "")));
        same(name, "children", set(then.path("children")), nameSet(node.path("children")));
        same(
                name,
                "outboundNodes",
                set(then.path("outboundNodes")),
                nameSet(node.path("outboundNodes")));
        same(
                name,
                "inputs.parameters",
                parameters(then.path("inputs")),
                parameters(node.path("inputs")));
        same(
                name,
                "outputs.parameters",
                parameters(then.path("outputs")),
                parameters(node.path("outputs")));
        same(
                name,
                "outputs.result",
                text(then.path("outputs").path("result")),
                normalText(text(node.path("outputs").path("result"))));
        same(
                name,
                "outputs.exitCode",
                text(then.path("outputs").path("exitCode")),
                text(node.path("outputs").path("exitCode")));
        same(
                name,
                "inputs.artifacts",
                artifacts(then.path("inputs")),
                artifacts(node.path("inputs")));
        same(
                name,
                "outputs.artifacts",
                artifacts(then.path("outputs")),
                artifacts(node.path("outputs")));
    }

    private void same(String where, String field, Object wanted, Object got) {
        if (!Objects.equals(wanted, got)) {
            differences.add(
                    where + ": " + field + ": recorded " + shown(wanted) + ", made " + shown(got));
        }
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.length() > 600 ? text.substring(0, 600) + "…" : text;
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? "" : node.asString("");
    }

    private String normal(String name) {
        return name.startsWith(workflow) ? "$WF" + name.substring(workflow.length()) : name;
    }

    private String normalText(String text) {
        String replaced = text;
        for (Map.Entry<String, String> n : names.entrySet()) {
            if (!n.getKey().equals(workflow)) {
                replaced =
                        replaced.replaceAll(
                                Pattern.quote(n.getKey()) + "(?!\\d)",
                                java.util.regex.Matcher.quoteReplacement(
                                        "<" + normal(n.getValue()) + ">"));
            }
        }
        return replaced.replace(workflow, "$WF");
    }

    private static Set<String> set(JsonNode list) {
        Set<String> all = new TreeSet<>();
        list.forEach(n -> all.add(n.asString("")));
        return all;
    }

    private Set<String> nameSet(JsonNode list) {
        Set<String> all = new TreeSet<>();
        list.forEach(
                n -> all.add(normal(names.getOrDefault(n.asString(""), "?" + n.asString("")))));
        return all;
    }

    /**
     * Names of artifacts; logs only if the manifest asks for them, since the recordings always did.
     */
    private Set<String> artifacts(JsonNode puts) {
        Set<String> all = new TreeSet<>();
        puts.path("artifacts")
                .forEach(
                        a -> {
                            String name = a.path("name").asString("");
                            if (logs || !name.endsWith("-logs")) {
                                all.add(name);
                            }
                        });
        return all;
    }

    private Map<String, JsonNode> parameters(JsonNode puts) {
        Map<String, JsonNode> all = new java.util.TreeMap<>();
        for (JsonNode p : puts.path("parameters")) {
            JsonNode parameter = Json.mapper().readTree(normalText(p.toString()));
            if (parameter instanceof ObjectNode object
                    && MOMENT.matcher(text(object.path("value"))).matches()) {
                object.put("value", "<a moment or a duration>");
            }
            all.put(p.path("name").asString(""), parameter);
        }
        return all;
    }
}
