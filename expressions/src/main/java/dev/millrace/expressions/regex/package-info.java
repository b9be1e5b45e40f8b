/** Regular expressions as Go reads them. */
@NullMarked
package dev.millrace.expressions.regex;

import org.jspecify.annotations.NullMarked;
