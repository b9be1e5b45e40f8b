/**
 * CronWorkflows on Kafka: where definitions and the lives of workflows come from, where the state
 * and its timers lie, and who carries out what was decided.
 */
@NullMarked
package dev.millrace.workflowengine.cron.topology;

import org.jspecify.annotations.NullMarked;
