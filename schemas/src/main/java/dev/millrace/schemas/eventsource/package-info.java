/**
 * The manifest of an {@code EventSource} as records. Types that have their own records are typed
 * throughout; the others are known by name and stay trees. Meaning is not here: the event sources
 * have it.
 */
@NullMarked
package dev.millrace.schemas.eventsource;

import org.jspecify.annotations.NullMarked;
