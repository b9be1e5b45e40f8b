package dev.millrace.expressions.expr;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a program may refer to.
 *
 * @param allowUndefinedVariables whether a name that is not there is nil instead of an error
 * @param requireBoolean whether the result must be a bool
 * @param functions functions of the host by name, besides the built-in ones; a dot in the name puts
 *     the function into a map, so {@code sprig.trim} is the member {@code trim} of {@code sprig}
 * @param declaredTypes the types of the variables. Where it is not empty and undefined variables
 *     are not allowed, any other name is an error of {@link ExprProgram#compile}; otherwise a
 *     missing name shows in the evaluation only.
 */
public record ExprOptions(
        boolean allowUndefinedVariables,
        boolean requireBoolean,
        Map<String, ExprFunction> functions,
        Map<String, ExprType> declaredTypes) {

    private static final ExprOptions WORKFLOWS =
            workflows(InstantSource.system(), new SecureRandom());

    public ExprOptions {
        functions = Map.copyOf(functions);
        declaredTypes = Map.copyOf(declaredTypes);
    }

    /**
     * Expression tags of workflows: Sprig under {@code sprig}, {@code asInt}, {@code asFloat},
     * {@code jsonpath}, {@code toJson}.
     */
    public static ExprOptions workflows() {
        return WORKFLOWS;
    }

    /** As {@link #workflows()}, with the clock and the chance that the functions are to use. */
    public static ExprOptions workflows(InstantSource clock, RandomGenerator random) {
        return new ExprOptions(false, false, WorkflowFunctions.all(clock, random), Map.of());
    }

    /** Filters of event sources: unknown names are nil, no functions beyond the built-in ones. */
    public static ExprOptions events() {
        return new ExprOptions(true, false, Map.of(), Map.of());
    }

    /** Trigger conditions: only the declared variables exist, with these types. */
    public static ExprOptions conditions(Map<String, ExprType> variables) {
        return new ExprOptions(false, false, Map.of(), variables);
    }

    /** The same options, knowing that the variables have the types of these values. */
    public ExprOptions withTypesOf(Map<String, ? extends @Nullable Object> sample) {
        Map<String, ExprType> types = new LinkedHashMap<>();
        sample.forEach((name, value) -> types.put(name, ExprType.of(value)));
        return new ExprOptions(allowUndefinedVariables, requireBoolean, functions, types);
    }

    /** The same options with unknown names being nil or being errors. */
    public ExprOptions withUndefinedVariables(boolean allowed) {
        return new ExprOptions(allowed, requireBoolean, functions, declaredTypes);
    }

    /** The same options for a program that must give a bool. */
    public ExprOptions asBoolean() {
        return new ExprOptions(allowUndefinedVariables, true, functions, declaredTypes);
    }
}
