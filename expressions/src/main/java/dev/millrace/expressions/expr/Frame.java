package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoPanic;
import org.jspecify.annotations.Nullable;

/**
 * The state of one evaluation: the variables, the local slots and what is left of the memory
 * budget.
 */
final class Frame {

    /** How many elements one evaluation may put into lists and maps. */
    static final int MEMORY_BUDGET = 1_000_000;

    final Environment environment;
    final @Nullable Object[] slots;
    private long used;

    Frame(Environment environment, int slots) {
        this.environment = environment;
        this.slots = new Object[slots];
    }

    /**
     * @throws GoPanic when the budget is spent
     */
    void allocate(long elements) {
        used += elements;
        if (used > MEMORY_BUDGET) {
            throw new GoPanic("memory budget exceeded");
        }
    }
}
