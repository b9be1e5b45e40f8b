/**
 * The functions of Sprig 3.3 that expressions reach as {@code sprig.name(…)}, by name in {@code
 * SprigFunctions}.
 */
@NullMarked
package dev.millrace.expressions.sprig;

import org.jspecify.annotations.NullMarked;
