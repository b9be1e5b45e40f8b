package dev.millrace.expressions.expr;

import org.jspecify.annotations.Nullable;

/** A node of a program, ready to be evaluated. */
@FunctionalInterface
interface Step {
    @Nullable Object run(Frame frame);
}
