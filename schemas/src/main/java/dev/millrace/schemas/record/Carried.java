package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Outputs;
import org.jspecify.annotations.Nullable;

/**
 * A step that succeeded in an earlier workflow, so that this one need not run it.
 *
 * @param podName the name that clients knew the step by
 */
public record Carried(String podName, @Nullable Outputs outputs) {}
