package dev.millrace.eventsources;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import dev.millrace.schemas.eventsource.EventSourceFilter;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code filter.expression} of an entry. False and every error mean the same: the event is dropped
 * and counts as handled, as in Argo Events.
 */
public final class EventFilter {

    /** What a filter says about an event. */
    public sealed interface Verdict {}

    /** The event goes on. */
    public record Passed() implements Verdict {}

    /** The event is dropped, and why. */
    public record Dropped(String reason) implements Verdict {}

    // The functions are those of workflows, and names that are not there are nil.
    private static final ExprOptions OPTIONS = ExprOptions.workflows().withUndefinedVariables(true);

    private final String expression;
    private final @Nullable ExprProgram program;
    private final @Nullable String defect;

    private EventFilter(String expression, @Nullable ExprProgram program, @Nullable String defect) {
        this.expression = expression;
        this.program = program;
        this.defect = defect;
    }

    /** The filter as written; an absent or empty one lets everything pass. */
    public static EventFilter of(@Nullable EventSourceFilter filter) {
        String expression = filter == null ? null : filter.expression();
        if (expression == null || expression.isEmpty()) {
            return new EventFilter("", null, null);
        }
        try {
            ExprProgram program = ExprProgram.compile(expression, OPTIONS);
            return new EventFilter(expression, program, null);
        } catch (ExprSyntaxException e) {
            return new EventFilter(expression, null, e.getMessage());
        }
    }

    /** What a person should know: a filter that is no expression drops every event. */
    public @Nullable String warning() {
        return defect == null
                ? null
                : "filter.expression is no expression, so every event is dropped: " + defect;
    }

    /**
     * @param data the event's data, JSON
     */
    public Verdict judge(String data) {
        if (defect != null) {
            return new Dropped("filter.expression is no expression: " + defect);
        }
        if (program == null) {
            return new Passed();
        }
        try {
            if (!(GoJson.decode(data) instanceof Map<?, ?> members)) {
                return new Dropped("the data is no JSON object, which filter.expression needs");
            }
            Object result = program.evaluate(Environment.of(variables(members)));
            if (!(result instanceof Boolean passes)) {
                return new Dropped(
                        "filter.expression is " + ExprProgram.render(result) + ", no boolean");
            }
            return passes ? new Passed() : new Dropped("filter.expression is false: " + expression);
        } catch (GoJsonException | ExprEvaluationException | ExprSyntaxException e) {
            return new Dropped("filter.expression failed: " + e.getMessage());
        }
    }

    /** Names that can be written: dashes become underscores, dots become steps into maps. */
    private static Map<String, @Nullable Object> variables(Map<?, ?> members) {
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        members.forEach((name, value) -> put(variables, String.valueOf(name), value));
        return variables;
    }

    private static void put(
            Map<String, @Nullable Object> variables, String name, @Nullable Object value) {
        String[] steps = name.replace('-', '_').split("\\.", -1);
        Map<String, @Nullable Object> at = variables;
        for (int i = 0; i < steps.length - 1; i++) {
            at = child(at, steps[i]);
        }
        at.put(steps[steps.length - 1], value);
    }

    @SuppressWarnings("unchecked") // a JSON object
    private static Map<String, @Nullable Object> child(
            Map<String, @Nullable Object> parent, String name) {
        Object present = parent.get(name);
        Map<String, @Nullable Object> child = new LinkedHashMap<>();
        if (present instanceof Map<?, ?> map) {
            child.putAll((Map<String, @Nullable Object>) map);
        }
        parent.put(name, child);
        return child;
    }
}
