package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoOperators;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import java.util.Map;

/** Defaults, choices and questions about types, for values of any type. */
final class ValueFunctions {

    private ValueFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("default", a -> a.size() < 2 || Arguments.empty(a.get(1)) ? a.get(0) : a.get(1));
        table.put("empty", a -> Arguments.empty(a.get(0)));
        table.put(
                "coalesce",
                a -> {
                    for (Object value : a.values()) {
                        if (!Arguments.empty(value)) {
                            return value;
                        }
                    }
                    return null;
                });
        table.put("all", a -> a.values().stream().noneMatch(Arguments::empty));
        table.put("any", a -> !a.values().stream().allMatch(Arguments::empty));
        table.put("ternary", a -> a.bool(2) ? a.get(0) : a.get(1));
        table.put("typeOf", a -> GoType.name(a.get(0)));
        table.put("typeIs", a -> a.text(0).equals(GoType.name(a.get(1))));
        table.put(
                "typeIsLike",
                a ->
                        a.text(0).equals(GoType.name(a.get(1)))
                                || ("*" + a.text(0)).equals(GoType.name(a.get(1))));
        table.put("kindOf", a -> GoType.kind(a.get(0)));
        table.put("kindIs", a -> a.text(0).equals(GoType.kind(a.get(1))));
        table.put("deepEqual", a -> GoOperators.deepEqual(a.get(0), a.get(1)));
        // Values are never changed in place, so a copy need not be one.
        table.put("deepCopy", a -> a.get(0));
        table.put("mustDeepCopy", a -> a.get(0));
        table.put(
                "fail",
                a -> {
                    throw new GoPanic(a.text(0));
                });
    }
}
