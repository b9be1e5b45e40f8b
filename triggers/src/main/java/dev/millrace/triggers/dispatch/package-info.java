/**
 * From an activation to its end: attempts, pauses, limits, dead letters. The machine is pure, the
 * dispatcher moves its records.
 */
@NullMarked
package dev.millrace.triggers.dispatch;

import org.jspecify.annotations.NullMarked;
