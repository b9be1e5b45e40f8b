/** Stories of CronWorkflows in virtual time, and properties that each of them has. */
@NullMarked
package dev.millrace.workflowengine.cron;

import org.jspecify.annotations.NullMarked;
