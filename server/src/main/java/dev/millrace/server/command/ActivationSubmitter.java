package dev.millrace.server.command;

import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.Origin;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.server.manifests.ManifestStore;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowRows;
import dev.millrace.triggers.action.DispatchOutcome;
import dev.millrace.triggers.action.SubmitArguments;
import dev.millrace.triggers.action.WorkflowSubmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Workflow triggers, as commands whose id is the activation's: a repeat of an activation gets the
 * first answer and starts nothing.
 */
public final class ActivationSubmitter implements WorkflowSubmitter {

    private final WorkflowSubmission submission;
    private final WorkflowCommands commands;
    private final ReadModel model;
    private final ManifestStore manifests;
    private final FromTemplate fromTemplate;

    public ActivationSubmitter(
            WorkflowSubmission submission,
            WorkflowCommands commands,
            ReadModel model,
            ManifestStore manifests,
            FromTemplate fromTemplate) {
        this.submission = submission;
        this.commands = commands;
        this.model = model;
        this.manifests = manifests;
        this.fromTemplate = fromTemplate;
    }

    @Override
    public DispatchOutcome submit(Submission wanted) {
        ObjectNode tree =
                WorkflowSubmission.normalized(wanted.manifest(), Kind.WORKFLOW, wanted.namespace());
        tree.withObject("/metadata").put("name", wanted.name());
        return start(wanted.activation(), wanted.namespace(), wanted.name(), tree, Map.of());
    }

    @Override
    public DispatchOutcome act(Operation operation) {
        String id = operation.activation().id();
        String namespace = operation.namespace();
        String name = operation.name();
        if (operation.kind().equals(Kind.CRON_WORKFLOW.yamlName())) {
            return onCron(operation);
        }
        String selector = option(operation.args(), "--node-field-selector");
        return switch (operation.operation()) {
            case "suspend" -> execute(new WorkflowCommand.Suspend(id, namespace, name));
            case "resume" ->
                    execute(new WorkflowCommand.Resume(id, namespace, name, selector, null));
            case "stop" ->
                    execute(
                            new WorkflowCommand.Shutdown(
                                    id,
                                    namespace,
                                    name,
                                    ShutdownStrategy.STOP,
                                    selector,
                                    option(operation.args(), "--message")));
            case "terminate" ->
                    execute(
                            new WorkflowCommand.Shutdown(
                                    id, namespace, name, ShutdownStrategy.TERMINATE, null, null));
            case "retry" -> retry(operation, selector);
            case "resubmit" -> resubmit(operation);
            default ->
                    new DispatchOutcome.Refused(
                            "the operation " + operation.operation() + " is not built");
        };
    }

    @Override
    public Optional<Map<String, String>> labels(String namespace, String name) {
        return model.read(handle -> WorkflowRows.in(handle).find(namespace, name))
                .map(found -> found.row().labels());
    }

    private DispatchOutcome retry(Operation operation, @Nullable String selector) {
        try {
            return execute(
                    new WorkflowCommand.Retry(
                            operation.activation().id(),
                            operation.namespace(),
                            operation.name(),
                            flag(operation.args(), "--restart-successful"),
                            selector,
                            Resubmission.parameters(parameters(operation.args()))));
        } catch (RefusedException e) {
            return outcome(e);
        }
    }

    private DispatchOutcome onCron(Operation operation) {
        String namespace = operation.namespace();
        String name = operation.name();
        return switch (operation.operation()) {
            case "submit-from" -> submitFrom(operation);
            case "suspend" -> suspendCron(namespace, name, true);
            case "resume" -> suspendCron(namespace, name, false);
            default ->
                    new DispatchOutcome.Refused(
                            "a CronWorkflow can be suspended, resumed and submitted from; "
                                    + operation.operation()
                                    + " is for workflows");
        };
    }

    private DispatchOutcome suspendCron(String namespace, String name, boolean suspended) {
        try {
            manifests.suspendCron(namespace, name, suspended);
            return new DispatchOutcome.Succeeded("cron workflow " + namespace + "/" + name);
        } catch (RefusedException e) {
            return outcome(e);
        }
    }

    private DispatchOutcome resubmit(Operation operation) {
        return model.read(
                        handle ->
                                WorkflowRows.in(handle)
                                        .find(operation.namespace(), operation.name()))
                .map(
                        found -> {
                            ArrayNode parameters = Json.mapper().createArrayNode();
                            parameters(operation.args()).forEach(parameters::add);
                            try {
                                return generated(
                                        operation,
                                        Resubmission.of(found.render(), parameters),
                                        flag(operation.args(), "--memoized")
                                                ? Resubmission.done(found.state())
                                                : Map.of());
                            } catch (RefusedException e) {
                                return outcome(e);
                            }
                        })
                .orElseGet(
                        () ->
                                new DispatchOutcome.Refused(
                                        RefusedException.notFound("workflows", operation.name())
                                                .reason()));
    }

