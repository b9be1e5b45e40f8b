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

/** Reads the fields of one time, in the order of the layout. */
final class GoTimeReader {
    private final String text;
    private final String layout;
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

    GoTimeReader(String text, String layout) {
        this.text = text;
        this.layout = layout;
    }

    boolean atEnd() {
        return at >= text.length();
    }

    /** What is left of the text. */
    String rest() {
        return text.substring(Math.min(at, text.length()));
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
                    "parsing time " + GoPrint.quote(text) + ": time zone offset hour out of range");
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
