/**
 * Carries out what sensors decided: takes an activation from the log, fills in its parameters,
 * acts, and tries again until it is done or becomes a dead letter. Whether to fire is decided
 * elsewhere.
 */
@NullMarked
package dev.millrace.triggers;

import org.jspecify.annotations.NullMarked;
