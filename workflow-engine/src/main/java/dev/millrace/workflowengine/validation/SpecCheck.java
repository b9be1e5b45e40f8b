package dev.millrace.workflowengine.validation;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks the workflow as a whole: entrypoint, arguments, hooks, names of templates. */
final class SpecCheck {
    private static final Map<String, List<String>> STRATEGIES =
            Map.of(
                    "podGC",
                    List.of(
                            "OnPodCompletion",
                            "OnPodSuccess",
                            "OnWorkflowCompletion",
                            "OnWorkflowSuccess"),
                    "volumeClaimGC",
                    List.of("OnWorkflowCompletion", "OnWorkflowSuccess"),
                    "artifactGC",
                    ArtifactCheck.GC_STRATEGIES);

    private final Source source;
    private final Templates templates;
    private final Findings findings;
    private final boolean lint;

    SpecCheck(Source source, Templates templates, Findings findings, boolean lint) {
        this.source = source;
        this.templates = templates;
        this.findings = findings;
        this.lint = lint;
    }

    void check(TagCheck tags, ParameterCheck parameters, CallCheck calls, Known workflow) {
        reference();
        names();
        parameters.arguments(
                source.arguments(),
                source.whereOfArguments(),
                "spec.arguments",
                lint || source.isTemplate());
        parameters
                .artifacts()
                .noReferences(source.arguments(), source.whereOfArguments(), "spec.arguments");
        entrypoint(calls);
        source.hooks().forEach(hook -> calls.hook("", hook, workflow));
        new RetryCheck(findings, tags)
                .check(source.member("retryStrategy"), source.whereOf("retryStrategy"), "spec");
        new SynchronizationCheck(findings)
                .check(source.member("synchronization"), source.whereOf("synchronization"), "spec");
        new MetricsCheck(findings)
                .check(source.member("metrics"), source.whereOf("metrics"), "spec");
        STRATEGIES.forEach(this::strategy);
    }

    private void reference() {
        Where where = source.where().key("workflowTemplateRef");
        JsonNode ref = source.spec().path("workflowTemplateRef");
        if (!ref.isObject()) {
            if (source.templates().isEmpty()) {
                findings.error(
                        source.where(),
                        "spec.templates must have at least one template",
                        "write templates, or a workflowTemplateRef");
            }
            return;
        }
        if (!source.spec().path("templates").isEmpty()) {
            findings.error(
                    source.where().key("templates"),
                    "Templates is invalid field in spec if workflow referred WorkflowTemplate reference",
                    "call templates of other objects by templateRef instead");
        }
        String name = ref.path("name").asString("");
        if (!source.baseFound()) {
            findings.error(
                    where,
                    name.isEmpty()
                            ? "workflowTemplateRef: resource name is required"
                            : "workflow template '" + name + "' not found",
                    ref.path("clusterScope").asBoolean(false)
                            ? "there is no ClusterWorkflowTemplate of this name; apply it first"
                            : "there is none in namespace "
                                    + source.namespace()
                                    + "; apply it first");
        }
    }

    private void names() {
        Set<String> seen = new HashSet<>();
        List<Source.Entry> entries = source.templates();
        for (int i = 0; i < entries.size(); i++) {
            Source.Entry entry = entries.get(i);
            Names.OF_TEMPLATES.check(
                    entry.body(), entry.where(), "spec.templates[" + i + "]", seen, findings);
        }
    }

    private void entrypoint(CallCheck calls) {
        String entrypoint = source.member("entrypoint").asString("");
        if (entrypoint.isEmpty()) {
            if (!source.isTemplate() && source.baseFound()) {
                findings.error(
                        source.where(),
                        "spec.entrypoint is required",
                        "name the template that starts");
            }
            return;
        }
        if (!source.baseFound()) {
            return;
        }
        Where where = source.whereOf("entrypoint");
        switch (templates.named("", entrypoint, where)) {
            case Templates.Target.Missing(Where at, String message, String hint) ->
                    findings.error(at, "spec.entrypoint " + message, hint);
            case Templates.Target.Found(PlacedTemplate template) -> {
                if (!lint && !source.isTemplate()) {
                    calls.inputs(template, source.arguments(), where, "");
                }
            }
        }
    }

    private void strategy(String member, List<String> strategies) {
        String strategy = source.member(member).path("strategy").asString("");
        if (!strategy.isEmpty() && !strategies.contains(strategy)) {
            findings.error(
                    source.whereOf(member).key("strategy"),
                    member + ".strategy unknown strategy '" + strategy + "'",
                    "choose one of " + String.join(", ", strategies));
        }
    }
}
