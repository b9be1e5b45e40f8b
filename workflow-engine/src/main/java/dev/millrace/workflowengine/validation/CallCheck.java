package dev.millrace.workflowengine.validation;

import dev.millrace.expressions.govaluate.WhenCondition;
import dev.millrace.schemas.manifest.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Checks one call of a template: what it names, what it gives, how it loops. */
final class CallCheck {
    private final Source source;
    private final Templates templates;
    private final Findings findings;
    private final TagCheck tags;
    private final ParameterCheck parameters;
    private final boolean lint;

    CallCheck(
            Source source,
            Templates templates,
            Findings findings,
            TagCheck tags,
            ParameterCheck parameters,
            boolean lint) {
        this.source = source;
        this.templates = templates;
        this.findings = findings;
        this.tags = tags;
        this.parameters = parameters;
        this.lint = lint;
    }

    /** Checks a step or task by itself; returns what it calls, null if that is not known. */
    @Nullable PlacedTemplate member(String scope, Call call) {
        loop(call);
        when(call);
        return target(scope, call);
    }

    /** What a call leads to, or null; says nothing about it. */
    @Nullable PlacedTemplate found(String scope, Call call) {
        return switch (templates.target(scope, call)) {
            case Templates.Target.Missing _ -> null;
            case Templates.Target.Found(PlacedTemplate template) -> template;
        };
    }

    /**
     * Checks a hook.
     *
     * @param known what its arguments can refer to
     */
    void hook(String scope, Call call, Known known) {
        String expression = call.node().path("expression").asString("");
        if (call.role() == Call.Role.HOOK && expression.isEmpty()) {
            findings.error(
                    call.where(),
                    call.label() + ".expression is required",
                    "only the hook exit runs without one");
        }
        if (!expression.isEmpty()) {
            tags.expression(
                    expression, call.where().key("expression"), call.label() + ".expression");
        }
        tags.check(call.node(), call.where(), call.label(), known, Set.of());
        target(scope, call);
    }

    private @Nullable PlacedTemplate target(String scope, Call call) {
        JsonNode arguments = call.node().path("arguments");
        parameters.arguments(
                arguments, call.where().key("arguments"), call.label() + ".arguments", false);
        return switch (templates.target(scope, call)) {
            case Templates.Target.Missing(Where where, String message, String hint) -> {
                findings.error(where, call.label() + " " + message, hint);
                yield null;
            }
            case Templates.Target.Found(PlacedTemplate template) -> {
                boolean workflowArguments = call.isExit() && isEmpty(arguments);
                if (!workflowArguments) {
                    inputs(template, arguments, call.where(), call.label());
                } else if (!lint && !source.isTemplate()) {
                    inputs(template, source.arguments(), call.where(), call.label());
                }
                yield template;
            }
        };
    }

    private static boolean isEmpty(JsonNode arguments) {
        return arguments.path("parameters").isEmpty() && arguments.path("artifacts").isEmpty();
    }

    /** Whether a caller gives everything that a template needs. */
    void inputs(PlacedTemplate template, JsonNode arguments, Where where, String label) {
        String prefix = label.isEmpty() ? template.label() : label + " " + template.label();
        for (JsonNode input : template.inputs("parameters")) {
            String name = input.path("name").asString("");
            if (PlacedTemplate.isRequiredParameter(input)
                    && !PlacedTemplate.contains(arguments.path("parameters"), name)) {
                findings.error(
                        where,
                        prefix + " inputs.parameters." + name + " was not supplied",
                        supplied(
                                name,
                                arguments.path("parameters"),
                                template.inputs("parameters"),
                                "give it in arguments.parameters, or give the input a default"));
            }
        }
        for (JsonNode input : template.inputs("artifacts")) {
            String name = input.path("name").asString("");
            if (PlacedTemplate.isRequiredArtifact(input)
                    && !PlacedTemplate.contains(arguments.path("artifacts"), name)) {
                findings.error(
                        where,
                        prefix + " inputs.artifacts." + name + " was not supplied",
                        supplied(
                                name,
                                arguments.path("artifacts"),
                                template.inputs("artifacts"),
                                "give it in arguments.artifacts, or make the input optional"));
            }
        }
    }

    /** An argument that no input takes may have been meant. */
    private static String supplied(
            String name, JsonNode arguments, Iterable<JsonNode> inputs, String otherwise) {
        List<String> spare = new ArrayList<>();
        arguments.forEach(argument -> spare.add(argument.path("name").asString("")));
        inputs.forEach(input -> spare.remove(input.path("name").asString("")));
        return NearestName.to(name, spare)
                .map(given -> "did you mean it by '" + given + "'?")
                .orElse(otherwise);
    }

    private void loop(Call call) {
        JsonNode node = call.node();
        int loops = 0;
        for (String kind : new String[] {"withItems", "withParam", "withSequence"}) {
            loops += node.hasNonNull(kind) ? 1 : 0;
        }
        if (loops > 1) {
            findings.error(
                    call.where(),
                    call.label()
                            + " only one of withItems, withParam, withSequence can be specified");
        }
        JsonNode sequence = node.path("withSequence");
        if (sequence.isObject()) {
            boolean count = sequence.hasNonNull("count");
            boolean end = sequence.hasNonNull("end");
            if (count == end) {
                findings.error(
                        call.where().key("withSequence"),
                        call.label()
                                + (count
                                        ? ".withSequence only one of count or end can be defined"
                                        : ".withSequence must define either count or end"));
            }
        }
        JsonNode items = node.path("withItems");
        for (int i = 0; i < items.size(); i++) {
            if (items.get(i).isNull()) {
                findings.error(
                        call.where().key("withItems").index(i),
                        call.label() + " unsupported withItems type: null",
                        "items are texts, numbers, booleans, maps or lists");
            }
        }
    }

    private void when(Call call) {
        String when = call.node().path("when").asString("");
        if (!when.contains("{{")
                && WhenCondition.evaluate(when)
                        instanceof WhenCondition.Outcome.Invalid(var message)) {
            findings.warning(
                    call.where().key("when"),
                    call.label() + " " + message,
                    "as it stands, the workflow will end in an error here");
        }
    }
}
