/** JSONPath for the {@code jsonpath(text, path)} function of workflow expressions. */
@NullMarked
package dev.millrace.expressions.jsonpath;

import org.jspecify.annotations.NullMarked;
