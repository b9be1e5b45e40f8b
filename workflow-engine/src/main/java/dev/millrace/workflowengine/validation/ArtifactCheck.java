package dev.millrace.workflowengine.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Artifacts as inputs, outputs and arguments: where they come from and where they lie. */
final class ArtifactCheck {
    /** When an artifact may be deleted. */
    static final List<String> GC_STRATEGIES =
            List.of("OnWorkflowCompletion", "OnWorkflowDeletion", "Never");

    private static final Pattern REFERENCE =
            Pattern.compile(
                    "(inputs|workflow\\.outputs|(steps|tasks)\\..+\\.outputs)\\.artifacts\\.[^.]+");

    private final Findings findings;
    private final TagCheck tags;

    ArtifactCheck(Findings findings, TagCheck tags) {
        this.findings = findings;
        this.tags = tags;
    }

    /**
     * Artifacts that a workflow or a call supplies.
     *
     * @param lenient whether an artifact may have no place
     */
    void arguments(JsonNode arguments, Where where, String label, boolean lenient) {
        names(arguments, where, label);
        JsonNode artifacts = arguments.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            JsonNode artifact = artifacts.get(i);
            Where at = where.key("artifacts").index(i);
            String name = name(label, artifact);
            if (!lenient
                    && !PlacedTemplate.hasLocation(artifact)
                    && !artifact.path("optional").asBoolean(false)) {
                findings.error(at, name + ".from, artifact location, or key is required");
            }
            reference(artifact, at, name);
        }
    }

    /** A workflow has nothing before it that its arguments could refer to. */
    void noReferences(JsonNode arguments, Where where, String label) {
        JsonNode artifacts = arguments.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            if (refers(artifacts.get(i))) {
                findings.error(
                        where.key("artifacts").index(i),
                        name(label, artifacts.get(i)) + ".from not valid in workflow arguments",
                        "say where it lies, or give it in raw.data");
            }
        }
    }

    void inputs(PlacedTemplate template) {
        JsonNode inputs = template.body().path("inputs");
        Where where = template.where().key("inputs");
        String label = template.label() + ".inputs";
        names(inputs, where, label);
        boolean pod = template.types().stream().anyMatch(TemplateType::isPod);
        boolean leaf = template.types().stream().allMatch(TemplateType::isLeaf);
        Set<String> paths = new HashSet<>();
        JsonNode artifacts = inputs.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            JsonNode artifact = artifacts.get(i);
            Where at = where.key("artifacts").index(i);
            String name = name(label, artifact);
            String path = artifact.path("path").asString("");
            if (pod && path.isEmpty()) {
                findings.error(at, name + ".path is required");
            }
            if (!leaf && !path.isEmpty()) {
                findings.error(
                        at.key("path"), name + ".path only valid in container/script templates");
            }
            pathOnce(path, at.key("path"), name, paths);
            if (refers(artifact)) {
                findings.error(
                        at,
                        name + ".from not valid in inputs",
                        "give it in the arguments of the caller");
            }
            mode(artifact, at, name);
        }
    }

    void outputs(PlacedTemplate template, TemplateType type) {
        JsonNode outputs = template.body().path("outputs");
        Where where = template.where().key("outputs");
        String label = template.label() + ".outputs";
        names(outputs, where, label);
        JsonNode artifacts = outputs.path("artifacts");
        for (int i = 0; i < artifacts.size(); i++) {
            JsonNode artifact = artifacts.get(i);
            Where at = where.key("artifacts").index(i);
            String name = name(label, artifact);
            String path = artifact.path("path").asString("");
            if (type.isLeaf()) {
                ofLeaf(artifact, type, at, name);
            } else {
                if (!path.isEmpty()) {
                    findings.error(
                            at.key("path"),
                            name + ".path only valid in container/script templates");
                }
                if (!refers(artifact)) {
                    findings.error(at, name + ".from or fromExpression is required");
                }
                reference(artifact, at, name);
            }
            pathInside(path, at.key("path"), name);
            Names.globalName(artifact, at, name, findings);
            strategy(artifact, at, name);
        }
    }

    private void ofLeaf(JsonNode artifact, TemplateType type, Where at, String name) {
        if (type.isPod()
                && type != TemplateType.DATA
                && artifact.path("path").asString("").isEmpty()) {
            findings.error(at, name + ".path is required");
        }
        if (refers(artifact)) {
            findings.error(at, name + ".from only valid in outputs of steps and dag templates");
        }
        for (String store : List.of("git", "raw")) {
            if (artifact.hasNonNull(store)) {
                findings.error(
                        at.key(store),
                        name + "." + store + " cannot be written to",
                        "outputs go to local, s3 or http");
            }
        }
    }

    private static String name(String label, JsonNode artifact) {
        return label + ".artifacts." + artifact.path("name").asString("");
    }

    private static boolean refers(JsonNode artifact) {
        return artifact.hasNonNull("from") || artifact.hasNonNull("fromExpression");
    }

    /** What an artifact refers to must be one artifact. */
    private void reference(JsonNode artifact, Where at, String name) {
        if (artifact.hasNonNull("from") && artifact.hasNonNull("fromExpression")) {
            findings.error(at, name + " has both from and fromExpression specified. Choose one.");
        }
        if (artifact.hasNonNull("fromExpression")) {
            tags.expression(
                    artifact.path("fromExpression").asString(""),
                    at.key("fromExpression"),
                    name + ".fromExpression");
        }
        String from = artifact.path("from").asString("").strip();
        if (from.isEmpty()) {
            return;
        }
        boolean tag = from.startsWith("{{") && from.endsWith("}}");
        String inside = tag ? from.substring(2, from.length() - 2).strip() : from;
        if (!tag
                || !(inside.contains("{{")
                        || inside.startsWith("=")
                        || REFERENCE.matcher(inside).matches())) {
            findings.error(
                    at.key("from"),
                    name + ".from '" + from + "' is not an artifact",
                    "refer to one, such as {{steps.a.outputs.artifacts.b}} or {{inputs.artifacts.b}}");
        }
    }

    private void mode(JsonNode artifact, Where at, String name) {
        JsonNode mode = artifact.path("mode");
        if (mode.isNumber() && (mode.asInt() < 0 || mode.asInt() > 0777)) {
            findings.error(
                    at.key("mode"),
                    name + ".mode must be between 0 and 0777 (511)",
                    "an octal number begins with 0");
        }
    }

    private void strategy(JsonNode artifact, Where at, String name) {
        String strategy = artifact.path("artifactGC").path("strategy").asString("");
        if (!strategy.isEmpty() && !GC_STRATEGIES.contains(strategy)) {
            findings.error(
                    at.key("artifactGC").key("strategy"),
                    name + ".artifactGC.strategy unknown strategy '" + strategy + "'",
                    "choose one of " + String.join(", ", GC_STRATEGIES));
        }
    }

    private void names(JsonNode owner, Where where, String label) {
        Names.OF_PARAMETERS.check(
                owner.path("artifacts"), where.key("artifacts"), label + ".artifacts", findings);
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
