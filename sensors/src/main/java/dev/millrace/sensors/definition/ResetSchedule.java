package dev.millrace.sensors.definition;

import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.cron.CronSyntaxException;
import dev.millrace.schemas.sensor.ConditionsReset;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** When pending events are forgotten, read. */
public sealed interface ResetSchedule {

    /** A schedule of five fields. */
    record Parsed(CronSchedule schedule) implements ResetSchedule {

        /** Whether a tick lies between the two: after the first, not after the second. */
        public boolean ticked(Instant since, Instant now) {
            return schedule.next(since).filter(tick -> !tick.isAfter(now)).isPresent();
        }
    }

    /** No schedule. */
    record Invalid(String message) implements ResetSchedule {}

    static ResetSchedule of(ConditionsReset reset) {
        ConditionsReset.ByTime byTime = reset.byTime();
        if (byTime == null) {
            return new Invalid("conditionsReset must have byTime");
        }
        String cron = byTime.cron() == null ? "" : byTime.cron();
        String zone = byTime.timezone() == null ? "" : byTime.timezone();
        try {
            ZoneId zoneId = zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone);
            return new Parsed(CronSchedule.parse(cron, CronOptions.CALENDAR, zoneId));
        } catch (CronSyntaxException e) {
            return new Invalid(
                    "invalid cron expression \"" + cron + "\": " + String.valueOf(e.getMessage()));
        } catch (DateTimeException e) {
            return new Invalid("invalid timezone \"" + zone + "\"");
        }
    }
}
