package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Artifact;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How a step ended.
 *
 * @param phase {@code SUCCEEDED}, {@code FAILED} (the step's own fault) or {@code ERROR} (not the
 *     step's fault)
 * @param message why, absent on success
 * @param exitCode exit code of the main container, absent where none was seen
 * @param result standard output, where it was asked for
 * @param parameters output parameters by name
 * @param artifacts output artifacts that were stored, with their places
 * @param containers of a container set, how each of its containers ended
 */
public record StepOutcome(
        NodePhase phase,
        @Nullable String message,
        @Nullable Integer exitCode,
        @Nullable String result,
        Map<String, String> parameters,
        List<Artifact> artifacts,
        List<ContainerEnd> containers) {

    public StepOutcome {
        parameters = parameters == null ? Map.of() : parameters;
        artifacts = artifacts == null ? List.of() : artifacts;
        containers = containers == null ? List.of() : containers;
    }

    /** Of a step with one main container. */
    public StepOutcome(
            NodePhase phase,
            @Nullable String message,
            @Nullable Integer exitCode,
            @Nullable String result,
            Map<String, String> parameters,
            List<Artifact> artifacts) {
        this(phase, message, exitCode, result, parameters, artifacts, List.of());
    }

    /** With all that the step wrote itself changed. */
    public StepOutcome map(UnaryOperator<String> text) {
        Map<String, String> changed = new LinkedHashMap<>();
        parameters.forEach((name, value) -> changed.put(name, text.apply(value)));
        List<ContainerEnd> ends = containers.stream().map(end -> end.map(text)).toList();
        return new StepOutcome(
                phase,
                message == null ? null : text.apply(message),
                exitCode,
                result == null ? null : text.apply(result),
                changed,
                artifacts,
                ends);
    }

    /** Without artifacts. */
    public StepOutcome(
            NodePhase phase,
            @Nullable String message,
            @Nullable Integer exitCode,
            @Nullable String result,
            Map<String, String> parameters) {
        this(phase, message, exitCode, result, parameters, List.of());
    }
}
