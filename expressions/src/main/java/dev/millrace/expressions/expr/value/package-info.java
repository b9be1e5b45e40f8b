/**
 * Values as Go has them: typed lists, sized integers, equality, arithmetic, printing ({@code fmt})
 * and JSON text ({@code encoding/json}). Both the language and the Sprig functions stand on it.
 */
@NullMarked
package dev.millrace.expressions.expr.value;

import org.jspecify.annotations.NullMarked;
