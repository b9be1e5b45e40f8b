package dev.millrace.expressions.tag;

import dev.millrace.expressions.expr.Environment;
import java.util.Map;

/** The variables that one stage knows. */
public interface Scope {

    /** The value of a simple tag's trimmed name. */
    Lookup lookup(String name);

    /**
     * The variables of expression tags. Built on first use; a stage without expression tags never
     * asks.
     */
    Environment environment();

    /**
     * A scope over flat names; for expressions the dots become nested maps ({@code a.b} is {@code
     * b} of {@code a}).
     */
    static Scope of(Map<String, String> flat) {
        return new FlatScope(flat);
    }
}
