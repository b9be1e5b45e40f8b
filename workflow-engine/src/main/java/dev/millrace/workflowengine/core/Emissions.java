package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.MetricChange;
import dev.millrace.schemas.record.MetricSample;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Scalar;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The metrics that a workflow and its templates declare: what is said about them when a node begins
 * (gauges in real time) and when it ends (all others). A metric that is wrong is a condition of the
 * workflow and changes nothing else.
 */
final class Emissions {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern LABEL = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]*");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,4})?");

    /** A label is kept for ever and read with every scrape. */
    private static final int LONGEST_LABEL = 16_384;

    private Emissions() {}

    /** A call made a node that runs now, or waits for something. */
    static void begun(Transition t, Call call) {
        if (Calls.attempt(call)
                || !(t.workflow().resolve(call.scope(), call.use())
                        instanceof Workflow.Resolution.Found(var body, _))
                || !body.has("metrics")) {
            return;
        }
        Node node = t.find(call.name());
        if (node != null && !node.ended()) {
            inRealTime(t, body.path("metrics"), scope(t, node, 0), node);
        }
    }

    /**
     * A node came to its end. An attempt counts only if another one follows; else its Retry node.
     */
    static void ended(Transition t, Node node) {
        if (!node.attempt()) {
            int retries = node.type() == NodeType.RETRY ? attempts(t, node) - 1 : 0;
            atEnd(t, node, retries);
        }
    }

    /** An attempt failed, and the next one begins. */
    static void again(Transition t, Node attempt, int number) {
        if (attempt.ended()) {
            atEnd(t, attempt, number);
        }
    }

    private static int attempts(Transition t, Node retry) {
        return Math.max(1, RetryRun.attempts(t, retry).size());
    }

    private static void atEnd(Transition t, Node node, int retries) {
        switch (node.type()) {
            case POD, HTTP, PLUGIN, SUSPEND, STEPS, DAG, RETRY -> {
                JsonNode metrics = Calls.member(t, node, "metrics");
                if (metrics.isObject()) {
                    atEnd(t, metrics, scope(t, node, retries));
                }
            }
            case STEP_GROUP, TASK_GROUP, SKIPPED, CONTAINER -> {}
        }
    }

    /** The workflow begins, or is taken up again. */
    static void workflowBegun(Transition t) {
        JsonNode metrics = t.workflow().spec().path("metrics");
        if (metrics.isObject()) {
            inRealTime(t, metrics, scope(t, null, 0), null);
        }
    }

    /** The workflow came to its end. */
    static void workflowEnded(Transition t) {
        JsonNode metrics = t.source().spec().path("metrics");
        if (!metrics.isObject() || t.head().startedAt() == null) {
            return;
        }
        try {
            atEnd(t, metrics, scope(t, t.state().node(t.name()), 0));
        } catch (CallException e) {
            // A retry gave it arguments that it cannot begin with: it has no variables.
            failed(t, String.valueOf(e.getMessage()));
        }
    }

    private static Variables scope(Transition t, @Nullable Node node, int retries) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("duration", "0");
        all.put("status", "Pending");
        all.put("resourcesDuration.cpu", "0");
        all.put("resourcesDuration.memory", "0");
        if (node != null) {
            Instant end = node.finishedAt() == null ? t.now() : node.finishedAt();
            double seconds = Duration.between(node.startedAt(), end).toNanos() / 1e9;
            all.put("duration", String.format(Locale.ROOT, "%.6f", seconds));
            all.put("status", node.phase().text());
            all.put("retries", Integer.toString(retries));
            if (node.inputs() != null) {
                node.inputs()
                        .parameters()
                        .forEach(p -> put(all, "inputs.parameters." + p.name(), p.value()));
            }
            outputs(all, node.outputs());
            node.resourcesDuration()
                    .forEach(
                            (resource, units) ->
                                    all.put("resourcesDuration." + resource, units.toString()));
        }
        return Variables.of(t.workflow().variables(), new Variables.Flat(all));
    }

    private static void outputs(Map<String, String> all, @Nullable Outputs outputs) {
        if (outputs == null) {
            return;
        }
        if (outputs.result() != null) {
            all.put("outputs.result", outputs.result());
        }
        if (outputs.exitCode() != null) {
            all.put("exitCode", outputs.exitCode());
        }
        outputs.parameters().forEach(p -> put(all, "outputs.parameters." + p.name(), p.value()));
    }

    private static void put(Map<String, String> all, String name, @Nullable Scalar v) {
        all.put(name, v == null ? "" : v.text());
    }

    private static void atEnd(Transition t, JsonNode metrics, Variables variables) {
        for (JsonNode metric : metrics.path("prometheus")) {
            if (!isRealTime(metric)) {
                emit(t, metric, variables, filled -> change(filled, variables));
            }
        }
    }

    private static void inRealTime(
            Transition t, JsonNode metrics, Variables variables, @Nullable Node node) {
        for (JsonNode metric : metrics.path("prometheus")) {
            if (isRealTime(metric)) {
                emit(t, metric, variables, filled -> following(t, filled, node));
            }
        }
    }

    private static boolean isRealTime(JsonNode metric) {
        return metric.path("gauge").path("realtime").asBoolean(false);
    }

    private static void emit(
            Transition t,
            JsonNode metric,
            Variables variables,
            Function<JsonNode, MetricChange> change) {
        String name = metric.path("name").asString("");
        try {
            if (Members.when(metric, variables) instanceof Members.Verdict.Skip) {
                return;
            }
            ObjectNode head = (ObjectNode) metric.deepCopy();
            head.remove(List.of("when", "gauge", "counter", "histogram"));
            JsonNode filled = Calls.replace(head, variables, Mode.STRICT);
            t.emit(
                    new WorkflowEvent.MetricEmitted(
                            new MetricSample(
                                    name(filled),
                                    help(filled),
                                    labels(filled),
                                    change.apply(metric))));
        } catch (CallException e) {
            failed(t, "metric '%s': %s".formatted(name, e.getMessage()));
        }
    }

    private static void failed(Transition t, String message) {
        String known = t.head().metricsError();
        if (known == null || !known.contains(message)) {
            t.emit(new WorkflowEvent.MetricFailed(message));
        }
    }

    private static String name(JsonNode metric) {
        String name = metric.path("name").asString("");
        if (!NAME.matcher(name).matches()) {
            throw new CallException(
                    "the name '"
                            + name
                            + "' is invalid: it must contain alphanumeric characters, '_' or ':' only");
        }
        return name;
    }

    private static String help(JsonNode metric) {
        String help = metric.path("help").asString("");
        if (help.isEmpty()) {
            throw new CallException("it must contain a help string under 'help: ' field");
        }
        return help;
    }

    private static Map<String, String> labels(JsonNode metric) {
        Map<String, String> labels = new TreeMap<>();
        for (JsonNode label : metric.path("labels")) {
            String key = label.path("key").asString("");
            String value = label.path("value").asString("");
            if (!LABEL.matcher(key).matches() || key.startsWith("__")) {
                throw new CallException("the label '" + key + "' is invalid");
            }
            if (value.length() > LONGEST_LABEL) {
                throw new CallException(
                        "the value of label '%s' has %d characters, and %d are the most"
                                .formatted(key, value.length(), LONGEST_LABEL));
            }
            labels.put(key, value);
        }
        return labels;
    }

    private static MetricChange change(JsonNode metric, Variables variables) {
        if (metric.has("counter")) {
            double by = number(metric.path("counter"), variables);
            if (by < 0) {
                throw new CallException("a counter cannot change by " + by + ": use a gauge");
            }
            return new MetricChange.Count(by);
        }
        if (metric.has("gauge")) {
            JsonNode gauge = metric.path("gauge");
            double value = number(gauge, variables);
            return switch (gauge.path("operation").asString("Set")) {
                case "Add" -> new MetricChange.Move(value);
                case "Sub" -> new MetricChange.Move(-value);
                default -> new MetricChange.Put(value);
            };
        }
        JsonNode histogram = metric.path("histogram");
        List<Double> buckets = new ArrayList<>();
        for (JsonNode bucket : histogram.path("buckets")) {
            buckets.add(parse(bucket.asString("")));
        }
        return new MetricChange.Observe(
                number(histogram, variables), buckets.stream().sorted().distinct().toList());
    }

    private static double number(JsonNode holder, Variables variables) {
        ObjectNode value = Json.object();
        value.put("value", holder.path("value").asString(""));
        return parse(
                Calls.replace(value, variables, Mode.STRICT).path("value").asString("").strip());
    }

    private static double parse(String text) {
        double value = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!Double.isFinite(value)) {
            throw new CallException("'" + text + "' is not a number");
        }
        return value;
    }

    private static MetricChange following(Transition t, JsonNode metric, @Nullable Node node) {
        String value = metric.path("gauge").path("value").asString("").strip();
        if (!(value.startsWith("{{") && value.endsWith("}}"))) {
            throw new CallException("real time metrics can only be used with metric variables");
        }
        String variable = value.substring(2, value.length() - 2).strip();
        if (variable.equals("workflow.duration") && t.head().startedAt() != null) {
            return new MetricChange.Follow(t.head().ref(), null, t.head().startedAt());
        }
        if (variable.equals("duration") && node != null) {
            return new MetricChange.Follow(t.head().ref(), node.id(), node.startedAt());
        }
        throw new CallException("'" + variable + "' is not available as a real time metric");
    }
}
