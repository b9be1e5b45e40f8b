package dev.millrace.workflowengine.topology;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.workflowengine.core.WorkflowInput;
import org.jspecify.annotations.Nullable;

/**
 * A record that the engine reads. As JSON it is that record, so a dead letter can be sent again as
 * it is.
 */
sealed interface EngineInput {

    /** A record of {@code workflow-commands}. */
    record Command(@JsonValue WorkflowCommand command) implements EngineInput {}

    /** A record of {@code step-results}. */
    record Report(@JsonValue StepReport report) implements EngineInput {}

    /**
     * The input for the core.
     *
     * @param entity key of the record
     * @throws MisaddressedException if the record lacks what every input has, or stands under
     *     another workflow's key
     */
    default WorkflowInput forWorkflow(String entity) {
        return switch (this) {
            case Command(var c) -> {
                if (c instanceof WorkflowCommand.LockAnswer answer && answer.holder() == null) {
                    throw new MisaddressedException("the answer about locks names no holder");
                }
                addressed(entity, c.namespace(), c.name());
                required("commandId", c.commandId());
                yield new WorkflowInput.Command(c);
            }
            case Report(var r) -> {
                WorkflowRef ref = r.workflow();
                if (ref == null) {
                    throw new MisaddressedException("the step result names no workflow");
                }
                addressed(entity, ref.namespace(), ref.name());
                required("workflow.uid", ref.uid());
                required("stepId", r.stepId());
                required("nodeId", r.nodeId());
                yield new WorkflowInput.Report(r);
            }
        };
    }

    private static void addressed(
            String entity, @Nullable String namespace, @Nullable String name) {
        required("namespace", namespace);
        required("name", name);
        if (!entity.equals(namespace + "/" + name)) {
            throw new MisaddressedException(
                    "the record is about workflow %s/%s but its key is %s; send it again with its workflow as the key"
                            .formatted(namespace, name, entity));
        }
    }

    private static void required(String member, @Nullable String value) {
        if (value == null || value.isEmpty()) {
            throw new MisaddressedException("the record has no " + member);
        }
    }
}
