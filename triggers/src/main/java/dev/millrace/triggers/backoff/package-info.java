/** Backoff blocks of sensors: how often something is tried and how long it waits in between. */
@NullMarked
package dev.millrace.triggers.backoff;

import org.jspecify.annotations.NullMarked;
