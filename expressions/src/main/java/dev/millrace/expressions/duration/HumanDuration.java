package dev.millrace.expressions.duration;

import java.time.Duration;
import java.util.List;

/**
 * Durations in words for messages such as {@code Backoff for 4 minutes 0 seconds}: whole seconds,
 * singular and plural.
 */
public final class HumanDuration {

    private static final List<Unit> UNITS =
            List.of(
                    new Unit("day", 86_400),
                    new Unit("hour", 3_600),
                    new Unit("minute", 60),
                    new Unit("second", 1));

    private HumanDuration() {}

    private record Unit(String name, long seconds) {
        String words(long count) {
            return count + " " + name + (count == 1 ? "" : "s");
        }
    }

    /**
     * The largest unit that is not zero and the one after it, which is named even if it is zero;
     * {@code 0 seconds} below one second. Of a negative duration the size.
     */
    public static String words(Duration duration) {
        long seconds = duration.abs().toSeconds();
        for (int i = 0; i < UNITS.size() - 1; i++) {
            Unit unit = UNITS.get(i);
            if (seconds >= unit.seconds()) {
                Unit next = UNITS.get(i + 1);
                return unit.words(seconds / unit.seconds())
                        + " "
                        + next.words(seconds % unit.seconds() / next.seconds());
            }
        }
        return UNITS.getLast().words(seconds);
    }
}
