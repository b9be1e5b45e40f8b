/**
 * Durations as manifests write them and as messages show them: the text forms of Go's {@code
 * time.Duration}, the plain numbers and days that some fields take besides, and the rounded form of
 * messages to people.
 */
@NullMarked
package dev.millrace.expressions.duration;

import org.jspecify.annotations.NullMarked;
