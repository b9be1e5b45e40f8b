package dev.millrace.triggers.action;

import dev.millrace.log.ConfigMaps;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.sensor.ArgoWorkflowTrigger;
import dev.millrace.schemas.sensor.K8sTrigger;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Starts workflows and acts on them, in this installation rather than by a command line. */
public final class WorkflowExecutor implements TriggerExecutor<ArgoWorkflowTrigger> {

    private final WorkflowSubmitter submitter;
    private final ResourceSource sources;
    private final LabelPolicy policy = new LabelPolicy(Thread::sleep);

    public WorkflowExecutor(WorkflowSubmitter submitter, ConfigMaps configMaps) {
        this.submitter = submitter;
        this.sources = new ResourceSource(configMaps);
    }

    @Override
    public DispatchOutcome execute(Attempt attempt, ArgoWorkflowTrigger action)
            throws InterruptedException {
        return switch (sources.fetch(attempt, action.source(), action.parameters())) {
            case ResourceSource.Fetched.Failed(String message) ->
                    new DispatchOutcome.Failed(message);
            case ResourceSource.Fetched.Unsupported(String message) ->
                    new DispatchOutcome.Refused(message);
            case ResourceSource.Fetched.Done(ObjectNode object) ->
                    operate(attempt, String.valueOf(action.operation()), object, action.args());
        };
    }

    /** The k8s trigger: what it can create here is workflows. */
    public TriggerExecutor<K8sTrigger> k8s() {
        return this::create;
    }

    private DispatchOutcome create(Attempt attempt, K8sTrigger action) throws InterruptedException {
        String operation =
                action.operation() == null || action.operation().isEmpty()
                        ? "create"
                        : action.operation();
        return switch (sources.fetch(attempt, action.source(), action.parameters())) {
            case ResourceSource.Fetched.Failed(String message) ->
                    new DispatchOutcome.Failed(message);
            case ResourceSource.Fetched.Unsupported(String message) ->
                    new DispatchOutcome.Refused(message);
            case ResourceSource.Fetched.Done(ObjectNode object) -> {
                String kind = object.path("kind").asString("");
                yield operation.equals("create") && kind.equals("Workflow")
                        ? submit(attempt, object, List.of())
                        : new DispatchOutcome.Refused(
                                "cannot "
                                        + operation
                                        + " a "
                                        + (kind.isEmpty() ? "object without kind" : kind)
                                        + ": no cluster is connected; what can be done here is to"
                                        + " create a Workflow");
            }
        };
    }

    private DispatchOutcome operate(
            Attempt attempt, String operation, ObjectNode object, List<String> args)
            throws InterruptedException {
        String kind = object.path("kind").asString("");
        return switch (operation) {
            case "submit" ->
                    kind.equals("Workflow")
                            ? submit(attempt, object, args)
                            : new DispatchOutcome.Refused(
                                    "operation submit needs a Workflow, not a " + kind);
            case "submit-from" -> submitFrom(attempt, kind, object, args);
            case "suspend", "resume", "stop", "terminate", "retry", "resubmit" ->
                    act(attempt, operation, kind.isEmpty() ? "Workflow" : kind, object, args);
            default -> new DispatchOutcome.Refused("unknown operation type " + operation);
        };
    }

    private DispatchOutcome submitFrom(
            Attempt attempt, String kind, ObjectNode object, List<String> args)
            throws InterruptedException {
        return switch (kind) {
            case "WorkflowTemplate" -> submit(attempt, fromTemplate(object), args);
            case "CronWorkflow" -> act(attempt, "submit-from", kind, object, args);
            default ->
                    new DispatchOutcome.Refused(
                            "operation submit-from needs a WorkflowTemplate or CronWorkflow, not a "
                                    + kind);
        };
    }

    /** A workflow of the template, with the arguments that stand in the trigger's object. */
    private static ObjectNode fromTemplate(ObjectNode template) {
        String name = template.path("metadata").path("name").asString("");
        ObjectNode workflow = Json.object();
        workflow.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        ObjectNode metadata = workflow.putObject("metadata").put("generateName", name + "-");
        String namespace = template.path("metadata").path("namespace").asString("");
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        ObjectNode spec = workflow.putObject("spec");
        spec.putObject("workflowTemplateRef").put("name", name);
        JsonNode arguments = template.path("spec").path("arguments");
        if (arguments.isObject()) {
            spec.set("arguments", arguments.deepCopy());
        }
        return workflow;
    }

    private DispatchOutcome submit(Attempt attempt, ObjectNode object, List<String> args)
            throws InterruptedException {
        ObjectNode workflow = object.deepCopy();
        if (SubmitArguments.write(args, workflow)
                instanceof SubmitArguments.Written.Unsupported(String message)) {
            return new DispatchOutcome.Refused(message);
        }
        Activation activation = attempt.activation();
        ObjectNode metadata = SubmitArguments.member(workflow, "metadata");
        String generateName = metadata.path("generateName").asString("");
        String name = metadata.path("name").asString("");
        if (name.isEmpty() && generateName.isEmpty()) {
            return new DispatchOutcome.Refused(
                    "the workflow has neither metadata.name nor metadata.generateName");
        }
        if (name.isEmpty()) {
            name = generateName + WorkflowName.suffix(activation.id());
            metadata.put("name", name);
        }
        String namespace = namespace(activation, workflow);
        metadata.put("namespace", namespace);
        if (activation.kind() == null) {
            ObjectNode labels = SubmitArguments.member(metadata, "labels");
            labels.put("events.argoproj.io/sensor", activation.sensor());
            labels.put("events.argoproj.io/trigger", activation.trigger());
            labels.put(
                    "events.argoproj.io/action-timestamp",
                    Long.toString(activation.at().toEpochMilli()));
        }
        DispatchOutcome made =
                submitter.submit(
                        new WorkflowSubmitter.Submission(
                                activation, attempt.number(), namespace, name, workflow));
        String submitted = name;
        return policy.judge(
                attempt.policy() == null ? null : attempt.policy().k8s(),
                made,
                () -> submitter.labels(namespace, submitted));
    }

    private DispatchOutcome act(
            Attempt attempt, String operation, String kind, ObjectNode object, List<String> args)
            throws InterruptedException {
        String name = object.path("metadata").path("name").asString("");
        if (name.isEmpty()) {
            return new DispatchOutcome.Refused(
                    "operation " + operation + " needs metadata.name in its source");
        }
        Activation activation = attempt.activation();
        return submitter.act(
                new WorkflowSubmitter.Operation(
                        activation,
                        attempt.number(),
                        operation,
                        namespace(activation, object),
                        kind,
                        name,
                        WorkflowName.suffix(activation.id()),
                        args));
    }

    /** The object's, else the sensor's. */
    private static String namespace(Activation activation, ObjectNode object) {
        String own = object.path("metadata").path("namespace").asString("");
        return own.isEmpty() ? activation.namespace() : own;
    }
}
