package dev.millrace.eventsources.calendar;

import dev.millrace.eventsources.EntryConfigurationException;
import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.cron.CronSyntaxException;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.eventsource.CalendarSource;
import dev.millrace.schemas.eventsource.EventPersistence;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a calendar entry means.
 *
 * @param isInterval whether ticks are counted from tick to tick rather than from the clock
 * @param zone in which days are excluded, and late ticks are shown
 * @param excluded days on which nothing fires
 * @param catchUp what happens to ticks that were missed while nobody ran the entry
 * @param rule tells schedules apart: the schedule or interval, and the zone
 * @param warning what a person should know, or null
 */
record CalendarPlan(
        CronSchedule schedule,
        boolean isInterval,
        ZoneId zone,
        Set<LocalDate> excluded,
        CatchUp catchUp,
        String rule,
        @Nullable String warning) {

    /** Whether missed ticks are made up for. */
    sealed interface CatchUp {}

    /** They are gone. */
    record None() implements CatchUp {}

    /**
     * They fire, in order.
     *
     * @param maxDuration how far back at most; null is without limit
     */
    record Missed(@Nullable Duration maxDuration) implements CatchUp {}

    private static final String EXDATE = "EXDATE:";
    private static final DateTimeFormatter EXDATE_TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT)
                    .withResolverStyle(ResolverStyle.STRICT);

    CalendarPlan {
        excluded = Set.copyOf(excluded);
    }

    /**
     * @param now from when on the schedule must have a time
     * @throws EntryConfigurationException naming the field and the cure
     */
    static CalendarPlan of(CalendarSource config, Instant now) {
        ZoneId zone = zone(config.timezone());
        String text = config.schedule();
        boolean isInterval = text == null || text.isEmpty();
        CronSchedule schedule =
                isInterval ? interval(config.interval()) : cron(String.valueOf(text), zone, now);
        List<String> ignored = new ArrayList<>();
        Set<LocalDate> excluded = excluded(config.exclusionDates(), ignored);
        String warning =
                ignored.isEmpty()
                        ? null
                        : "exclusionDates without EXDATE: in front are ignored: "
                                + String.join(", ", ignored);
        return new CalendarPlan(
                schedule,
                isInterval,
                zone,
                excluded,
                catchUp(config.persistence()),
                (isInterval ? config.interval() : text) + " " + zone,
                warning);
    }

    boolean excludes(Instant time) {
        return excluded.contains(time.atZone(zone).toLocalDate());
    }

    private static CronSchedule cron(String text, ZoneId zone, Instant now) {
        CronSchedule schedule;
        try {
            schedule = CronSchedule.parse(text, CronOptions.CALENDAR, zone);
        } catch (CronSyntaxException e) {
            throw new EntryConfigurationException(
                    "schedule '%s' cannot be read: %s. Write five fields: minute hour day-of-month month day-of-week"
                            .formatted(text, e.getMessage()));
        }
        if (schedule.next(now).isEmpty()) {
            throw new EntryConfigurationException(
                    "schedule '%s' has no time within five years; correct the day or the month"
                            .formatted(text));
        }
        return schedule;
    }

    private static CronSchedule interval(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            throw new EntryConfigurationException("write a schedule or an interval");
        }
        Duration interval = duration("interval", text);
        if (interval.isNegative() || interval.isZero()) {
            throw new EntryConfigurationException("interval " + text + " is not above zero");
        }
        return CronSchedule.every(interval);
    }

    private static Duration duration(String field, String text) {
        try {
            return GoDuration.parse(text);
        } catch (DurationSyntaxException e) {
            throw new EntryConfigurationException(
                    "%s '%s' cannot be read: %s. Write a duration such as 10s or 1h30m"
                            .formatted(field, text, e.getMessage()));
        }
    }

    private static ZoneId zone(@Nullable String name) {
        // Event sources run in containers without a zone of their own, so "Local" is UTC too.
        if (name == null || name.isEmpty() || name.equals("UTC") || name.equals("Local")) {
            return ZoneOffset.UTC;
        }
        if (!ZoneRulesProvider.getAvailableZoneIds().contains(name)) {
            throw new EntryConfigurationException(
                    "timezone '" + name + "' is unknown; write a name such as Europe/Berlin");
        }
        return ZoneId.of(name);
    }

    private static Set<LocalDate> excluded(List<String> entries, List<String> ignored) {
        Set<LocalDate> days = new HashSet<>();
        for (String entry : entries) {
            if (!entry.startsWith(EXDATE)) {
                ignored.add(entry);
                continue;
            }
            for (String date : entry.substring(EXDATE.length()).split(",", -1)) {
                try {
                    days.add(LocalDate.from(EXDATE_TIME.parse(date)));
                } catch (DateTimeException e) {
                    throw new EntryConfigurationException(
                            "exclusionDates: '%s' is not of the form EXDATE:20260102T150405Z"
                                    .formatted(entry));
                }
            }
        }
        return days;
    }

    private static CatchUp catchUp(@Nullable EventPersistence persistence) {
        if (persistence == null
                || persistence.catchup() == null
                || !Boolean.TRUE.equals(persistence.catchup().enabled())) {
            return new None();
        }
        String max = persistence.catchup().maxDuration();
        return new Missed(
                max == null || max.isEmpty()
                        ? null
                        : duration("persistence.catchup.maxDuration", max));
    }
}
