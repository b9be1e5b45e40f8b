/**
 * Schedules of calendars and cron workflows. The times follow the rules of robfig/cron v3 to the
 * second, daylight saving changes included, because that is what the manifests were written
 * against; cron-utils puts a schedule into words.
 */
@NullMarked
package dev.millrace.expressions.cron;

import org.jspecify.annotations.NullMarked;
