/**
 * The workflow core: {@link dev.millrace.workflowengine.core.WorkflowMachine} decides what an input
 * does to a workflow. It is pure; everything that it needs comes in as an argument. Read in this
 * order: {@code WorkflowMachine} (inputs), {@code Transition} (one decision in the making), {@code
 * Calls} (how a template is called), {@code StepsRun}, {@code DagRun}, {@code RetryRun}, {@code
 * LeafRun}, {@code HookRun} (one kind of node each), {@code RootRun} (start and end).
 */
@NullMarked
package dev.millrace.workflowengine.core;

import org.jspecify.annotations.NullMarked;
