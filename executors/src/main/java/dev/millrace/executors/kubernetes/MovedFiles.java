package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.artifact.ArtifactLocation;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;

/** The files of a step that must move into its pod or out of it, which is not possible yet. */
final class MovedFiles {

    private MovedFiles() {}

    static void refuse(StepSpec step) throws StepRefusedException {
        Inputs inputs = step.template().inputs();
        if (inputs != null) {
            for (Artifact artifact : inputs.artifacts()) {
                boolean wanted = artifact.path() != null && artifact.raw() == null;
                boolean left =
                        Boolean.TRUE.equals(artifact.optional())
                                && !ArtifactLocation.isNamed(artifact);
                if (wanted && !left) {
                    throw refused("inputs artifact", artifact.name(), "brought into");
                }
            }
        }
        Outputs outputs = step.template().outputs();
        if (outputs == null) {
            return;
        }
        for (Parameter parameter : outputs.parameters()) {
            if (parameter.valueFrom() != null && parameter.valueFrom().path() != null) {
                throw refused("outputs parameter", parameter.name(), "read out of");
            }
        }
        for (Artifact artifact : outputs.artifacts()) {
            // Logs without a path are kept from outside.
            if (artifact.path() != null) {
                throw refused("outputs artifact", artifact.name(), "stored out of");
            }
        }
    }

    private static StepRefusedException refused(String what, String name, String how) {
        return new StepRefusedException(
                "%s %s: files cannot be %s a pod yet; use the executor of local processes, the step's standard output, raw artifacts or a volume"
                        .formatted(what, name, how));
    }
}
