/**
 * The conditions of a sensor's triggers: which of its dependencies must have had their event before
 * the trigger runs.
 */
@NullMarked
package dev.millrace.expressions.condition;

import org.jspecify.annotations.NullMarked;
