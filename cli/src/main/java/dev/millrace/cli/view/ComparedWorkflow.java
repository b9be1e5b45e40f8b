package dev.millrace.cli.view;

import dev.millrace.schemas.Json;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What one workflow has that another can be compared with. */
final class ComparedWorkflow {

    private final JsonNode workflow;
    private final String name;

    /** What a text may call a node, by the number at the end of its id. */
    private final Map<String, String> nodeNames = new HashMap<>();

    private final Pattern ownPods;
    private final Pattern ownName;

    ComparedWorkflow(JsonNode workflow) {
        this.workflow = workflow;
        this.name = workflow.path("metadata").path("name").asString("");
        for (JsonNode node : workflow.path("status").path("nodes")) {
            String id = node.path("id").asString("");
            nodeNames.put(id.substring(id.lastIndexOf('-') + 1), own(node));
        }
        String quoted = "(?<![A-Za-z0-9_-])" + Pattern.quote(name);
        this.ownPods = Pattern.compile(quoted + "-(?:[a-z0-9.-]*-)?(\\d+)(?![A-Za-z0-9_])");
        this.ownName = Pattern.compile(quoted + "(?![A-Za-z0-9_])");
    }

    String name() {
        return name;
    }

    /** The nodes by their names without that of the workflow, as the tree has them. */
    SequencedMap<String, JsonNode> nodes() {
        SequencedMap<String, JsonNode> nodes = new LinkedHashMap<>();
        workflow.path("status")
                .path("nodes")
                .valueStream()
                .sorted(
                        (a, b) ->
                                NodeForest.compareNames(
                                        a.path("name").asString(""), b.path("name").asString("")))
                .forEach(node -> nodes.put(own(node), node));
        return nodes;
    }

    private String own(JsonNode node) {
        String full = node.path("name").asString("");
        if (full.equals(name)) {
            return "(root)";
        }
        String rest = full.startsWith(name) ? full.substring(name.length()) : full;
        return rest.startsWith(".") ? rest.substring(1) : rest;
    }

    /** How the workflow ended, and what it gave. */
    SequencedMap<String, String> facts() {
        JsonNode status = workflow.path("status");
        SequencedMap<String, String> facts = new LinkedHashMap<>();
        put(facts, "phase", status.path("phase"));
        put(facts, "message", status.path("message"));
        values(facts, "outputs", status.path("outputs"));
        duration(facts, status);
        return facts;
    }

    SequencedMap<String, String> parameters() {
        SequencedMap<String, String> parameters = new LinkedHashMap<>();
        for (JsonNode parameter : workflow.path("spec").path("arguments").path("parameters")) {
            parameters.put(parameter.path("name").asString(""), text(parameter.path("value")));
        }
        return parameters;
    }

    /** What became of a node, what it got and what it gave. */
    static SequencedMap<String, String> facts(JsonNode node) {
        SequencedMap<String, String> facts = new LinkedHashMap<>();
        put(facts, "type", node.path("type"));
        put(facts, "template", node.path("templateName"));
        put(facts, "phase", node.path("phase"));
        put(facts, "message", node.path("message"));
        values(facts, "inputs", node.path("inputs"));
        values(facts, "outputs", node.path("outputs"));
        duration(facts, node);
        return facts;
    }

    /** What it was told to do, templates included; its parameters are compared by name. */
    String spec() {
        ObjectNode told = Json.object();
        if (workflow.path("spec") instanceof ObjectNode written) {
            ObjectNode spec = written.deepCopy();
            if (spec.path("arguments") instanceof ObjectNode arguments) {
                arguments.remove("parameters");
                if (arguments.isEmpty()) {
                    spec.remove("arguments");
                }
            }
            told.set("spec", spec);
        }
        for (String stored : new String[] {"storedWorkflowTemplateSpec", "storedTemplates"}) {
            JsonNode value = workflow.path("status").path(stored);
            if (!value.isMissingNode()) {
                told.set(stored, value);
            }
        }
        return YamlText.of(told);
    }

    /** A text without the names that only this workflow has. */
    String neutral(String text) {
        Matcher pod = ownPods.matcher(text);
        String without =
                pod.replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        nodeNames.containsKey(found.group(1))
                                                ? "{" + nodeNames.get(found.group(1)) + "}"
                                                : found.group()));
        String uid = workflow.path("metadata").path("uid").asString("");
        return ownName.matcher(uid.isEmpty() ? without : without.replace(uid, "{workflow.uid}"))
                .replaceAll("{workflow.name}");
    }

    private static void values(Map<String, String> facts, String which, JsonNode values) {
        for (String kind : new String[] {"parameters", "artifacts"}) {
            for (JsonNode value : values.path(kind)) {
                facts.put(
                        "%s.%s.%s".formatted(which, kind, value.path("name").asString("")),
                        kind.equals("parameters") ? text(value.path("value")) : value.toString());
            }
        }
        put(facts, which + ".result", values.path("result"));
        put(facts, which + ".exitCode", values.path("exitCode"));
    }

    private static void duration(Map<String, String> facts, JsonNode of) {
        Times.of(of.path("startedAt"))
                .flatMap(
                        start ->
                                Times.of(of.path("finishedAt"))
                                        .map(end -> Duration.between(start, end)))
                .ifPresent(span -> facts.put("duration", span.toSeconds() + "s"));
    }

    private static void put(Map<String, String> facts, String fact, JsonNode value) {
        String text = text(value);
        if (!text.isEmpty()) {
            facts.put(fact, text);
        }
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() || value.isNull() ? "" : value.asString(value.toString());
    }
}
