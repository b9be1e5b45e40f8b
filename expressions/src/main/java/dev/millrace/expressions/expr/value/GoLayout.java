package dev.millrace.expressions.expr.value;

import java.time.DateTimeException;
import java.time.LocalDateTime;
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
        Reader reader = new Reader(text);
        for (Part part : parts) {
            if (part.field()) {
                reader.field(part.text());
            } else {
                reader.literal(part.text());
            }
        }
        if (reader.at < text.length()) {
            throw new GoPanic(
                    "parsing time "
                            + GoPrint.quote(text)
                            + ": extra text: "
                            + GoPrint.quote(text.substring(reader.at)));
        }
        return reader.time(zone);
    }

    private final class Reader {
        private final String text;
        private int at;
        private int year = 0;
        private int month = 1;
        private int day = 1;
        private int dayOfYear = 0;
        private int hour;
        private int minute;
        private int second;
        private int nano;
        private @Nullable Boolean afternoon;
        private @Nullable ZoneId zone;

        Reader(String text) {
            this.text = text;
        }

        ZonedDateTime time(ZoneId otherwise) {
            if (afternoon != null) {
                hour = afternoon ? (hour == 12 ? 12 : hour + 12) : (hour == 12 ? 0 : hour);
            }
            try {
                LocalDateTime local =
                        dayOfYear > 0
                                ? LocalDateTime.of(year, 1, 1, hour, minute, second, nano)
                                        .withDayOfYear(dayOfYear)
                                : LocalDateTime.of(year, month, day, hour, minute, second, nano);
                return local.atZone(zone == null ? otherwise : zone);
            } catch (DateTimeException e) {
                String what =
                        hour > 23
                                ? "hour"
                                : minute > 59
                                        ? "minute"
                                        : second > 59
                                                ? "second"
                                                : month < 1 || month > 12 ? "month" : "day";
                throw new GoPanic(
                        "parsing time " + GoPrint.quote(text) + ": " + what + " out of range");
            }
        }

        void literal(String literal) {
            for (int i = 0; i < literal.length(); i++) {
                if (literal.charAt(i) == ' ') {
                    while (at < text.length() && text.charAt(at) == ' ') {
                        at++;
                    }
                } else if (at < text.length() && text.charAt(at) == literal.charAt(i)) {
                    at++;
                } else {
                    throw mismatch(literal);
                }
            }
        }

        void field(String field) {
            switch (field) {
                case "January" -> month = name(field, months(TextStyle.FULL)) + 1;
                case "Jan" -> month = name(field, months(TextStyle.SHORT)) + 1;
                case "Monday" -> name(field, days(TextStyle.FULL));
                case "Mon" -> name(field, days(TextStyle.SHORT));
                case "MST" -> zoneName(field);
                case "2006" -> year = number(field, 4, 4);
                case "06" -> {
                    int short2 = number(field, 2, 2);
                    year = short2 >= 69 ? 1900 + short2 : 2000 + short2;
                }
                case "01" -> month = number(field, 2, 2);
                case "1" -> month = number(field, 1, 2);
                case "02" -> day = number(field, 2, 2);
                case "_2", "2" -> {
                    if (at < text.length() && text.charAt(at) == ' ') {
                        at++;
                    }
                    day = number(field, 1, 2);
                }
                case "002", "__2" -> dayOfYear = number(field, 3, 3);
                case "15" -> hour = number(field, 1, 2);
                case "03" -> hour = number(field, 2, 2);
                case "3" -> hour = number(field, 1, 2);
                case "04" -> minute = number(field, 2, 2);
                case "4" -> minute = number(field, 1, 2);
                case "05" -> {
                    second = number(field, 2, 2);
                    looseFraction();
                }
                case "5" -> {
                    second = number(field, 1, 2);
                    looseFraction();
                }
                case "PM", "pm" -> afternoon = name(field, List.of("am", "pm")) == 1;
                default -> {
                    if (field.startsWith(".") || field.startsWith(",")) {
                        looseFraction();
                    } else {
                        offset(field);
                    }
                }
            }
        }

        /** Go takes a fraction after the seconds even where the layout has none. */
        private void looseFraction() {
            if (at + 1 >= text.length()
                    || (text.charAt(at) != '.' && text.charAt(at) != ',')
                    || !digit(at + 1)) {
                return;
            }
            int end = at + 1;
            while (end < text.length() && digit(end)) {
                end++;
            }
            String digits = (text.substring(at + 1, end) + "000000000").substring(0, 9);
            nano = Integer.parseInt(digits);
            at = end;
        }

        private boolean digit(int index) {
            return text.charAt(index) >= '0' && text.charAt(index) <= '9';
        }

        private int number(String field, int least, int most) {
            int end = at;
            while (end < text.length() && end - at < most && digit(end)) {
                end++;
            }
            if (end - at < least) {
                throw mismatch(field);
            }
            int number = Integer.parseInt(text, at, end, 10);
            at = end;
            return number;
        }

        private List<String> months(TextStyle style) {
            List<String> names = new ArrayList<>();
            for (java.time.Month each : java.time.Month.values()) {
                String name = each.getDisplayName(style, Locale.ENGLISH);
                names.add(style == TextStyle.SHORT ? name.substring(0, 3) : name);
            }
            return names;
        }

        private List<String> days(TextStyle style) {
            List<String> names = new ArrayList<>();
            for (java.time.DayOfWeek each : java.time.DayOfWeek.values()) {
                names.add(each.getDisplayName(style, Locale.ENGLISH));
            }
            return names;
        }

        private int name(String field, List<String> names) {
            for (int i = 0; i < names.size(); i++) {
                if (text.regionMatches(true, at, names.get(i), 0, names.get(i).length())) {
                    at += names.get(i).length();
                    return i;
                }
            }
            throw mismatch(field);
        }

        private void zoneName(String field) {
            int end = at;
            while (end < text.length() && Character.isUpperCase(text.charAt(end))) {
                end++;
            }
            if (end - at < 3) {
                throw mismatch(field);
            }
            // A name Go does not know from its own zone gets offset zero; so does every name here.
            zone = ZoneOffset.UTC;
            at = end;
        }

        private void offset(String field) {
            if (field.charAt(0) == 'Z' && at < text.length() && text.charAt(at) == 'Z') {
                at++;
                zone = ZoneOffset.UTC;
                return;
            }
            if (at >= text.length() || (text.charAt(at) != '+' && text.charAt(at) != '-')) {
                throw mismatch(field);
            }
            boolean negative = text.charAt(at++) == '-';
            boolean colons = field.contains(":");
            int digits = field.replace(":", "").length() - 1;
            int seconds = number(field, 2, 2) * 3600;
            if (digits >= 4) {
                colon(field, colons);
                seconds += number(field, 2, 2) * 60;
            }
            if (digits >= 6) {
                colon(field, colons);
                seconds += number(field, 2, 2);
            }
            if (seconds > 18 * 3600) {
                throw new GoPanic(
                        "parsing time "
                                + GoPrint.quote(text)
                                + ": time zone offset hour out of range");
            }
            zone = ZoneOffset.ofTotalSeconds(negative ? -seconds : seconds);
        }

        private void colon(String field, boolean wanted) {
            if (!wanted) {
                return;
            }
            if (at >= text.length() || text.charAt(at) != ':') {
                throw mismatch(field);
            }
            at++;
        }

        private GoPanic mismatch(String element) {
            return new GoPanic(
                    "parsing time "
                            + GoPrint.quote(text)
                            + " as "
                            + GoPrint.quote(layout)
                            + ": cannot parse "
                            + GoPrint.quote(text.substring(Math.min(at, text.length())))
                            + " as "
                            + GoPrint.quote(element));
        }
    }
}
