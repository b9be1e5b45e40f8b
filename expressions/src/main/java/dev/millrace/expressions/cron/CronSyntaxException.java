package dev.millrace.expressions.cron;

/** A text is not a schedule; the message says what is wrong with it, as robfig/cron words it. */
public final class CronSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public CronSyntaxException(String message) {
        super(message);
    }
}
