package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.yaml.ParameterText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Parameters and artifacts as inputs, outputs and arguments: where their values may come from. */
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

    ParameterCheck(Findings findings, TagCheck tags) {
        this.findings = findings;
        this.tags = tags;
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
        artifactNames(arguments, where, label);
        JsonNode artifacts = arguments.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            JsonNode artifact = artifacts.get(i);
            if (!lenient
                    && !PlacedTemplate.hasLocation(artifact)
                    && !artifact.path("optional").asBoolean(false)) {
                findings.error(
                        where.key("artifacts").index(i),
                        label
                                + ".artifacts."
                                + artifact.path("name").asString("")
                                + ".from, artifact location, or key is required");
            }
        }
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
        artifactNames(inputs, where, label);
        boolean pod = template.types().stream().anyMatch(TemplateType::isPod);
        boolean leaf = template.types().stream().allMatch(TemplateType::isLeaf);
        Set<String> paths = new HashSet<>();
        JsonNode artifacts = inputs.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            JsonNode artifact = artifacts.get(i);
            Where at = where.key("artifacts").index(i);
            String name = label + ".artifacts." + artifact.path("name").asString("");
            String path = artifact.path("path").asString("");
            if (pod && path.isEmpty()) {
                findings.error(at, name + ".path is required");
            }
            if (!leaf && !path.isEmpty()) {
                findings.error(
                        at.key("path"), name + ".path only valid in container/script templates");
            }
            pathOnce(path, at.key("path"), name, paths);
            if (artifact.hasNonNull("from") || artifact.hasNonNull("fromExpression")) {
                findings.error(
                        at,
                        name + ".from not valid in inputs",
                        "give it in the arguments of the caller");
            }
        }
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
            globalName(parameters.get(i), at, name);
        }
        artifactNames(outputs, where, label);
        JsonNode artifacts = outputs.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            JsonNode artifact = artifacts.get(i);
            Where at = where.key("artifacts").index(i);
            String name = label + ".artifacts." + artifact.path("name").asString("");
            String path = artifact.path("path").asString("");
            boolean from = artifact.hasNonNull("from") || artifact.hasNonNull("fromExpression");
            if (type.isLeaf()) {
                if (type.isPod() && type != TemplateType.DATA && path.isEmpty()) {
                    findings.error(at, name + ".path is required");
                }
                if (from) {
                    findings.error(
                            at, name + ".from only valid in outputs of steps and dag templates");
                }
            } else {
                if (!path.isEmpty()) {
                    findings.error(
                            at.key("path"),
                            name + ".path only valid in container/script templates");
                }
                if (!from) {
                    findings.error(at, name + ".from or fromExpression is required");
                }
            }
            if (artifact.hasNonNull("fromExpression")) {
                tags.expression(
                        artifact.path("fromExpression").asString(""),
                        at.key("fromExpression"),
                        name + ".fromExpression");
            }
            pathInside(path, at.key("path"), name);
            globalName(artifact, at, name);
        }
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

    private void artifactNames(JsonNode owner, Where where, String label) {
        Names.OF_PARAMETERS.check(
                owner.path("artifacts"), where.key("artifacts"), label + ".artifacts", findings);
    }

    private void globalName(JsonNode output, Where at, String name) {
        String global = output.path("globalName").asString("");
        if (!global.isEmpty() && !global.contains("{{") && !Names.OF_PARAMETERS.isValid(global)) {
            findings.error(
                    at.key("globalName"),
                    name
                            + ".globalName: '"
                            + global
                            + "' is invalid: "
                            + Names.OF_PARAMETERS.rule());
        }
    }

    /** Two inputs cannot stand at one path. */
    private void pathOnce(String path, Where at, String name, Set<String> seen) {
        pathInside(path, at, name);
        if (!path.isEmpty() && !path.contains("{{") && !seen.add(path)) {
            findings.error(at, name + ".path '" + path + "' is used by another artifact already");
        }
    }

    private void pathInside(String path, Where at, String name) {
        if (List.of(path.split("/", -1)).contains("..")) {
            findings.error(at, name + ".path '" + path + "' must not contain '..'");
        }
    }
}
