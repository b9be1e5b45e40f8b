/**
 * Triggers that wait for several events: the machine that keeps one event for each dependency, and
 * its Streams application.
 */
@NullMarked
package dev.millrace.sensors.joining;

import org.jspecify.annotations.NullMarked;
