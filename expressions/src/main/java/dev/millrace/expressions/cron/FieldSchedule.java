package dev.millrace.expressions.cron;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/**
 * Five sets of allowed values, one bit a value. The search goes from the largest unit to the
 * smallest and starts again whenever a unit wraps round, as robfig/cron does; its results at
 * changes of the clock depend on exactly this order.
 */
record FieldSchedule(
        String spec,
        long minutes,
        long hours,
        long daysOfMonth,
        long months,
        long daysOfWeek,
        ZoneId zone)
        implements CronSchedule {

    private static final int YEARS_TO_SEARCH = 5;

    @Override
    public Optional<Instant> next(Instant after) {
        ZonedDateTime start = after.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1).atZone(zone);
        return new Search(start).run();
    }

    @Override
    public String describe(Locale locale) {
        return CronWords.describe(spec, locale);
    }

    private boolean dayMatches(ZonedDateTime time) {
        boolean dayOfMonth = has(daysOfMonth, time.getDayOfMonth());
        boolean dayOfWeek = has(daysOfWeek, time.getDayOfWeek().getValue() % 7);
        boolean star = ((daysOfMonth | daysOfWeek) & CronField.STAR) != 0;
        return star ? dayOfMonth && dayOfWeek : dayOfMonth || dayOfWeek;
    }

    private static boolean has(long set, int value) {
        return (set & (1L << value)) != 0;
    }

    /** One search; {@code time} moves forward only. */
    private final class Search {
        private ZonedDateTime time;

        /** Whether the smaller units have been set to their first values already. */
        private boolean rounded;

        Search(ZonedDateTime start) {
            time = start;
        }

        Optional<Instant> run() {
            int lastYear = time.getYear() + YEARS_TO_SEARCH;
            while (time.getYear() <= lastYear) {
                if (findMonth() && findDay() && findHour() && findMinute() && findSecond()) {
                    return Optional.of(time.toInstant());
                }
            }
            return Optional.empty();
        }

        /** False if the year changed on the way. */
        private boolean findMonth() {
            while (!has(months, time.getMonthValue())) {
                if (roundOnce()) {
                    time = at(time.toLocalDate().withDayOfMonth(1).atStartOfDay());
                }
                time = at(time.toLocalDateTime().plusMonths(1));
                if (time.getMonthValue() == 1) {
                    return false;
                }
            }
            return true;
        }

        /** False if the month changed on the way. */
        private boolean findDay() {
            while (!dayMatches(time)) {
                if (roundOnce()) {
                    time = at(time.toLocalDate().atStartOfDay());
                }
                LocalDate day = time.toLocalDate();
                time = at(day.plusDays(1).atTime(time.toLocalTime()));
                // Where midnight does not exist the clock shows 23 or 1 o'clock here.
                int hour = time.getHour();
                if (hour != 0) {
                    time = time.plusHours(hour > 12 ? 24 - hour : -hour);
                }
                if (time.getDayOfMonth() == 1) {
                    return false;
                }
            }
            return true;
        }

        /** False if the day changed on the way. */
        private boolean findHour() {
            while (!has(hours, time.getHour())) {
                if (roundOnce()) {
                    time = at(time.toLocalDateTime().truncatedTo(ChronoUnit.HOURS));
                }
                time = time.plusHours(1);
                if (time.getHour() == 0) {
                    return false;
                }
            }
            return true;
        }

        /** False if the hour changed on the way. */
        private boolean findMinute() {
            while (!has(minutes, time.getMinute())) {
                if (roundOnce()) {
                    time = time.toInstant().truncatedTo(ChronoUnit.MINUTES).atZone(zone);
                }
                time = time.plusMinutes(1);
                if (time.getMinute() == 0) {
                    return false;
                }
            }
            return true;
        }

        /** Second 0 is the only one: the search goes on with the next full minute. */
        private boolean findSecond() {
            if (time.getSecond() == 0) {
                return true;
            }
            time = time.plusSeconds(60L - time.getSecond());
            return false;
        }

        private boolean roundOnce() {
            boolean first = !rounded;
            rounded = true;
            return first;
        }

        /**
         * A time on the wall clock as Go's {@code time.Date} takes it; in gaps and overlaps Java
         * would choose differently.
         */
        private ZonedDateTime at(LocalDateTime wall) {
            Instant asUtc = wall.toInstant(ZoneOffset.UTC);
            ZoneOffset guess = zone.getRules().getOffset(asUtc);
            if (guess.getTotalSeconds() == 0) {
                return asUtc.atZone(zone);
            }
            ZoneOffset offset =
                    zone.getRules().getOffset(asUtc.minusSeconds(guess.getTotalSeconds()));
            return asUtc.minusSeconds(offset.getTotalSeconds()).atZone(zone);
        }
    }
}
