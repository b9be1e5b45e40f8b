package dev.millrace.workflowengine.validation;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Checks one template in itself, with the calls that it makes. */
final class TemplateCheck {
    private final Findings findings;
    private final TagCheck tags;
    private final ParameterCheck parameters;
    private final CallCheck calls;
    private final LeafCheck leaves;
    private final StepsCheck steps;
    private final DagCheck dags;
    private final Known workflow;

    TemplateCheck(
            Findings findings,
            TagCheck tags,
            ParameterCheck parameters,
            CallCheck calls,
            Known workflow) {
        this.findings = findings;
        this.tags = tags;
        this.parameters = parameters;
        this.calls = calls;
        this.workflow = workflow;
        this.leaves = new LeafCheck(findings);
        MemberCheck members = new MemberCheck(calls, tags, this::check);
        this.steps = new StepsCheck(findings, members);
        this.dags = new DagCheck(findings, members);
    }

    void check(PlacedTemplate template) {
        check(template, workflow);
    }

    private void check(PlacedTemplate template, Known outer) {
        List<TemplateType> types = template.types();
        if (types.size() != 1) {
            findings.error(
                    template.where(),
                    template.label()
                            + (types.isEmpty()
                                    ? " template type unspecified. choose one of: "
                                    : " multiple template types specified. choose one of: ")
                            + TemplateType.choices());
            return;
        }
        TemplateType type = types.getFirst();
        parameters.inputs(template);
        parameters.outputs(template, type);
        fields(template, type);
        new RetryCheck(findings, tags)
                .check(
                        template.body().path("retryStrategy"),
                        template.where().key("retryStrategy"),
                        template.label());
        new SynchronizationCheck(findings)
                .check(
                        template.body().path("synchronization"),
                        template.where().key("synchronization"),
                        template.label());
        new MetricsCheck(findings)
                .check(
                        template.body().path("metrics"),
                        template.where().key("metrics"),
                        template.label());
        Known base = outer.or(Scopes.ofTemplate(template));
        Known atEnd =
                switch (type) {
                    case STEPS -> steps.check(template, base);
                    case DAG -> dags.check(template, base);
                    case CONTAINER,
                            CONTAINER_SET,
                            SCRIPT,
                            RESOURCE,
                            SUSPEND,
                            DATA,
                            HTTP,
                            PLUGIN -> {
                        leaves.check(template, type);
                        yield base;
                    }
                };
        tags(template, base, atEnd);
        Call.hooks(template.body(), template.where(), template.label())
                .forEach(hook -> calls.hook(template.scope(), hook, atEnd));
    }

    private void tags(PlacedTemplate template, Known base, Known atEnd) {
        JsonNode body = template.body();
        Where where = template.where();
        tags.check(
                body,
                where,
                template.label(),
                base,
                Set.of("steps", "dag", "outputs", "hooks", "onExit"));
        tags.check(
                body.path("dag").path("target"),
                where.key("dag").key("target"),
                template.label(),
                base,
                Set.of());
        tags.check(body.path("outputs"), where.key("outputs"), template.label(), atEnd, Set.of());
    }

    private void fields(PlacedTemplate template, TemplateType type) {
        JsonNode body = template.body();
        for (String field : type.isLeaf() ? TemplateType.CALLER_ONLY : TemplateType.LEAF_ONLY) {
            if (body.hasNonNull(field)) {
                findings.error(
                        template.where().key(field),
                        template.label()
                                + "."
                                + field
                                + (type.isLeaf()
                                        ? " is only valid for steps and dag templates"
                                        : " is only valid for leaf templates"),
                        type.isLeaf()
                                ? ""
                                : "put it on the templates that are called, or use spec.activeDeadlineSeconds");
            }
        }
        JsonNode deadline = body.path("activeDeadlineSeconds");
        String seconds = deadline.asString("");
        if (!deadline.isMissingNode()
                && !deadline.isNull()
                && !seconds.contains("{{")
                && !seconds.matches("0*[1-9][0-9]*")) {
            findings.error(
                    template.where().key("activeDeadlineSeconds"),
                    template.label() + ".activeDeadlineSeconds must be a positive integer > 0");
        }
        for (String field : List.of("timeout", "pendingTimeout")) {
            Durations.check(
                    body.path(field),
                    template.where().key(field),
                    template.label() + "." + field,
                    Durations.Form.WITH_UNIT,
                    findings);
        }
        JsonNode parallelism = body.path("parallelism");
        if (parallelism.isNumber() && parallelism.asLong() < 1) {
            findings.error(
                    template.where().key("parallelism"),
                    template.label() + ".parallelism must be a positive integer > 0");
        }
        JsonNode memoize = body.path("memoize");
        if (memoize.isObject() && memoize.path("key").asString("").isEmpty()) {
            findings.error(
                    template.where().key("memoize"), template.label() + ".memoize.key is required");
        }
    }
}
