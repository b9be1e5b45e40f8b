package dev.millrace.expressions.cron;

/**
 * Which forms of schedule are accepted.
 *
 * @param descriptorsAllowed whether {@code @daily}, {@code @every 1h} and the like may be used
 */
public record CronOptions(boolean descriptorsAllowed) {

    /** Cron workflows: five fields or a descriptor. */
    public static final CronOptions WORKFLOWS = new CronOptions(true);

    /** Calendar event sources: five fields only. */
    public static final CronOptions CALENDAR = new CronOptions(false);
}
