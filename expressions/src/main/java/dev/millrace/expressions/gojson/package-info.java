/**
 * JSON and time as Go's standard library reads and writes them. Users see these habits in events
 * and results: sorted keys, {@code <} written as {@code \u003c}, numbers kept as they were, and the
 * wording of errors.
 */
@NullMarked
package dev.millrace.expressions.gojson;

import org.jspecify.annotations.NullMarked;