    private DispatchOutcome submitFrom(Operation operation) {
        ObjectNode request = Json.object();
        request.put("resourceKind", operation.kind()).put("resourceName", operation.name());
        try {
            ObjectNode tree = fromTemplate.workflow(operation.namespace(), request);
            return SubmitArguments.write(operation.args(), tree)
                            instanceof SubmitArguments.Written.Unsupported(String message)
                    ? new DispatchOutcome.Refused(message)
                    : generated(operation, tree, Map.of());
        } catch (RefusedException e) {
            return outcome(e);
        }
    }

    private DispatchOutcome generated(
            Operation operation, ObjectNode tree, Map<String, Carried> done) {
        ObjectNode metadata = tree.withObject("/metadata");
        String given = metadata.path("name").asString("");
        String name =
                given.isEmpty()
                        ? metadata.path("generateName").asString("") + operation.generatedSuffix()
                        : given;
        metadata.put("name", name);
        return start(operation.activation(), operation.namespace(), name, tree, done);
    }

    private DispatchOutcome start(
            Activation activation,
            String namespace,
            String name,
            ObjectNode tree,
            Map<String, Carried> done) {
        Origin origin =
                new Origin(
                        activation.sensor(),
                        activation.trigger(),
                        activation.id(),
                        null,
                        activation.kind());
        try {
            commands.execute(submission.command(tree, activation.id(), origin).carrying(done));
            return new DispatchOutcome.Succeeded("workflow " + namespace + "/" + name);
        } catch (RefusedException e) {
            // A repeat that comes so late that the engine has dropped its answer.
            return e.code() == RefusedException.Code.ALREADY_EXISTS
                            && isOurs(activation, namespace, name)
                    ? new DispatchOutcome.Succeeded("workflow " + namespace + "/" + name)
                    : outcome(e);
        }
    }

    private boolean isOurs(Activation activation, String namespace, String name) {
        return model.read(handle -> WorkflowRows.in(handle).startedBy(activation.id()))
                .contains(namespace + "/" + name);
    }

    private DispatchOutcome execute(WorkflowCommand command) {
        try {
            commands.execute(command);
            return new DispatchOutcome.Succeeded(
                    "workflow " + command.namespace() + "/" + command.name());
        } catch (RefusedException e) {
            return outcome(e);
        }
    }

    static DispatchOutcome outcome(RefusedException e) {
        return switch (e.code()) {
            case UNIMPLEMENTED -> new DispatchOutcome.Refused(e.reason());
            // A template that is missing now may come, a workflow may go, a name may become free.
            case INVALID_ARGUMENT,
                    NOT_FOUND,
                    ALREADY_EXISTS,
                    PERMISSION_DENIED,
                    FAILED_PRECONDITION,
                    UNAUTHENTICATED,
                    UNKNOWN,
                    RESOURCE_EXHAUSTED,
                    INTERNAL ->
                    new DispatchOutcome.Failed(e.reason());
            // The log or the engine is late, which is no failure of the trigger: the same command
            // is sent again until it is answered, and the engine does it once.
            case DEADLINE_EXCEEDED, UNAVAILABLE -> throw new InfrastructureException(e.reason(), e);
        };
    }

    private static boolean flag(List<String> args, String name) {
        return args.contains(name) || args.contains(name + "=true");
    }

    /** The values of {@code -p} and {@code --parameter}. */
    private static List<String> parameters(List<String> args) {
        List<String> parameters = new ArrayList<>();
        for (int i = 0; i < args.size(); i++) {
            String arg = args.get(i);
            if ((arg.equals("-p") || arg.equals("--parameter")) && i + 1 < args.size()) {
                parameters.add(args.get(++i));
            } else if (arg.startsWith("-p=") || arg.startsWith("--parameter=")) {
                parameters.add(arg.substring(arg.indexOf('=') + 1));
            }
        }
        return parameters;
    }

    private static @Nullable String option(List<String> args, String name) {
        for (int i = 0; i < args.size(); i++) {
            if (args.get(i).startsWith(name + "=")) {
                return args.get(i).substring(name.length() + 1);
            }
            if (args.get(i).equals(name) && i + 1 < args.size()) {
                return args.get(i + 1);
            }
        }
        return null;
    }
}
