package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.LifecycleHook;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.RetryStrategy;
import dev.millrace.schemas.workflow.TemplateRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The spec of the workflow that a decision is about, and the templates that it can call. */
final class Workflow {
    private static final Arguments NO_ARGUMENTS = new Arguments(List.of(), List.of());

    private final Transition transition;
    private final JsonNode spec;
    private @Nullable WorkflowVariables variables;
    private @Nullable Object variablesOf;

    Workflow(Transition transition) {
        this.transition = transition;
        this.spec = withArguments(transition, transition.source().spec());
    }

    /**
     * The spec with the arguments that come from ConfigMaps; those that stand before one may be
     * used in its name.
     */
    private static JsonNode withArguments(Transition t, JsonNode spec) {
        boolean any = false;
        for (JsonNode p : spec.path("arguments").path("parameters")) {
            any |= !p.hasNonNull("value") && p.path("valueFrom").hasNonNull("configMapKeyRef");
        }
        if (!any) {
            return spec;
        }
        // The templates stay the very same trees: they are known by that.
        ObjectNode copy = ((ObjectNode) spec).objectNode();
        copy.setAll((ObjectNode) spec);
        copy.set("arguments", spec.path("arguments").deepCopy());
        List<Parameter> known = new ArrayList<>();
        for (JsonNode p : copy.path("arguments").path("parameters")) {
            if (!p.hasNonNull("value") && p instanceof ObjectNode parameter) {
                String value =
                        ConfigMapValues.value(
                                t, parameter, Variables.of(variables(t, copy, known)));
                if (value != null) {
                    parameter.put("value", value);
                }
            }
            known.add(Json.convert(p, Parameter.class));
        }
        return copy;
    }

    private static WorkflowVariables variables(
            Transition t, JsonNode spec, List<Parameter> parameters) {
        JsonNode priority = spec.path("priority");
        return new WorkflowVariables(
                t,
                spec.path("entrypoint").asString(""),
                spec.path("serviceAccountName").asString("default"),
                parameters,
                priority.isNumber() ? priority.asInt() : null);
    }

    JsonNode spec() {
        return spec;
    }

    String entrypoint() {
        return spec.path("entrypoint").asString("");
    }

    Arguments arguments() {
        JsonNode tree = spec.path("arguments");
        return tree.isObject() ? Json.convert(tree, Arguments.class) : NO_ARGUMENTS;
    }

    @Nullable RetryStrategy retryStrategy() {
        JsonNode tree = spec.path("retryStrategy");
        return tree.isObject() ? Json.convert(tree, RetryStrategy.class) : null;
    }

    /** Most steps that may be active at a time, or 0 for no limit. */
    long parallelism() {
        return spec.path("parallelism").asLong(0);
    }

    /** The higher, the earlier it gets locks. */
    int priority() {
        return spec.path("priority").asInt(0);
    }

    /** Seconds that the whole workflow may take, or 0 for no limit. */
    long activeDeadlineSeconds() {
        return spec.path("activeDeadlineSeconds").asLong(0);
    }

    /**
     * The hooks of the workflow, the exit handler ({@code onExit} or {@code hooks.exit}) under
     * {@code exit}.
     */
    Map<String, LifecycleHook> hooks() {
        Map<String, LifecycleHook> hooks = new LinkedHashMap<>();
        spec.path("hooks")
                .properties()
                .forEach(
                        h ->
                                hooks.put(
                                        h.getKey(),
                                        Json.convert(h.getValue(), LifecycleHook.class)));
        String onExit = spec.path("onExit").asString("");
        if (!onExit.isEmpty()) {
            hooks.putIfAbsent("exit", new LifecycleHook(onExit, null, null, null));
        }
        return hooks;
    }

    /** The scope of templates that stand in the workflow itself. */
    String localScope() {
        return transition.head().fromTemplate() ? "local/" : "local/" + transition.name();
    }

    /**
     * The template that a call means.
     *
     * @param scope scope of the caller
     */
    Resolution resolve(String scope, TemplateUse use) {
        return switch (use) {
            case TemplateUse.Inline(var body) -> new Resolution.Found(body, scope);
            case TemplateUse.Named(var name) -> {
                JsonNode body =
                        scope.startsWith("local/")
                                ? local(name)
                                : transition.source().storedTemplates().get(scope + "/" + name);
                yield body == null
                        ? new Resolution.Missing("template name '" + name + "' undefined")
                        : new Resolution.Found(body, scope);
            }
            case TemplateUse.Ref(TemplateRef ref) -> {
                String object =
                        (Boolean.TRUE.equals(ref.clusterScope()) ? "cluster/" : "namespaced/")
                                + ref.name();
                JsonNode body =
                        transition.source().storedTemplates().get(object + "/" + ref.template());
                yield body == null
                        ? new Resolution.Missing(
                                "template reference '"
                                        + ref.name()
                                        + "/"
                                        + ref.template()
                                        + "' not found")
                        : new Resolution.Found(body, object);
            }
        };
    }

    private @Nullable JsonNode local(String name) {
        JsonNode templates = spec.path("templates");
        return templates.isArray() ? transition.templates(templates).get(name) : null;
    }

    /** What a template means: its body and the scope in which the names inside it are looked up. */
    sealed interface Resolution {
        record Found(JsonNode body, String scope) implements Resolution {}

        record Missing(String message) implements Resolution {}
    }

    /** The variables {@code workflow.*} as they stand now. */
    WorkflowVariables variables() {
        Object basis =
                List.of(
                        transition.head().outputs(),
                        String.valueOf(transition.head().status()),
                        transition.head().labels());
        if (variables == null || !basis.equals(variablesOf)) {
            variables = variables(transition, spec, arguments().parameters());
            variablesOf = basis;
        }
        return variables;
    }
}
