package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoJsonWriter;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.jsonpath.JsonPath;
import dev.millrace.expressions.jsonpath.JsonPathException;
import dev.millrace.expressions.sprig.SprigFunctions;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The functions that expression tags of workflows have besides the built-in ones. */
final class WorkflowFunctions {

    private WorkflowFunctions() {}

    static Map<String, ExprFunction> all(InstantSource clock, RandomGenerator random) {
        Map<String, ExprFunction> table = new HashMap<>();
        SprigFunctions.all(clock, random)
                .forEach((name, function) -> table.put("sprig." + name, function::call));
        table.put("asInt", a -> NumberBuiltins.toInt(only(a)));
        table.put("asFloat", a -> NumberBuiltins.toFloat(only(a)));
        table.put("toJson", a -> GoJsonWriter.write(only(a)));
        table.put(
                "jsonpath",
                a -> {
                    if (a.size() != 2) {
                        throw new GoPanic(
                                (a.size() < 2 ? "not enough" : "too many")
                                        + " arguments to call jsonpath");
                    }
                    try {
                        return JsonPath.compile(TextBuiltins.text(a, 1))
                                .read(TextBuiltins.fromJson(TextBuiltins.text(a, 0)));
                    } catch (JsonPathException e) {
                        throw new GoPanic(e.getMessage());
                    }
                });
        table.put("now", a -> clock.instant().atZone(ZoneOffset.UTC));
        return table;
    }

    private static @Nullable Object only(List<? extends @Nullable Object> arguments) {
        if (arguments.size() != 1) {
            throw new GoPanic(
                    "invalid number of arguments (expected 1, got " + arguments.size() + ")");
        }
        return arguments.get(0);
    }
}
