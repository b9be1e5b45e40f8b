/**
 * Runs a workflow without anything around it: steps end as they are told, and time is what the next
 * thing that happens says. Pure, so the same workflow and steps give the same story.
 */
@NullMarked
package dev.millrace.workflowengine.simulation;

import org.jspecify.annotations.NullMarked;
