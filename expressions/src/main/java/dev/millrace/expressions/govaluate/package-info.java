/**
 * The condition language of {@code when} fields and of the {@code exprs} filters of sensors, as
 * Knetic/govaluate v3 evaluates it. It has its own ways (left-associative ternaries, dates in
 * quotes become numbers, bare words), and the errors reach users, so it is written out here rather
 * than mapped to the expr language.
 */
@NullMarked
package dev.millrace.expressions.govaluate;

import org.jspecify.annotations.NullMarked;
