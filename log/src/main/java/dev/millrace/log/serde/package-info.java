/**
 * How records get into and out of the log: JSON and CloudEvents, and the settings of every client
 * in one place, each with its reason.
 */
@NullMarked
package dev.millrace.log.serde;

import org.jspecify.annotations.NullMarked;
