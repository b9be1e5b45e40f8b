/**
 * CronWorkflows: when a workflow is to start, whether it may, and what becomes of those that did.
 * {@link dev.millrace.workflowengine.cron.CronMachine} decides; it has no clock and no I/O.
 */
@NullMarked
package dev.millrace.workflowengine.cron;

import org.jspecify.annotations.NullMarked;
