package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoFunction;

/**
 * A function of the host that programs can call by its name. It must be pure and thread safe. To
 * refuse its arguments it throws {@link dev.millrace.expressions.expr.value.GoPanic} with what is
 * wrong; the program adds the position.
 */
@FunctionalInterface
public interface ExprFunction extends GoFunction {}
