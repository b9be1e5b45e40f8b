package dev.millrace.schemas.record;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How one container of a step ended.
 *
 * @param name of the container
 * @param phase as of a step
 * @param message why, absent on success
 * @param exitCode absent where none was seen
 */
public record ContainerEnd(
        String name, NodePhase phase, @Nullable String message, @Nullable Integer exitCode) {

    /** With all that the container wrote itself changed. */
    public ContainerEnd map(UnaryOperator<String> text) {
        return new ContainerEnd(
                name, phase, message == null ? null : text.apply(message), exitCode);
    }
}
