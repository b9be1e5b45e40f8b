package dev.millrace.log;

/** The rule for values of secrets and config maps: one newline at the end is not part of it. */
public final class TrailingNewline {

    private TrailingNewline() {}

    /** Takes one trailing {@code \n} off. */
    public static String trim(String value) {
        return value.endsWith("\n") ? value.substring(0, value.length() - 1) : value;
    }
}
