/**
 * Decides which events make which triggers of sensors fire. The matcher looks at each event once,
 * by an index over all sensors; the joiner keeps what waits for other events. Nothing here acts:
 * what fires is written to the log as an activation.
 */
@NullMarked
package dev.millrace.sensors;

import org.jspecify.annotations.NullMarked;
