/** Whether an event counts for a dependency: the filters of a dependency, one class a kind. */
@NullMarked
package dev.millrace.sensors.filter;

import org.jspecify.annotations.NullMarked;
