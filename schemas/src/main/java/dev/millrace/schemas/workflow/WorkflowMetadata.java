package dev.millrace.schemas.workflow;

import java.util.Map;

/** Labels and annotations that a workflow gets at its start. */
public record WorkflowMetadata(
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, LabelValueFrom> labelsFrom) {

    public WorkflowMetadata {
        labels = labels == null ? Map.of() : labels;
        annotations = annotations == null ? Map.of() : annotations;
        labelsFrom = labelsFrom == null ? Map.of() : labelsFrom;
    }
}
