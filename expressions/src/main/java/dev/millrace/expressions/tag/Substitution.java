package dev.millrace.expressions.tag;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.gojson.GoJson;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One run over the parts of a text. */
final class Substitution {

    private final Scope scope;
    private final Mode mode;
    private final boolean jsonEscape;
    private final List<String> unresolved = new ArrayList<>();
    private @Nullable Environment environment;

    Substitution(Scope scope, Mode mode, boolean jsonEscape) {
        this.scope = scope;
        this.mode = mode;
        this.jsonEscape = jsonEscape;
    }

    Replacement apply(List<Part> parts) {
        StringBuilder out = new StringBuilder();
        Replacement obstacle = append(parts, out);
        return obstacle != null ? obstacle : new Replacement.Text(out.toString(), unresolved);
    }

    /** Appends the replaced parts; returns what stops the replacement, or null. */
    private @Nullable Replacement append(List<Part> parts, StringBuilder out) {
        for (Part part : parts) {
            Replacement obstacle =
                    switch (part) {
                        case Part.Literal(String text) -> {
                            out.append(text);
                            yield null;
                        }
                        case Part.Name name -> simple(name.inner(), name.tag().name(), mode, out);
                        case Part.Nested(List<Part> inner) -> nested(inner, out);
                        case Part.Expression expression -> expression(expression, out);
                    };
            if (obstacle != null) {
                return obstacle;
            }
        }
        return null;
    }

    private @Nullable Replacement simple(
            String inner, String name, Mode strictness, StringBuilder out) {
        return switch (scope.lookup(name)) {
            case Lookup.Value(String text) -> {
                out.append(jsonEscape ? GoJson.escape(text) : text);
                yield null;
            }
            case Lookup.NotYet(String waiting) -> new Replacement.NotYet(waiting);
            case Lookup.Absent(String absent) ->
                    new Replacement.Failed(
                            "unable to substitute {{"
                                    + inner
                                    + "}}: output is an absent optional (skipped/omitted node with no default)");
            case Lookup.Missing() ->
                    strictness == Mode.STRICT
                            ? new Replacement.Failed("failed to resolve {{" + inner + "}}")
                            : keep(inner, out);
        };
    }

    /**
     * The inner tags first; the name they make up is then known here, or it is for a later stage
     * even in a strict run.
     */
    private @Nullable Replacement nested(List<Part> parts, StringBuilder out) {
        StringBuilder inner = new StringBuilder();
        int before = unresolved.size();
        Replacement obstacle = append(parts, inner);
        if (obstacle != null) {
            return obstacle;
        }
        String name = inner.toString();
        if (unresolved.size() > before) {
            out.append("{{").append(name).append("}}");
            return null;
        }
        return simple(name, name.strip(), Mode.LENIENT, out);
    }

    private @Nullable Replacement expression(Part.Expression tag, StringBuilder out) {
        return switch (tag.compiled().get(jsonEscape, scope.options())) {
            case CompiledExpression.Broken(String message) ->
                    lenientOr(new Replacement.Failed(message), tag, out);
            case CompiledExpression.Program program -> evaluate(program, tag, out);
        };
    }

    private @Nullable Replacement evaluate(
            CompiledExpression.Program compiled, Part.Expression tag, StringBuilder out) {
        Lookup.NotYet waiting = LateVariables.waitingFor(compiled.paths(), scope);
        if (waiting != null) {
            return new Replacement.NotYet(waiting.name());
        }
        Environment environment = environment();
        if (mode == Mode.LENIENT && new LateVariables(scope, environment).isAnyUnknown(compiled)) {
            return keep("=" + tag.tag().source(), out);
        }
        try {
            Object value = compiled.program().evaluate(environment);
            if (value == null) {
                return lenientOr(
                        new Replacement.Failed(
                                "failed to evaluate expression "
                                        + GoJson.quote(tag.tag().source())),
                        tag,
                        out);
            }
            String text = ExprProgram.render(value);
            out.append(jsonEscape ? GoJson.escape(text) : text);
            return null;
        } catch (ExprEvaluationException e) {
            return lenientOr(
                    new Replacement.Failed(
                            "failed to evaluate expression: "
                                    + e.getMessage()
                                    + "\n"
                                    + e.snippet()),
                    tag,
                    out);
        } catch (IllegalArgumentException e) {
            // Rendering refuses what has no JSON form, an infinite number for instance.
            return lenientOr(
                    new Replacement.Failed(
                            "failed to marshal evaluated expression: " + e.getMessage()),
                    tag,
                    out);
        }
    }

    /** Asked for once a run: a scope may build it anew each time. */
    private Environment environment() {
        Environment known = environment;
        if (known == null) {
            known = scope.environment();
            environment = known;
        }
        return known;
    }

    private @Nullable Replacement lenientOr(
            Replacement failure, Part.Expression tag, StringBuilder out) {
        return mode == Mode.STRICT ? failure : keep("=" + tag.tag().source(), out);
    }

    private @Nullable Replacement keep(String inner, StringBuilder out) {
        unresolved.add(inner);
        out.append("{{").append(inner).append("}}");
        return null;
    }
}
