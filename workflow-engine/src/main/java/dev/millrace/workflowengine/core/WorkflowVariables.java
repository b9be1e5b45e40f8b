package dev.millrace.workflowengine.core;

import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.tag.Lookup;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.workflow.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The variables {@code workflow.*}. */
final class WorkflowVariables implements Variables.Layer {
    private static final String CREATION = "workflow.creationTimestamp";
    private static final String FAILURES = "workflow.failures";
    private static final String ARTIFACTS = "workflow.outputs.artifacts.";

    private final Transition transition;
    private final Supplier<Map<String, String>> values;
    private Variables.@Nullable Flat flat;

    WorkflowVariables(
            Transition transition,
            String entrypoint,
            String serviceAccount,
            List<Parameter> parameters,
            @Nullable Integer priority) {
        this.transition = transition;
        // As the workflow stands now, but worked out only if some text asks for it.
        WorkflowHead head = transition.head();
        this.values =
                () ->
                        flat(
                                head,
                                transition.now(),
                                entrypoint,
                                serviceAccount,
                                parameters,
                                priority);
    }

    private Variables.Flat flat() {
        if (flat == null) {
            flat = new Variables.Flat(values.get());
        }
        return flat;
    }

    @Override
    public Lookup lookup(String name) {
        if (!name.startsWith("workflow.")) {
            return Variables.MISSING;
        }
        if (name.equals(FAILURES)) {
            return new Lookup.Value(failures());
        }
        if (name.startsWith(CREATION + ".")) {
            String text = strftime(created(), name.substring(CREATION.length() + 1));
            return text == null ? Variables.MISSING : new Lookup.Value(text);
        }
        return flat().lookup(name);
    }

    @Override
    public @Nullable Map<String, @Nullable Object> root(String root) {
        if (!root.equals("workflow")) {
            return null;
        }
        Map<String, @Nullable Object> variables = flat().root(root);
        if (variables != null
                && transition.head().status() != null
                && transition.head().status().finished()) {
            return LateMap.with(withArtifacts(variables), "failures", this::failures);
        }
        return variables == null ? null : withArtifacts(variables);
    }

    private Map<String, @Nullable Object> withArtifacts(Map<String, @Nullable Object> variables) {
        if (!transition.head().artifacts().isEmpty()) {
            variables.put("outputs", outputs(variables.get("outputs")));
        }
        return variables;
    }

    private Map<String, @Nullable Object> outputs(@Nullable Object known) {
        Map<String, @Nullable Object> outputs = new LinkedHashMap<>();
        if (known instanceof Map<?, ?> parameters) {
            parameters.forEach((name, value) -> outputs.put(String.valueOf(name), value));
        }
        Map<String, @Nullable Object> artifacts = new LinkedHashMap<>();
        transition
                .head()
                .artifacts()
                .forEach(a -> artifacts.put(a.name(), ArtifactReferences.value(Json.tree(a))));
        outputs.put("artifacts", artifacts);
        return outputs;
    }

    @Override
    public @Nullable ObjectNode artifact(String name) {
        return transition.head().artifacts().stream()
                .filter(a -> name.equals(ARTIFACTS + a.name()))
                .map(a -> (ObjectNode) Json.tree(a))
                .findFirst()
                .orElse(null);
    }

    @Override
    public ExprOptions options() {
        return transition.expressions();
    }

