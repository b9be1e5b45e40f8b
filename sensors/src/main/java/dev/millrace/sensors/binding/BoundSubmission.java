package dev.millrace.sensors.binding;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.WorkflowEventBindingSpec.Submit;
import dev.millrace.schemas.workflow.WorkflowEventBindingSpec.SubmitMetadata;
import dev.millrace.schemas.yaml.DocumentPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a binding submits.
 *
 * @param parameters in their order; null where a parameter has no {@code valueFrom.event}
 */
record BoundSubmission(
        String namespace,
        String binding,
        String template,
        boolean clusterScope,
        @Nullable BindingExpression name,
        @Nullable BindingExpression generateName,
        Map<String, BindingExpression> labels,
        Map<String, BindingExpression> annotations,
        Map<String, Optional<BindingExpression>> parameters,
        List<Artifact> artifacts) {

    private static final String PREFIX = "workflows.argoproj.io/";

    static BoundSubmission compile(
            String namespace, String binding, Submit submit, DocumentPath path) {
        SubmitMetadata metadata =
                submit.metadata() == null
                        ? new SubmitMetadata(null, null, Map.of(), Map.of())
                        : submit.metadata();
        Arguments arguments =
                submit.arguments() == null
                        ? new Arguments(List.of(), List.of())
                        : submit.arguments();
        DocumentPath metadataPath = path.key("metadata");
        return new BoundSubmission(
                namespace,
                binding,
                String.valueOf(submit.workflowTemplateRef().name()),
                Boolean.TRUE.equals(submit.workflowTemplateRef().clusterScope()),
                optional(metadataPath.key("name"), "name", metadata.name()),
                optional(metadataPath.key("generateName"), "generateName", metadata.generateName()),
                all(metadataPath.key("labels"), "label", metadata.labels()),
                all(metadataPath.key("annotations"), "annotation", metadata.annotations()),
                parameters(path.key("arguments").key("parameters"), arguments.parameters()),
                arguments.artifacts());
    }

    /**
     * @throws BindingException if an expression has no usable value
     */
    ObjectNode workflow(Environment event) {
        ObjectNode workflow = Json.object();
        workflow.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        ObjectNode metadata = workflow.putObject("metadata").put("namespace", namespace);
        metadata.put(
                "generateName", generateName == null ? template + "-" : generateName.text(event));
        if (name != null) {
            metadata.put("name", name.text(event));
        }
        ObjectNode labelled = metadata.putObject("labels");
        labelled.put(
                PREFIX + (clusterScope ? "cluster-workflow-template" : "workflow-template"),
                template);
        labels.forEach((key, value) -> labelled.put(key, value.text(event)));
        labelled.put(PREFIX + "workflow-event-binding", binding);
        ObjectNode annotated = metadata.putObject("annotations");
        annotations.forEach((key, value) -> annotated.put(key, value.text(event)));
        ObjectNode spec = workflow.putObject("spec");
        ObjectNode reference = spec.putObject("workflowTemplateRef").put("name", template);
        if (clusterScope) {
            reference.put("clusterScope", true);
        }
        ObjectNode arguments = spec.putObject("arguments");
        ArrayNode list = arguments.putArray("parameters");
        parameters.forEach(
                (parameter, value) ->
                        list.addObject()
                                .put("name", parameter)
                                .put("value", value(parameter, value, event)));
        if (!artifacts.isEmpty()) {
            arguments.set("artifacts", Json.tree(artifacts));
        }
        return workflow;
    }

    List<BindingExpression> expressions() {
        List<BindingExpression> all = new ArrayList<>();
        Stream.of(name, generateName).flatMap(Stream::ofNullable).forEach(all::add);
        all.addAll(labels.values());
        all.addAll(annotations.values());
        parameters.values().forEach(value -> value.ifPresent(all::add));
        return all;
    }

    private static String value(
            String parameter, Optional<BindingExpression> expression, Environment event) {
        Object value =
                expression
                        .orElseThrow(
                                () ->
                                        new BindingException(
                                                "malformed workflow template parameter \"%s\": valueFrom.event is missing"
                                                        .formatted(parameter)))
                        .evaluate(event);
        try {
            return ExprProgram.render(value);
        } catch (IllegalArgumentException e) {
            throw new BindingException(
                    "failed to convert the result of parameter \"%s\" to JSON: %s"
                            .formatted(parameter, e.getMessage()));
        }
    }

    private static @Nullable BindingExpression optional(
            DocumentPath path, String name, @Nullable String text) {
        return text == null || text.isEmpty() ? null : BindingExpression.of(path, name, text);
    }

    private static Map<String, BindingExpression> all(
            DocumentPath path, String name, Map<String, String> texts) {
        Map<String, BindingExpression> expressions = new TreeMap<>();
        texts.forEach(
                (key, text) ->
                        expressions.put(
                                key,
                                BindingExpression.of(
                                        path.key(key), "%s \"%s\"".formatted(name, key), text)));
        return expressions;
    }

    private static Map<String, Optional<BindingExpression>> parameters(
            DocumentPath path, List<Parameter> parameters) {
        Map<String, Optional<BindingExpression>> expressions = new LinkedHashMap<>();
        for (int i = 0; i < parameters.size(); i++) {
            int at = i;
            Parameter parameter = parameters.get(at);
            String text = parameter.valueFrom() == null ? null : parameter.valueFrom().event();
            expressions.put(
                    parameter.name(),
                    Optional.ofNullable(text)
                            .map(
                                    t ->
                                            BindingExpression.of(
                                                    path.index(at).key("valueFrom").key("event"),
                                                    "template parameter \"%s\""
                                                            .formatted(parameter.name()),
                                                    t)));
        }
        return expressions;
    }
}
