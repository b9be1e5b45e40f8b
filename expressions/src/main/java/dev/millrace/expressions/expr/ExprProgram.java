package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.value.GoJsonWriter;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A compiled expression. Immutable; any number of threads may evaluate it at once. */
public final class ExprProgram {

    private final String source;
    private final Step root;
    private final int slots;
    private final boolean requireBoolean;
    private final Set<String> variables;
    private final Set<List<String>> memberPaths;

    private ExprProgram(String source, ExprOptions options, Node node) {
        this.source = source;
        Assembler assembler = new Assembler(source, options);
        this.root = assembler.step(node);
        this.slots = assembler.slots();
        this.requireBoolean = options.requireBoolean();
        ReferenceCollector references = new ReferenceCollector(options);
        references.visit(node);
        this.variables = Collections.unmodifiableSet(references.variables());
        this.memberPaths = Collections.unmodifiableSet(references.paths());
    }

    /**
     * @throws ExprSyntaxException if the text is no expression, or its types cannot fit
     */
    public static ExprProgram compile(String source, ExprOptions options) {
        // A variable or host function hides the built-in function of the same name.
        Node node =
                Parser.parse(
                        source,
                        name ->
                                options.functions().containsKey(name)
                                        || options.declaredTypes().containsKey(name));
        new Checker(source, options).checkProgram(node);
        return new ExprProgram(source, options, node);
    }

    /**
     * Evaluates over the variables. Their values are as the result's: Integer is taken for Long
     * too.
     *
     * @return the value: Long (integers), Double (float64), String, Boolean, null (nil), List, Map,
     *     ZonedDateTime, Duration; lists and maps are not to be changed
     * @throws ExprEvaluationException if an operation refuses its operands or a variable is missing
     */
    public @Nullable Object evaluate(Environment env) {
        Object value = evaluateTyped(env);
        try {
            return GoType.plain(value);
        } catch (GoPanic e) {
            // The variables as a whole, which cannot be listed, are part of the result.
            throw new ExprEvaluationException(e.getMessage(), new Position(source, 0));
        }
    }

    /** The value with the types that Go would give it, for tests of the language itself. */
    @Nullable Object evaluateTyped(Environment env) {
        Object value = root.run(new Frame(env, slots));
        if (requireBoolean && !(value instanceof Boolean)) {
            throw new ExprEvaluationException(
                    "expected bool, but got " + GoType.name(value), new Position(source, 0));
        }
        return value;
    }

    /**
     * The top-level names that the program reads from its environment; functions and locals are not
     * among them.
     */
    public Set<String> variables() {
        return variables;
    }

    /**
     * The longest member paths that stand in the text, for instance {@code [steps, a, outputs,
     * result]}.
     */
    public Set<List<String>> memberPaths() {
        return memberPaths;
    }

    /**
     * The text that stands for a value in a template: a string as it is, anything else as JSON in
     * Go's form.
     *
     * @throws IllegalArgumentException if the value has no JSON form, an infinite number for
     *     instance
     */
    public static String render(@Nullable Object value) {
        if (value instanceof String text) {
            return text;
        }
        try {
            return GoJsonWriter.write(value);
        } catch (GoPanic e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
