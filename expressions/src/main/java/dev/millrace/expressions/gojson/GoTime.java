package dev.millrace.expressions.gojson;

import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Times as Go prints them. */
public final class GoTime {

    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter ISO_SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
    private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xx", Locale.ROOT);
    private static final DateTimeFormatter ZONE_NAME =
            DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH);
    private static final DateTimeFormatter RFC_OFFSET =
            DateTimeFormatter.ofPattern("XXX", Locale.ROOT);

    private GoTime() {}

    /**
     * Go's {@code Time.String()}: {@code 2026-01-02 03:04:05.0000006 +0000 UTC}, the fraction
     * without trailing zeros.
     */
    public static String text(ZonedDateTime time) {
        String zone = time.getZone().normalized().equals(ZoneOffset.UTC) ? "UTC" : zoneName(time);
        return SECONDS.format(time)
                + fraction(time.getNano())
                + " "
                + OFFSET.format(time)
                + " "
                + zone;
    }

    /**
     * RFC 3339 with as many digits of the second as needed: {@code 2026-01-02T03:04:05.0000006Z}.
     */
    public static String rfc3339Nano(ZonedDateTime time) {
        return ISO_SECONDS.format(time) + fraction(time.getNano()) + RFC_OFFSET.format(time);
    }

    private static String zoneName(ZonedDateTime time) {
        return time.getZone() instanceof ZoneOffset ? OFFSET.format(time) : ZONE_NAME.format(time);
    }

    private static String fraction(int nanos) {
        if (nanos == 0) {
            return "";
        }
        String digits = String.format(Locale.ROOT, "%09d", nanos);
        int end = digits.length();
        while (digits.charAt(end - 1) == '0') {
            end--;
        }
        return "." + digits.substring(0, end);
    }
}
