package dev.millrace.expressions.expr.value;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Go's time layouts, which show how the reference time {@code Mon Jan 2 15:04:05 MST 2006} would
 * look.
 */
public final class GoLayout {

    public static final String RFC3339 = "2006-01-02T15:04:05Z07:00";

    /** Longest first where one starts with another. */
    private static final List<String> FIELDS =
            List.of(
                    "January",
                    "Jan",
                    "Monday",
                    "Mon",
                    "MST",
                    "2006",
                    "-07:00:00",
                    "-070000",
                    "-07:00",
                    "-0700",
                    "-07",
                    "Z07:00:00",
                    "Z070000",
                    "Z07:00",
                    "Z0700",
                    "Z07",
                    "01",
                    "02",
                    "002",
                    "03",
                    "04",
                    "05",
                    "06",
                    "15",
                    "PM",
                    "pm",
                    "__2",
                    "_2",
                    "1",
                    "2",
                    "3",
                    "4",
                    "5");

    private record Part(String text, boolean field) {}

    private final List<Part> parts;
    private final String layout;

    private GoLayout(String layout, List<Part> parts) {
        this.layout = layout;
        this.parts = parts;
    }

    public static GoLayout of(String layout) {
        List<Part> parts = new ArrayList<>();
        StringBuilder literal = new StringBuilder();
        for (int i = 0; i < layout.length(); ) {
            String field = fieldAt(layout, i);
            if (field == null) {
                literal.append(layout.charAt(i++));
                continue;
            }
            if (!literal.isEmpty()) {
                parts.add(new Part(literal.toString(), false));
                literal.setLength(0);
            }
            parts.add(new Part(field, true));
            i += field.length();
        }
        if (!literal.isEmpty()) {
            parts.add(new Part(literal.toString(), false));
        }
        return new GoLayout(layout, parts);
    }

    private static @Nullable String fieldAt(String layout, int at) {
        char c = layout.charAt(at);
        if (c == '.' || c == ',') {
            int end = at + 1;
            while (end < layout.length()
                    && layout.charAt(end) == layout.charAt(at + 1)
                    && (layout.charAt(end) == '0' || layout.charAt(end) == '9')) {
                end++;
            }
            boolean digitFollows = end < layout.length() && Character.isDigit(layout.charAt(end));
            return end > at + 1 && !digitFollows ? layout.substring(at, end) : null;
        }
        if (layout.startsWith("002", at)) {
            return "002";
        }
        if (layout.startsWith("_2006", at)) {
            return null;
        }
        for (String field : FIELDS) {
            if (layout.startsWith(field, at)) {
                boolean lowerFollows =
                        at + 3 < layout.length() && Character.isLowerCase(layout.charAt(at + 3));
                if ((field.equals("Jan") || field.equals("Mon")) && lowerFollows) {
                    continue;
                }
                return field;
            }
        }
        return null;
    }

    public String format(ZonedDateTime time) {
        StringBuilder out = new StringBuilder();
        for (Part part : parts) {
            out.append(part.field() ? field(part.text(), time) : part.text());
        }
        return out.toString();
    }

    private static String field(String field, ZonedDateTime time) {
        int hour12 = time.getHour() % 12 == 0 ? 12 : time.getHour() % 12;
        return switch (field) {
            case "January" -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case "Jan" ->
                    time.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH).substring(0, 3);
            case "Monday" -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
            case "Mon" -> time.getDayOfWeek().getDisplayName(TextStyle.SHORT, Locale.ENGLISH);
            case "MST" -> zoneName(time);
            case "2006" -> padded(time.getYear(), 4);
            case "06" -> padded(Math.floorMod(time.getYear(), 100), 2);
            case "01" -> padded(time.getMonthValue(), 2);
            case "1" -> Integer.toString(time.getMonthValue());
            case "02" -> padded(time.getDayOfMonth(), 2);
            case "_2" -> String.format(Locale.ROOT, "%2d", time.getDayOfMonth());
            case "2" -> Integer.toString(time.getDayOfMonth());
            case "002" -> padded(time.getDayOfYear(), 3);
            case "__2" -> String.format(Locale.ROOT, "%3d", time.getDayOfYear());
            case "15" -> padded(time.getHour(), 2);
            case "03" -> padded(hour12, 2);
            case "3" -> Integer.toString(hour12);
            case "04" -> padded(time.getMinute(), 2);
            case "4" -> Integer.toString(time.getMinute());
            case "05" -> padded(time.getSecond(), 2);
            case "5" -> Integer.toString(time.getSecond());
            case "PM" -> time.getHour() < 12 ? "AM" : "PM";
            case "pm" -> time.getHour() < 12 ? "am" : "pm";
            default ->
                    field.startsWith(".") || field.startsWith(",")
                            ? fraction(field, time.getNano())
                            : offset(field, time.getOffset().getTotalSeconds());
        };
    }

    private static String padded(int number, int width) {
        return String.format(Locale.ROOT, "%0" + width + "d", number);
    }

    private static String zoneName(ZonedDateTime time) {
        if (time.getZone().normalized().equals(ZoneOffset.UTC)) {
            return "UTC";
        }
        return time.getZone() instanceof ZoneOffset
                ? offset("-0700", time.getOffset().getTotalSeconds())
                : java.time.format.DateTimeFormatter.ofPattern("zzz", Locale.ENGLISH).format(time);
    }

    private static String fraction(String field, int nanos) {
        String digits = padded(nanos, 9);
        if (field.charAt(1) == '0') {
            return field.charAt(0) + digits.substring(0, Math.min(9, field.length() - 1));
        }
        int end = Math.min(9, field.length() - 1);
        while (end > 0 && digits.charAt(end - 1) == '0') {
            end--;
        }
        return end == 0 ? "" : field.charAt(0) + digits.substring(0, end);
    }

    private static String offset(String field, int seconds) {
        if (field.charAt(0) == 'Z' && seconds == 0) {
            return "Z";
        }
        int size = Math.abs(seconds);
        String colon = field.contains(":") ? ":" : "";
        StringBuilder out =
                new StringBuilder(seconds < 0 ? "-" : "+").append(padded(size / 3600, 2));
        int digits = field.replace(":", "").length() - 1;
        if (digits >= 4) {
            out.append(colon).append(padded(size / 60 % 60, 2));
        }
        if (digits >= 6) {
            out.append(colon).append(padded(size % 60, 2));
        }
        return out.toString();
    }

    /**
     * Reads a time; without a zone in the text it is in the given one.
     *
     * @throws GoPanic with Go's message when the text does not fit the layout
     */
    public ZonedDateTime parse(String text, ZoneId zone) {
        GoTimeReader reader = new GoTimeReader(text, layout);
        for (Part part : parts) {
            if (part.field()) {
                reader.field(part.text());
            } else {
                reader.literal(part.text());
            }
        }
        if (!reader.atEnd()) {
            throw new GoPanic(
                    "parsing time "
                            + GoPrint.quote(text)
                            + ": extra text: "
                            + GoPrint.quote(reader.rest()));
        }
        return reader.time(zone);
    }
}
