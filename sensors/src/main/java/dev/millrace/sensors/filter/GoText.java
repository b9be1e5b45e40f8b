package dev.millrace.sensors.filter;

import java.util.Optional;
import java.util.regex.Pattern;

/** Numbers and truth values in texts, as Go's {@code strconv} reads them. */
final class GoText {

    /** Java's own reader also takes blanks around and the suffixes {@code d} and {@code f}. */
    private static final Pattern NUMBER =
            Pattern.compile(
                    "[+-]?(?:(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?"
                            + "|0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][+-]?\\d+)");

    private GoText() {}

    static Optional<Double> number(String text) {
        return NUMBER.matcher(text).matches()
                ? Optional.of(Double.parseDouble(text))
                : Optional.empty();
    }

    static Optional<Boolean> bool(String text) {
        return switch (text) {
            case "1", "t", "T", "TRUE", "true", "True" -> Optional.of(true);
            case "0", "f", "F", "FALSE", "false", "False" -> Optional.of(false);
            default -> Optional.empty();
        };
    }
}
