package dev.millrace.executors.http;

import dev.millrace.executors.serverside.StepWork;
import dev.millrace.executors.serverside.StepWork.Turn;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.workflow.Artifact;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What a plugin says: {@code {node: {phase, message, outputs, progress}, requeue}}. */
final class PluginAnswer {
    /** A plugin that wants to be asked at once, again and again, would keep the server busy. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    private PluginAnswer() {}

    static Turn read(String name, byte[] body) {
        JsonNode answer;
        try {
            answer = Json.mapper().readTree(body);
        } catch (JacksonException e) {
            return failed(name, "the answer is no JSON: " + e.getOriginalMessage());
        }
        JsonNode node = answer.path("node");
        if (!node.isObject()) {
            return new Turn.Ended(
                    StepWork.failed(
                            "no plugin executed the template: '%s' answered without a node"
                                    .formatted(name)));
        }
        try {
            return turn(name, answer, node);
        } catch (DurationSyntaxException e) {
            return failed(
                    name,
                    "requeue is '%s', but a duration such as 30s or 2m is expected"
                            .formatted(answer.path("requeue").asString("")));
        } catch (JacksonException e) {
            return failed(name, "node.outputs is not what it should be: " + e.getOriginalMessage());
        }
    }

    private static Turn turn(String name, JsonNode answer, JsonNode node)
            throws DurationSyntaxException {
        String phase = node.path("phase").asString("");
        return switch (phase) {
            case "Succeeded" -> ended(NodePhase.SUCCEEDED, node);
            case "Failed" -> ended(NodePhase.FAILED, node);
            case "Error" -> ended(NodePhase.ERROR, node);
            case "", "Pending", "Running" -> {
                Duration pause = requeue(answer.path("requeue"));
                yield pause == null
                        ? failed(
                                name,
                                "it answered with phase '%s' and no requeue, so it would never be asked for the end"
                                        .formatted(phase))
                        : new Turn.Again(
                                pause.compareTo(SHORTEST_PAUSE) < 0 ? SHORTEST_PAUSE : pause,
                                text(node.path("progress")),
                                text(node.path("message")));
            }
            default ->
                    failed(
                            name,
                            "it answered with phase '%s'; there are Pending, Running, Succeeded, Failed and Error"
                                    .formatted(phase));
        };
    }

    private static @Nullable Duration requeue(JsonNode requeue) throws DurationSyntaxException {
        String text = requeue.asString("");
        Duration pause = text.isEmpty() ? Duration.ZERO : GoDuration.parse(text);
        return pause.isPositive() ? pause : null;
    }

    private static Turn ended(NodePhase phase, JsonNode node) {
        JsonNode outputs = node.path("outputs");
        Map<String, String> parameters = new LinkedHashMap<>();
        for (JsonNode parameter : outputs.path("parameters")) {
            JsonNode value = parameter.path("value");
            String name = parameter.path("name").asString("");
            if (!name.isEmpty() && !value.isMissingNode() && !value.isNull()) {
                parameters.put(name, value.isString() ? value.asString("") : value.toString());
            }
        }
        List<Artifact> artifacts = new ArrayList<>();
        for (JsonNode artifact : outputs.path("artifacts")) {
            artifacts.add(Json.convert(artifact, Artifact.class));
        }
        String exitCode = outputs.path("exitCode").asString("");
        return new Turn.Ended(
                new StepOutcome(
                        phase,
                        text(node.path("message")),
                        exitCode.matches("-?\\d{1,9}") ? Integer.valueOf(exitCode) : null,
                        outputs.path("result").isString()
                                ? outputs.path("result").asString("")
                                : null,
                        parameters,
                        artifacts));
    }

    private static @Nullable String text(JsonNode value) {
        String text = value.asString("");
        return text.isEmpty() ? null : text;
    }

    /** The plugin broke the contract: that is not the fault of the step. */
    private static Turn failed(String name, String what) {
        return new Turn.Ended(
                new StepOutcome(
                        NodePhase.ERROR,
                        "plugin '%s': %s".formatted(name, what),
                        null,
                        null,
                        Map.of()));
    }
}
