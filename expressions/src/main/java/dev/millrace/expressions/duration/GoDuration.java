package dev.millrace.expressions.duration;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go reads and writes them: nanoseconds in a signed 64-bit number. */
public final class GoDuration {

    private static final Pattern PART = Pattern.compile("(\\d*)(\\.\\d*)?([^\\d.]*)");
    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?\\d+");
    private static final Pattern DAYS = Pattern.compile("([+-]?\\d+)d");
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private GoDuration() {}

    /**
     * Go's {@code ParseDuration}: an optional sign, then numbers with units {@code ns us µs ms s m
     * h} ({@code 1h30m}, {@code 1.5s}); a bare {@code 0} needs no unit.
     *
     * @throws DurationSyntaxException with Go's message, such as {@code time: missing unit in
     *     duration "5"}
     */
    public static Duration parse(String text) {
        String rest = text;
        boolean negative = rest.startsWith("-");
        if (negative || rest.startsWith("+")) {
            rest = rest.substring(1);
        }
        if (rest.equals("0")) {
            return Duration.ZERO;
        }
        if (rest.isEmpty()) {
            throw invalid(text);
        }
        BigInteger total = BigInteger.ZERO;
        Matcher part = PART.matcher(rest);
        for (int at = 0; at < rest.length(); at = part.end()) {
            part.region(at, rest.length());
            if (!part.lookingAt()) {
                throw invalid(text);
            }
            total = total.add(nanos(part, text));
        }
        // The smallest long has no positive twin, yet Go reads it.
        BigInteger limit = negative ? MAX.add(BigInteger.ONE) : MAX;
        if (total.compareTo(limit) > 0) {
            throw invalid(text);
        }
        return Duration.ofNanos((negative ? total.negate() : total).longValueExact());
    }

    private static BigInteger nanos(Matcher part, String text) {
        String whole = part.group(1);
        String fraction = part.group(2) == null ? "" : part.group(2).substring(1);
        if (whole.isEmpty() && fraction.isEmpty()) {
            throw invalid(text);
        }
        String unit = part.group(3);
        if (unit.isEmpty()) {
            throw new DurationSyntaxException("time: missing unit in duration \"" + text + "\"");
        }
        long unitNanos =
                switch (unit) {
                    case "ns" -> 1L;
                    case "us", "\u00b5s", "\u03bcs" -> 1_000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default ->
                            throw new DurationSyntaxException(
                                    "time: unknown unit \""
                                            + unit
                                            + "\" in duration \""
                                            + text
                                            + "\"");
                };
        BigDecimal number =
                new BigDecimal(
                        (whole.isEmpty() ? "0" : whole)
                                + (fraction.isEmpty() ? "" : "." + fraction));
        return number.multiply(BigDecimal.valueOf(unitNanos)).toBigInteger();
    }

    private static DurationSyntaxException invalid(String text) {
        return new DurationSyntaxException("time: invalid duration \"" + text + "\"");
    }

    /**
     * A plain whole number is seconds; everything else is read by {@link #parse}.
     *
     * @throws DurationSyntaxException if it is neither
     */
    public static Duration parseOrSeconds(String text) {
        return WHOLE_NUMBER.matcher(text).matches()
                ? units(text, text, Duration.ofSeconds(1))
                : parse(text);
    }

    /**
     * As {@link #parseOrSeconds}, and a whole number of days with the unit {@code d} too ({@code
     * 2d}); this is what suspend and retry back-off fields of workflows take.
     *
     * @throws DurationSyntaxException if it is none of these
     */
    public static Duration parseOrSecondsOrDays(String text) {
        Matcher days = DAYS.matcher(text);
        return days.matches()
                ? units(days.group(1), text, Duration.ofDays(1))
                : parseOrSeconds(text);
    }

    private static Duration units(String number, String text, Duration unit) {
        BigInteger nanos = new BigInteger(number).multiply(BigInteger.valueOf(unit.toNanos()));
        if (nanos.abs().compareTo(MAX) > 0) {
            throw invalid(text);
        }
        return Duration.ofNanos(nanos.longValueExact());
    }

    /**
     * Go's {@code Duration.String()}: {@code 1h30m0s}, {@code 1m30s}, {@code 1.5s}, {@code 300ms},
     * {@code 2µs}, {@code 0s}.
     */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0s";
        }
        BigInteger size = BigInteger.valueOf(nanos).abs();
        String sign = nanos < 0 ? "-" : "";
        if (size.compareTo(BigInteger.valueOf(1_000_000_000L)) < 0) {
            long small = size.longValueExact();
            if (small < 1_000) {
                return sign + small + "ns";
            }
            return small < 1_000_000
                    ? sign + decimal(small, 3) + "\u00b5s"
                    : sign + decimal(small, 6) + "ms";
        }
        BigInteger[] minutes = size.divideAndRemainder(BigInteger.valueOf(60_000_000_000L));
        String seconds = decimal(minutes[1].longValueExact(), 9) + "s";
        long wholeMinutes = minutes[0].longValueExact();
        if (wholeMinutes == 0) {
            return sign + seconds;
        }
        String hours = wholeMinutes >= 60 ? wholeMinutes / 60 + "h" : "";
        return sign + hours + wholeMinutes % 60 + "m" + seconds;
    }

    private static String decimal(long value, int scale) {
        return new BigDecimal(BigInteger.valueOf(value), scale)
                .stripTrailingZeros()
                .toPlainString();
    }
}
