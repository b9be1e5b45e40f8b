package dev.millrace.eventsources.calendar;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/**
 * What {@code source-state} keeps of a calendar.
 *
 * @param tick the last one that was dealt with
 * @param rule the mark of the schedule that it was a tick of, see {@link CalendarPlan#rule}
 */
record CalendarPosition(Instant tick, String rule) {

    /** Reads the text form; empty if it is none. */
    static Optional<CalendarPosition> parse(String text) {
        int space = text.indexOf(' ');
        try {
            return Optional.of(
                    new CalendarPosition(
                            Instant.parse(space < 0 ? text : text.substring(0, space)),
                            space < 0 ? "" : text.substring(space + 1)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** The tick in RFC 3339, a space, the rule. */
    @Override
    public String toString() {
        return tick + " " + rule;
    }
}
