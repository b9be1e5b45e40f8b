package dev.millrace.expressions.expr.value;

import org.jspecify.annotations.Nullable;

/** A value that programs can only use through its methods, a semantic version for instance. */
public interface GoObject {
    /** The method bound to this value; null where there is none of that name. */
    @Nullable GoFunction method(String name);

    /** The name that {@code %T} prints. */
    String goType();
}
