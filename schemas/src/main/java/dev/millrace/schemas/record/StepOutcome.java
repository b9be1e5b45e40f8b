package dev.millrace.schemas.record;

import java.util.Map;
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
 */
public record StepOutcome(
        NodePhase phase,
        @Nullable String message,
        @Nullable Integer exitCode,
        @Nullable String result,
        Map<String, String> parameters) {

    public StepOutcome {
        parameters = parameters == null ? Map.of() : parameters;
    }
}
