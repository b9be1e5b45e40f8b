/**
 * From an event to activations and matches: an index over all sensors, and the consumer of events
 * that asks it.
 */
@NullMarked
package dev.millrace.sensors.matching;

import org.jspecify.annotations.NullMarked;
