package dev.millrace.executors;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.workflow.Template;
import org.jspecify.annotations.Nullable;

/** Steps for tests. */
public final class Steps {
    public static final WorkflowRef WORKFLOW = new WorkflowRef("argo", "wf", "uid-1");

    private Steps() {}

    /** A script template; {@code '} in the JSON stands for {@code "}. */
    public static StepSpec script(String id, String source) {
        return script(id, source, "{}", true, null);
    }

    public static StepSpec script(
            String id, String source, String more, boolean capture, @Nullable Long deadline) {
        var template = Json.object();
        template.put("name", "main");
        template.putObject("script")
                .put("image", "alpine")
                .put("source", source)
                .putArray("command")
                .add("sh");
        var extra = Json.mapper().readTree(more.replace('\'', '"'));
        extra.properties().forEach(e -> template.set(e.getKey(), e.getValue()));
        return spec(id, Json.convert(template, Template.class), capture, deadline);
    }

    public static StepSpec template(String id, String json) {
        return spec(
                id, Json.mapper().readValue(json.replace('\'', '"'), Template.class), true, null);
    }

    /** A template whose step may run so many seconds. */
    public static StepSpec withDeadline(String id, String json, long seconds) {
        return spec(
                id,
                Json.mapper().readValue(json.replace('\'', '"'), Template.class),
                true,
                seconds);
    }

    private static StepSpec spec(
            String id, Template template, boolean capture, @Nullable Long deadline) {
        return new StepSpec(
                id,
                WORKFLOW,
                "wf-123",
                "wf[0].a",
                "wf-main-123",
                template,
                capture,
                deadline,
                false);
    }

    public static StepCommand.Stop stop(String id, long graceSeconds) {
        return new StepCommand.Stop(
                id, WORKFLOW, "wf-123", "workflow shutdown with strategy:  Stop", graceSeconds);
    }
}