    private static Map<String, String> flat(
            WorkflowHead head,
            Instant now,
            String entrypoint,
            String serviceAccount,
            List<Parameter> parameters,
            @Nullable Integer priority) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("workflow.name", head.name());
        all.put("workflow.namespace", head.namespace());
        all.put("workflow.mainEntrypoint", entrypoint);
        all.put("workflow.serviceAccountName", serviceAccount);
        all.put("workflow.uid", head.uid());
        all.put(
                CREATION,
                DateTimeFormatter.ISO_INSTANT.format(
                        head.createdAt().truncatedTo(ChronoUnit.SECONDS)));
        all.put("workflow.status", head.status() == null ? "" : head.status().text());
        all.put(
                "workflow.duration",
                String.format(Locale.ROOT, "%.6f", seconds(head.startedAt(), now)));
        if (priority != null) {
            all.put("workflow.priority", priority.toString());
        }
        String scheduled = head.annotations().get("workflows.argoproj.io/scheduled-time");
        if (scheduled != null) {
            all.put("workflow.scheduledTime", scheduled);
        }
        ArrayNode list = Json.mapper().createArrayNode();
        for (Parameter p : parameters) {
            if (p.value() != null) {
                all.put("workflow.parameters." + p.name(), p.value().text());
            }
            list.add(Json.tree(p));
        }
        all.put("workflow.parameters", list.toString());
        all.put("workflow.parameters.json", list.toString());
        map(all, "workflow.labels", head.labels());
        map(all, "workflow.annotations", head.annotations());
        head.outputs()
                .forEach(
                        p ->
                                all.put(
                                        "workflow.outputs.parameters." + p.name(),
                                        p.value() == null ? "" : p.value().text()));
        return all;
    }

    private static void map(Map<String, String> all, String prefix, Map<String, String> values) {
        String json = Json.tree(new TreeMap<>(values)).toString();
        all.put(prefix, json);
        all.put(prefix + ".json", json);
        values.forEach((k, v) -> all.put(prefix + "." + k, v));
    }

    /** The labels that a workflow is about to get. */
    static Variables.Layer labels(Map<String, String> labels) {
        Map<String, String> all = new LinkedHashMap<>();
        map(all, "workflow.labels", labels);
        return new Variables.Flat(all);
    }

    private static double seconds(@Nullable Instant from, Instant to) {
        return from == null ? 0 : Duration.between(from, to).toNanos() / 1e9;
    }

    private ZonedDateTime created() {
        return transition.head().createdAt().atZone(ZoneOffset.UTC);
    }

    /**
     * All nodes that failed, as a JSON list, quoted once more so that it can stand inside a shell
     * word.
     */
    private String failures() {
        ArrayNode list = Json.mapper().createArrayNode();
        List<Node> failed = new ArrayList<>();
        for (String id : transition.state().nodes()) {
            Node node = transition.node(id);
            if (node.phase().failedOrError()) {
                failed.add(node);
            }
        }
        for (Node node : failed) {
            ObjectNode entry = Json.object();
            entry.put("displayName", node.displayName());
            entry.put("message", node.message() == null ? "" : node.message());
            entry.put("templateName", node.templateName() == null ? "" : node.templateName());
            entry.put("phase", node.phase().text());
            entry.put("podName", NodeNames.podName(transition.name(), node));
            entry.put("finishedAt", String.valueOf(node.finishedAt()));
            list.add(entry);
        }
        String json = failed.isEmpty() ? "null" : list.toString();
        return Json.mapper().writeValueAsString(json);
    }

    private static @Nullable String strftime(ZonedDateTime time, String verb) {
        if (verb.equals("RFC3339")) {
            return DateTimeFormatter.ISO_INSTANT.format(
                    time.toInstant().truncatedTo(ChronoUnit.SECONDS));
        }
        String pattern =
                switch (verb) {
                    case "A" -> "EEEE";
                    case "a" -> "EEE";
                    case "B" -> "MMMM";
                    case "b", "h" -> "MMM";
                    case "c" -> "EEE MMM d HH:mm:ss yyyy";
                    case "D", "x" -> "MM/dd/yy";
                    case "d" -> "dd";
                    case "e" -> "ppd";
                    case "F" -> "yyyy-MM-dd";
                    case "H" -> "HH";
                    case "I" -> "hh";
                    case "j" -> "DDD";
                    case "k" -> "ppH";
                    case "l" -> "pph";
                    case "M" -> "mm";
                    case "m" -> "MM";
                    case "p" -> "a";
                    case "R" -> "HH:mm";
                    case "r" -> "hh:mm:ss a";
                    case "S" -> "ss";
                    case "T", "X" -> "HH:mm:ss";
                    case "u" -> "e";
                    case "Y" -> "yyyy";
                    case "y" -> "yy";
                    case "Z" -> "'UTC'";
                    case "z" -> "xx";
                    default -> null;
                };
        if (pattern != null) {
            return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
        }
        return switch (verb) {
            case "s" -> Long.toString(time.toEpochSecond());
            case "C" -> String.format(Locale.ROOT, "%02d", time.getYear() / 100);
            case "w" -> Integer.toString(time.getDayOfWeek().getValue() % 7);
            default -> null;
        };
    }
}
