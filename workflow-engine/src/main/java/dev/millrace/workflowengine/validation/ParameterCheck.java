package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.yaml.ParameterText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Parameters as inputs, outputs and arguments: where their values may come from. */
final class ParameterCheck {
    private static final List<String> VALUE_SOURCES =
            List.of(
                    "path",
                    "jqFilter",
                    "jsonPath",
                    "parameter",
                    "expression",
                    "event",
                    "supplied",
                    "configMapKeyRef");

    private final Findings findings;
    private final TagCheck tags;
    private final ArtifactCheck artifacts;

    ParameterCheck(Findings findings, TagCheck tags) {
        this.findings = findings;
        this.tags = tags;
        this.artifacts = new ArtifactCheck(findings, tags);
    }

    /** The check of what stands beside the parameters. */
    ArtifactCheck artifacts() {
        return artifacts;
    }

    /**
     * Arguments of a workflow or a call.
     *
     * @param lenient whether a parameter may have no value
     */
    void arguments(JsonNode arguments, Where where, String label, boolean lenient) {
        JsonNode parameters = arguments.path("parameters");
        Names.OF_PARAMETERS.check(
                parameters, where.key("parameters"), label + ".parameters", findings);
        for (int i = 0; i < parameters.size(); i++) {
            JsonNode parameter = parameters.get(i);
            Where at = where.key("parameters").index(i);
            String name = label + ".parameters." + parameter.path("name").asString("");
            sources(parameter, at, name, Set.of("supplied", "configMapKeyRef", "expression"));
            enumeration(parameter, at, name);
            if (!lenient
                    && !parameter.hasNonNull("value")
                    && !parameter.hasNonNull("default")
                    && !parameter.hasNonNull("valueFrom")) {
                findings.error(
                        at,
                        name + ".value or " + name + ".valueFrom is required",
                        "give it a value");
            }
            expression(parameter, at, name);
        }
        artifacts.arguments(arguments, where, label, lenient);
    }

    void inputs(PlacedTemplate template) {
        JsonNode inputs = template.body().path("inputs");
        Where where = template.where().key("inputs");
        String label = template.label() + ".inputs";
        JsonNode parameters = inputs.path("parameters");
        Names.OF_PARAMETERS.check(
                parameters, where.key("parameters"), label + ".parameters", findings);
        for (int i = 0; i < parameters.size(); i++) {
            Where at = where.key("parameters").index(i);
            String name = label + ".parameters." + parameters.get(i).path("name").asString("");
            sources(parameters.get(i), at, name, Set.of("supplied", "configMapKeyRef"));
            enumeration(parameters.get(i), at, name);
        }
        artifacts.inputs(template);
    }

    void outputs(PlacedTemplate template, TemplateType type) {
        JsonNode outputs = template.body().path("outputs");
        Where where = template.where().key("outputs");
        String label = template.label() + ".outputs";
        JsonNode parameters = outputs.path("parameters");
        Names.OF_PARAMETERS.check(
                parameters, where.key("parameters"), label + ".parameters", findings);
        for (int i = 0; i < parameters.size(); i++) {
            Where at = where.key("parameters").index(i);
            String name = label + ".parameters." + parameters.get(i).path("name").asString("");
            outputParameter(parameters.get(i), at, name, type);
            Names.globalName(parameters.get(i), at, name, findings);
        }
        artifacts.outputs(template, type);
    }

    private void outputParameter(JsonNode parameter, Where at, String name, TemplateType type) {
        JsonNode from = parameter.path("valueFrom");
        boolean value = parameter.hasNonNull("value");
        if (value && from.isObject()) {
            findings.error(at, name + " has both valueFrom and value specified. Choose one.");
            return;
        }
        if (value) {
            return;
        }
        if (!from.isObject()) {
            findings.error(at, name + " does not have valueFrom or value specified");
            return;
        }
        List<String> given = given(from);
        if (given.isEmpty()) {
            findings.error(
                    at.key("valueFrom"),
                    name
                            + ".valueFrom type unspecified. choose one of: path, jqFilter, jsonPath, parameter, expression, supplied");
            return;
        }
        if (given.size() > 1) {
            findings.error(
                    at.key("valueFrom"),
                    name
                            + ".valueFrom multiple types specified: "
                            + String.join(", ", given)
                            + ". choose one");
            return;
        }
        TemplateType.Outputs allowed = type.outputs();
        if (!allowed.kinds().isEmpty() && !allowed.kinds().contains(given.getFirst())) {
            findings.error(
                    at.key("valueFrom"),
                    name
                            + allowed.words()
                            + " must be specified for "
                            + type.member()
                            + " templates",
                    "valueFrom." + given.getFirst() + " has no meaning here");
        }
        expression(parameter, at, name);
    }

    private void expression(JsonNode parameter, Where at, String name) {
        JsonNode expression = parameter.path("valueFrom").path("expression");
        if (expression.isString()) {
            tags.expression(
                    expression.asString(),
                    at.key("valueFrom").key("expression"),
                    name + ".valueFrom.expression");
        }
    }

    private void sources(JsonNode parameter, Where at, String name, Set<String> allowed) {
        List<String> given = new ArrayList<>(given(parameter.path("valueFrom")));
        given.removeIf(allowed::contains);
        for (String source : given) {
            findings.error(
                    at.key("valueFrom").key(source),
                    name + ".valueFrom." + source + " is not allowed here",
                    "allowed are default, "
                            + String.join(", ", allowed.stream().sorted().toList()));
        }
    }

    private static List<String> given(JsonNode valueFrom) {
        return VALUE_SOURCES.stream()
                .filter(valueFrom::hasNonNull)
                .filter(source -> !valueFrom.path(source).asString("x").isEmpty())
                .toList();
    }

    private void enumeration(JsonNode parameter, Where at, String name) {
        JsonNode members = parameter.path("enum");
        if (!members.isArray()) {
            return;
        }
        if (members.isEmpty()) {
            findings.error(at.key("enum"), name + ".enum should contain at least one value", "");
            return;
        }
        String value = ParameterText.of(parameter.path("value"));
        if (value == null || value.contains("{{")) {
            return;
        }
        List<String> texts = new ArrayList<>();
        members.forEach(member -> texts.add(String.valueOf(ParameterText.of(member))));
        if (!texts.contains(value)) {
            findings.error(
                    at.key("value"),
                    name + ".value should be present in " + name + ".enum list",
                    "choose one of " + String.join(", ", texts));
        }
    }
}
