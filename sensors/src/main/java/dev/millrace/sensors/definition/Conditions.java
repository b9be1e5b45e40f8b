package dev.millrace.sensors.definition;

import dev.millrace.expressions.condition.TriggerCondition;
import dev.millrace.expressions.condition.TriggerConditionException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** When a trigger fires, read. */
public sealed interface Conditions {

    /** A condition over dependencies. */
    record Parsed(TriggerCondition condition) implements Conditions {

        /** The dependencies that it names. */
        public Set<String> names() {
            return condition.dependencies();
        }

        /** Whether it holds when events of these dependencies are there. */
        public boolean holds(Set<String> present) {
            return condition.isSatisfiedBy(present);
        }
    }

    /** No condition. */
    record Refused(String message) implements Conditions {}

    /**
     * @param text absent or empty: all dependencies
     * @param names all dependencies of the sensor, in order
     */
    static Conditions parse(@Nullable String text, List<String> names) {
        if (text == null || text.isEmpty()) {
            return new Parsed(TriggerCondition.all(names));
        }
        try {
            return new Parsed(TriggerCondition.parse(text, names));
        } catch (TriggerConditionException e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
    }
}
