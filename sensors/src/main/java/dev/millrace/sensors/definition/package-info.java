/**
 * A Sensor manifest checked for meaning and compiled: what the matcher and the status of the sensor
 * are made of.
 */
@NullMarked
package dev.millrace.sensors.definition;

import org.jspecify.annotations.NullMarked;
