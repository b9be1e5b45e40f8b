/**
 * Events made by time. {@link dev.millrace.eventsources.calendar.CalendarMachine} decides which
 * tick is next; the owner of the entry's partition of {@code source-state} waits for it and writes
 * the event and the new position in one transaction.
 */
@NullMarked
package dev.millrace.eventsources.calendar;

import org.jspecify.annotations.NullMarked;
