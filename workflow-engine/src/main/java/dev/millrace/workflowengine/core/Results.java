package dev.millrace.workflowengine.core;

import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.Template;
import dev.millrace.schemas.workflow.ValueFrom;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What nodes give: outputs of steps that ran, and of Steps and DAG templates. */
final class Results {

    private Results() {}

    /**
     * Outputs of a leaf: the declaration with values, the exit code, and the result if it was asked
     * for. What a plugin gives beyond its declaration is kept too.
     *
     * @param variables what the outputs of the template may refer to
     * @throws CallException if a declared output cannot be had and has no default
     */
    static @Nullable Outputs ofLeaf(
            Template template, StepOutcome outcome, Supplier<Variables> variables) {
        List<Parameter> parameters = new ArrayList<>();
        Outputs declared = template.outputs();
        if (declared != null) {
            // Programs leave files, which their executor has read; an answer is only looked at
            // here.
            boolean answer = template.http() != null || template.plugin() != null;
            Variables scope =
                    answer && outcome.phase() == NodePhase.SUCCEEDED
                            ? variables.get().with(new Variables.Flat(given(outcome)))
                            : null;
            for (Parameter p : declared.parameters()) {
                String value = outcome.parameters().get(p.name());
                if (value == null && scope != null) {
                    value = ofAnswer(p, scope);
                }
                if (value != null) {
                    parameters.add(with(p, value));
                }
            }
        }
        if (template.plugin() != null) {
            outcome.parameters()
                    .forEach(
                            (name, value) -> {
                                if (parameters.stream().noneMatch(p -> p.name().equals(name))) {
                                    parameters.add(
                                            new Parameter(
                                                    name,
                                                    new Scalar(value),
                                                    null,
                                                    null,
                                                    null,
                                                    null,
                                                    null));
                                }
                            });
        }
        String exitCode = outcome.exitCode() == null ? null : outcome.exitCode().toString();
        if (parameters.isEmpty()
                && outcome.artifacts().isEmpty()
                && outcome.result() == null
                && exitCode == null) {
            return null;
        }
        return new Outputs(parameters, outcome.artifacts(), outcome.result(), exitCode);
    }

    /** What came with the answer, as the outputs of the same template may refer to it. */
    private static Map<String, String> given(StepOutcome outcome) {
        Map<String, String> all = new LinkedHashMap<>();
        if (outcome.result() != null) {
            all.put("outputs.result", outcome.result());
        }
        outcome.parameters().forEach((name, value) -> all.put("outputs.parameters." + name, value));
        return all;
    }

    /** What the answer did not say itself, or null if nothing else says it either. */
    private static @Nullable String ofAnswer(Parameter p, Variables scope) {
        ValueFrom from = p.valueFrom();
        if (from == null || from.expression() != null || from.parameter() != null) {
            return value(p, scope);
        }
        return from.defaultValue() == null ? null : from.defaultValue().text();
    }

    private static Parameter with(Parameter p, String value) {
        return new Parameter(
                p.name(),
                new Scalar(value),
                p.defaultValue(),
                p.enumValues(),
                p.description(),
                p.globalName(),
                p.valueFrom());
    }

    /**
     * Outputs of a Steps or DAG template: bare names and values, and the artifacts that they pass
     * on.
     *
     * @throws CallException if one cannot be had and has no default
     */
    static @Nullable Outputs ofOrchestrator(Called called, Variables variables) {
        Outputs declared = called.template().outputs();
        if (declared == null
                || (declared.parameters().isEmpty() && declared.artifacts().isEmpty())) {
            return null;
        }
        List<Parameter> parameters = new ArrayList<>();
        for (Parameter p : declared.parameters()) {
            parameters.add(
                    new Parameter(
                            p.name(),
                            new Scalar(value(p, variables)),
                            null,
                            null,
                            null,
                            null,
                            null));
        }
        return new Outputs(parameters, artifacts(declared, variables), null, null);
    }

    private static List<Artifact> artifacts(Outputs declared, Variables variables) {
        List<Artifact> artifacts = new ArrayList<>();
        for (Artifact artifact : declared.artifacts()) {
            ObjectNode tree = (ObjectNode) Json.tree(artifact);
            if (!ArtifactReferences.refers(tree)) {
                continue;
            }
            ObjectNode found;
            try {
                found = ArtifactReferences.find(tree, variables);
            } catch (CallException e) {
                throw new CallException("unable to resolve outputs from scope: " + e.getMessage());
            }
            if (found != null) {
                if (artifact.globalName() != null) {
                    found.put("globalName", artifact.globalName());
                }
                artifacts.add(Json.convert(found, Artifact.class));
            }
        }
        return artifacts;
    }

    private static String value(Parameter p, Variables variables) {
        ValueFrom from = p.valueFrom();
        if (from == null) {
            if (p.value() != null) {
                return p.value().text();
            }
            throw new CallException("outputs.parameters." + p.name() + " has no valueFrom");
        }
        try {
            if (from.parameter() != null) {
                return reference(p.name(), from.parameter(), variables);
            }
            if (from.expression() != null) {
                Object value = evaluate(from.expression(), variables);
                if (value == null) {
                    throw new CallException(
                            "outputs.parameters." + p.name() + ": the expression gave no value");
                }
                return ExprProgram.render(value);
            }
            throw new CallException(
                    "outputs.parameters." + p.name() + " has neither parameter nor expression");
        } catch (CallException e) {
            if (from.defaultValue() != null) {
                return from.defaultValue().text();
            }
            throw e;
        }
    }

    private static String reference(String name, String text, Variables variables) {
        return switch (TagTemplate.parse(text).replace(variables, Mode.STRICT, false)) {
            case Replacement.Text(var replaced, _) -> replaced;
            case Replacement.NotYet(var tag) ->
                    throw new CallException(
                            "outputs.parameters." + name + ": failed to resolve {{" + tag + "}}");
            case Replacement.Failed(var message) ->
                    throw new CallException("outputs.parameters." + name + ": " + message);
        };
    }

    /**
     * Evaluates an expression of a manifest.
     *
     * @throws CallException if it is no expression or cannot be evaluated
     */
    static @Nullable Object evaluate(String expression, Variables variables) {
        try {
            return ExprProgram.compile(expression, variables.options().withUndefinedVariables(true))
                    .evaluate(variables.environment());
        } catch (ExprSyntaxException | ExprEvaluationException e) {
            throw new CallException(
                    "failed to evaluate expression '" + expression + "': " + e.getMessage());
        }
    }
}
