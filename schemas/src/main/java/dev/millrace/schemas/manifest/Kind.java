package dev.millrace.schemas.manifest;

import dev.millrace.schemas.event.EventBusSpec;
import dev.millrace.schemas.eventsource.EventSourceSpec;
import dev.millrace.schemas.manifest.Problem.Severity;
import dev.millrace.schemas.sensor.SensorSpec;
import dev.millrace.schemas.workflow.CronWorkflowSpec;
import dev.millrace.schemas.workflow.WorkflowEventBindingSpec;
import dev.millrace.schemas.workflow.WorkflowSpec;
import java.util.Arrays;
import java.util.Optional;

/** The kinds of objects that Millrace knows. */
public enum Kind {
    WORKFLOW("Workflow", Group.ARGO, WorkflowSpec.class, Severity.ERROR, 63),
    WORKFLOW_TEMPLATE("WorkflowTemplate", Group.ARGO, WorkflowSpec.class, Severity.ERROR, 63),
    CLUSTER_WORKFLOW_TEMPLATE(
            "ClusterWorkflowTemplate", Group.ARGO, WorkflowSpec.class, Severity.ERROR, 63),
    /** Its name is short, since the names of its workflows append a time to it. */
    CRON_WORKFLOW("CronWorkflow", Group.ARGO, CronWorkflowSpec.class, Severity.ERROR, 52),
    /** Its name becomes the value of a label. */
    WORKFLOW_EVENT_BINDING(
            "WorkflowEventBinding", Group.ARGO, WorkflowEventBindingSpec.class, Severity.ERROR, 63),
    EVENT_SOURCE("EventSource", Group.ARGO, EventSourceSpec.class, Severity.WARNING, 253),
    SENSOR("Sensor", Group.ARGO, SensorSpec.class, Severity.WARNING, 253),
    EVENT_BUS("EventBus", Group.ARGO, EventBusSpec.class, Severity.WARNING, 253),
    SECRET("Secret", Group.CORE, Secret.class, Severity.ERROR, 253),
    CONFIG_MAP("ConfigMap", Group.CORE, ConfigMap.class, Severity.ERROR, 253);

    /** API group and version of a kind. */
    enum Group {
        ARGO("argoproj.io/v1alpha1"),
        CORE("v1");

        private final String apiVersion;

        Group(String apiVersion) {
            this.apiVersion = apiVersion;
        }
    }

    private final String yamlName;
    private final Group group;
    private final Class<? extends Record> content;
    private final Severity unknownFields;
    private final int longestName;

    Kind(
            String yamlName,
            Group group,
            Class<? extends Record> content,
            Severity unknownFields,
            int longestName) {
        this.yamlName = yamlName;
        this.group = group;
        this.content = content;
        this.unknownFields = unknownFields;
        this.longestName = longestName;
    }

    /** The kind that manifests call by this name, case sensitive. */
    public static Optional<Kind> named(String yamlName) {
        return Arrays.stream(values()).filter(kind -> kind.yamlName.equals(yamlName)).findFirst();
    }

    /** The name in manifests, such as {@code WorkflowTemplate}. */
    public String yamlName() {
        return yamlName;
    }

    /** Such as {@code argoproj.io/v1alpha1}. */
    public String apiVersion() {
        return group.apiVersion;
    }

    /** Whether objects of this kind live in a namespace. */
    public boolean isNamespaced() {
        return this != CLUSTER_WORKFLOW_TEMPLATE;
    }

    /** The record of the spec, or of the whole object for kinds without one. */
    public Class<? extends Record> content() {
        return content;
    }

    /** Whether the content stands under {@code spec} rather than at the top. */
    public boolean hasSpec() {
        return group == Group.ARGO;
    }

    /**
     * How bad an unknown field is. Argo refuses unknown fields of workflows, but drops those of
     * event objects, and several of its own examples depend on that.
     */
    Severity unknownFields() {
        return unknownFields;
    }

    /** Characters that {@code metadata.name} may have. */
    int longestName() {
        return longestName;
    }

    @Override
    public String toString() {
        return yamlName;
    }
}
