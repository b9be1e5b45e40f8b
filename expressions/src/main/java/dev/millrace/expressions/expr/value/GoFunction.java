package dev.millrace.expressions.expr.value;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A function as a value. It throws {@link GoPanic} when it refuses its arguments. */
@FunctionalInterface
public interface GoFunction {
    @Nullable Object call(List<? extends @Nullable Object> arguments);
}
