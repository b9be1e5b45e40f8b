package dev.millrace.schemas.workflow;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A task of a DAG. */
public record DagTask(
        String name,
        @Nullable String template,
        @Nullable TemplateRef templateRef,
        @Nullable Template inline,
        @Nullable Arguments arguments,
        @Nullable String when,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<JsonNode> withItems,
        @Nullable Scalar withParam,
        @Nullable Sequence withSequence,
        @Nullable ContinueOn continueOn,
        @Nullable String onExit,
        Map<String, LifecycleHook> hooks,
        List<String> dependencies,
        @Nullable String depends) {

    public DagTask {
        hooks = hooks == null ? Map.of() : hooks;
        dependencies = dependencies == null ? List.of() : dependencies;
    }
}
