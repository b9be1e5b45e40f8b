package dev.millrace.expressions.sprig;

import org.jspecify.annotations.Nullable;

/** The body of a function of Sprig. */
@FunctionalInterface
interface SprigFunction {
    @Nullable Object call(Arguments arguments);
}
