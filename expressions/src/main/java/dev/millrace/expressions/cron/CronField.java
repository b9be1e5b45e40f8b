package dev.millrace.expressions.cron;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** One of the five fields: its range, its names, and how its text becomes a set of values. */
enum CronField {
    MINUTE(0, 59, List.of()),
    HOUR(0, 23, List.of()),
    DAY_OF_MONTH(1, 31, List.of()),
    MONTH(
            1,
            12,
            List.of(
                    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov",
                    "dec")),
    DAY_OF_WEEK(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat"));

    /**
     * Set when the field was a star or a question mark: this decides whether the two day fields are
     * joined by "and" or by "or".
     */
    static final long STAR = 1L << 63;

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");

    private final int min;
    private final int max;
    private final List<String> names;

    CronField(int min, int max, List<String> names) {
        this.min = min;
        this.max = max;
        this.names = names;
    }

    /** The values of a comma-separated list of ranges, one bit each. */
    long parse(String text) {
        long bits = 0;
        for (String range : text.split(",", -1)) {
            if (!range.isEmpty()) {
                bits |= range(range);
            }
        }
        return bits;
    }

    private long range(String text) {
        String[] rangeAndStep = text.split("/", -1);
        String[] lowAndHigh = rangeAndStep[0].split("-", -1);
        boolean star = lowAndHigh[0].equals("*") || lowAndHigh[0].equals("?");
        long start;
        long end;
        if (star) {
            start = min;
            end = max;
        } else {
            start = value(lowAndHigh[0]);
            end =
                    switch (lowAndHigh.length) {
                        case 1 -> start;
                        case 2 -> value(lowAndHigh[1]);
                        default -> throw new CronSyntaxException("too many hyphens: " + text);
                    };
        }
        long step = 1;
        if (rangeAndStep.length > 2) {
            throw new CronSyntaxException("too many slashes: " + text);
        }
        if (rangeAndStep.length == 2) {
            step = number(rangeAndStep[1]);
            if (lowAndHigh.length == 1) {
                end = max;
            }
        }
        check(start, end, step, text);
        // A star with a step does not count as a star: "*/2" restricts the days.
        return bits(start, end, step) | (star && step <= 1 ? STAR : 0);
    }

    private void check(long start, long end, long step, String text) {
        if (start < min) {
            throw new CronSyntaxException(
                    "beginning of range (" + start + ") below minimum (" + min + "): " + text);
        }
        if (end > max) {
            throw new CronSyntaxException(
                    "end of range (" + end + ") above maximum (" + max + "): " + text);
        }
        if (start > end) {
            throw new CronSyntaxException(
                    "beginning of range ("
                            + start
                            + ") beyond end of range ("
                            + end
                            + "): "
                            + text);
        }
        if (step == 0) {
            throw new CronSyntaxException("step of range should be a positive number: " + text);
        }
    }

    private static long bits(long start, long end, long step) {
        long bits = 0;
        for (long value = start; value <= end; value += Math.min(step, 64)) {
            bits |= 1L << value;
        }
        return bits;
    }

    private long value(String text) {
        int name = names.indexOf(text.toLowerCase(Locale.ROOT));
        return name >= 0 ? name + min : number(text);
    }

    private static long number(String text) {
        String problem =
                "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": ";
        if (!WHOLE_NUMBER.matcher(text).matches()) {
            throw new CronSyntaxException(problem + "invalid syntax");
        }
        BigInteger number = new BigInteger(text.startsWith("+") ? text.substring(1) : text);
        if (number.bitLength() > 63) {
            throw new CronSyntaxException(problem + "value out of range");
        }
        if (number.signum() < 0) {
            throw new CronSyntaxException("negative number (" + number + ") not allowed: " + text);
        }
        return number.longValueExact();
    }
}
