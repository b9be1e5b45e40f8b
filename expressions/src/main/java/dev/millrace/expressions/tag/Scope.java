package dev.millrace.expressions.tag;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprOptions;
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
     * What expression tags may call. A scope with a clock of its own gives the functions that
     * clock.
     */
    default ExprOptions options() {
        return ExprOptions.workflows();
    }

    /**
     * A scope over flat names; for expressions the dots become nested maps ({@code a.b} is {@code
     * b} of {@code a}).
     */
    static Scope of(Map<String, String> flat) {
        return new FlatScope(flat);
    }
}
