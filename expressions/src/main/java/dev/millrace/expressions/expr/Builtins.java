package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoFunction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The built-in functions: what they take, what they give, and what they do. */
final class Builtins {

    /** How an argument of a function with predicates is parsed. */
    record Argument(boolean predicate, boolean optional) {}

    /**
     * @param parameters the kind of each parameter: {@code s}tring, {@code n}umber, {@code
     *     i}nteger, {@code l}ist, {@code m}ap, {@code x} anything
     * @param least how many arguments are needed
     * @param most how many are allowed; -1 for any number, each of the last kind
     */
    record Signature(String parameters, int least, int most, StaticType result, GoFunction body) {}

    private static final Argument VALUE = new Argument(false, false);
    private static final Argument PREDICATE = new Argument(true, false);
    private static final Argument OPTIONAL_VALUE = new Argument(false, true);
    private static final Argument OPTIONAL_PREDICATE = new Argument(true, true);

    private static final Map<String, List<Argument>> PREDICATES =
            Map.ofEntries(
                    Map.entry("all", List.of(VALUE, PREDICATE)),
                    Map.entry("none", List.of(VALUE, PREDICATE)),
                    Map.entry("any", List.of(VALUE, PREDICATE)),
                    Map.entry("one", List.of(VALUE, PREDICATE)),
                    Map.entry("filter", List.of(VALUE, PREDICATE)),
                    Map.entry("map", List.of(VALUE, PREDICATE)),
                    Map.entry("find", List.of(VALUE, PREDICATE)),
                    Map.entry("findIndex", List.of(VALUE, PREDICATE)),
                    Map.entry("findLast", List.of(VALUE, PREDICATE)),
                    Map.entry("findLastIndex", List.of(VALUE, PREDICATE)),
                    Map.entry("groupBy", List.of(VALUE, PREDICATE)),
                    Map.entry("count", List.of(VALUE, OPTIONAL_PREDICATE)),
                    Map.entry("sum", List.of(VALUE, OPTIONAL_PREDICATE)),
                    Map.entry("sortBy", List.of(VALUE, PREDICATE, OPTIONAL_VALUE)),
                    Map.entry("reduce", List.of(VALUE, PREDICATE, OPTIONAL_VALUE)));

    private static final Map<String, Signature> FUNCTIONS = functions();

    private Builtins() {}

    private static Map<String, Signature> functions() {
        Map<String, Signature> table = new HashMap<>();
        TextBuiltins.addTo(table);
        NumberBuiltins.addTo(table);
        CollectionBuiltins.addTo(table);
        TimeBuiltins.addTo(table);
        return Map.copyOf(table);
    }

    static boolean isPredicate(String name) {
        return PREDICATES.containsKey(name);
    }

    static List<Argument> predicateArguments(String name) {
        return PREDICATES.getOrDefault(name, List.of());
    }

    static boolean exists(String name) {
        return FUNCTIONS.containsKey(name) || PREDICATES.containsKey(name);
    }

    /**
     * @throws IllegalArgumentException if there is no such function, or it takes predicates
     */
    static Signature signature(String name) {
        Signature signature = FUNCTIONS.get(name);
        if (signature == null) {
            throw new IllegalArgumentException("no built-in function of this name: " + name);
        }
        return signature;
    }
}
