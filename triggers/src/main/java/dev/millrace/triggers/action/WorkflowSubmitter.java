package dev.millrace.triggers.action;

import dev.millrace.schemas.record.Activation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Where workflow triggers go. Both calls may be repeated with the same activation, after a crash or
 * as a further attempt: a repeat must start nothing new.
 */
public interface WorkflowSubmitter {

    /**
     * A workflow to start.
     *
     * @param attempt from 1; make the command id of the activation's id, so that a repeat gets the
     *     first answer
     * @param namespace where it runs
     * @param name what it is called: as written, or {@code generateName} and ten characters that
     *     follow from the activation's id
     * @param manifest a Workflow with this name and namespace, its parameters filled in; it may
     *     refer to templates
     */
    record Submission(
            Activation activation, int attempt, String namespace, String name, JsonNode manifest) {}

    /**
     * Something to do with a workflow that is there, or, for {@code submit-from}, with a
     * CronWorkflow.
     *
     * @param operation {@code suspend}, {@code resume}, {@code stop}, {@code terminate}, {@code
     *     retry}, {@code resubmit} or {@code submit-from}
     * @param kind of the object that is named
     * @param generatedSuffix ten characters that follow from the activation's id, for a workflow
     *     that this makes
     * @param args of the command line that users know, {@code --node-field-selector} for instance
     */
    record Operation(
            Activation activation,
            int attempt,
            String operation,
            String namespace,
            String kind,
            String name,
            String generatedSuffix,
            List<String> args) {}

    /**
     * Starts a workflow, or has done so before for the same activation.
     *
     * @throws InterruptedException when the process closes
     */
    DispatchOutcome submit(Submission submission) throws InterruptedException;

    /**
     * Acts on an object.
     *
     * @throws InterruptedException when the process closes
     */
    DispatchOutcome act(Operation operation) throws InterruptedException;

    /** The labels that a workflow has now, empty if there is none of the name. */
    Optional<Map<String, String>> labels(String namespace, String name);
}
