/** CronWorkflows without and with a broker. */
@NullMarked
package dev.millrace.workflowengine.cron.topology;

import org.jspecify.annotations.NullMarked;
