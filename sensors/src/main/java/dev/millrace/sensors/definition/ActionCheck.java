package dev.millrace.sensors.definition;

import dev.millrace.schemas.sensor.ArgoWorkflowTrigger;
import dev.millrace.schemas.sensor.HttpTrigger;
import dev.millrace.schemas.sensor.K8sTrigger;
import dev.millrace.schemas.sensor.LogTrigger;
import dev.millrace.schemas.sensor.TriggerAction;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.sensors.definition.SensorProblem.Effect;
import dev.millrace.sensors.definition.SensorProblem.Part;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules for the action of a trigger. */
final class ActionCheck {

    private static final Set<String> METHODS = Set.of("", "GET", "DELETE", "PATCH", "POST", "PUT");
    private static final Set<String> K8S_OPERATIONS =
            Set.of("", "create", "update", "patch", "delete");
    private static final Set<String> WORKFLOW_OPERATIONS =
            Set.of(
                    "submit",
                    "submit-from",
                    "suspend",
                    "resubmit",
                    "retry",
                    "resume",
                    "terminate",
                    "stop");

    private final String start;
    private final String owner;
    private final List<SensorProblem> problems;

    /**
     * @param owner the trigger of the sensor, which a dlqTrigger within it is not
     */
    ActionCheck(@Nullable String name, String owner, List<SensorProblem> problems) {
        this.start = "template " + name + " is invalid, ";
        this.owner = owner;
        this.problems = problems;
    }

    void action(TriggerAction action, DocumentPath path) {
        switch (action) {
            case HttpTrigger http -> http(http, path);
            case K8sTrigger k8s -> k8s(k8s, path);
            case ArgoWorkflowTrigger workflow -> workflow(workflow, path);
            case LogTrigger _ -> {}
            case TriggerAction.Other(String type, var _) ->
                    problems.add(
                            new SensorProblem(
                                    Part.TRIGGERS,
                                    path,
                                    "triggers of type " + type + " are not supported yet",
                                    "use http, argoWorkflow, k8s or log",
                                    new Effect.FailsTrigger(owner)));
        }
    }

    private void http(HttpTrigger http, DocumentPath path) {
        if (isEmpty(http.url())) {
            refuse(path.key("url"), "server URL is not specified", "");
        }
        if (!METHODS.contains(http.method() == null ? "" : http.method())) {
            refuse(
                    path.key("method"),
                    "only GET, DELETE, PATCH, POST and PUT methods are supported",
                    "");
        }
        if (http.timeout() != null && http.timeout() < 0) {
            refuse(path.key("timeout"), "timeout must not be negative", "seconds");
        }
        ParameterCheck parameters = new ParameterCheck(owner, problems);
        parameters.list(http.parameters(), path.key("parameters"), start + "resource parameter");
        parameters.httpPayload(http.payload(), path.key("payload"), start + "payload");
        parameters.list(
                http.dynamicHeaders(), path.key("dynamicHeaders"), start + "dynamic header");
    }

    private void k8s(K8sTrigger k8s, DocumentPath path) {
        if (k8s.source() == null) {
            refuse(path.key("source"), "k8s trigger does not contain an absolute action", "");
        }
        if (!K8S_OPERATIONS.contains(k8s.operation() == null ? "" : k8s.operation())) {
            refuse(
                    path.key("operation"),
                    "unknown operation type " + k8s.operation(),
                    "create, update, patch or delete");
        }
        new ParameterCheck(owner, problems)
                .list(k8s.parameters(), path.key("parameters"), start + "resource parameter");
    }

    private void workflow(ArgoWorkflowTrigger workflow, DocumentPath path) {
        if (workflow.source() == null) {
            refuse(
                    path.key("source"),
                    "argoWorkflow trigger does not contain an absolute action",
                    "add source:");
        }
        if (!WORKFLOW_OPERATIONS.contains(
                workflow.operation() == null ? "" : workflow.operation())) {
            refuse(
                    path.key("operation"),
                    "unknown operation type " + workflow.operation(),
                    "submit, submit-from, suspend, resubmit, retry, resume, terminate or stop");
        }
        new ParameterCheck(owner, problems)
                .list(workflow.parameters(), path.key("parameters"), start + "resource parameter");
    }

    private void refuse(DocumentPath path, String message, String hint) {
        problems.add(SensorProblem.trigger(path, start + message, hint));
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isEmpty();
    }
}
