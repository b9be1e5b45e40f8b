package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks with dependencies. */
public record DagTemplate(
        @Nullable String target, List<DagTask> tasks, @Nullable Boolean failFast) {

    public DagTemplate {
        tasks = tasks == null ? List.of() : tasks;
    }
}
