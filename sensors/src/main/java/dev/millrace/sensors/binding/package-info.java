/**
 * WorkflowEventBindings: which workflow to start for an event that was posted to the API. Start
 * reading at {@code BindingDefinition}; {@code BindingRegistry} asks all of a namespace.
 */
@NullMarked
package dev.millrace.sensors.binding;

import org.jspecify.annotations.NullMarked;
