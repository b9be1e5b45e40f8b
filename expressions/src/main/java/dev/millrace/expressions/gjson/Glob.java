package dev.millrace.expressions.gjson;

/**
 * Patterns with {@code *} (any text), {@code ?} (one character) and backslash (the next character
 * as it is).
 */
final class Glob {

    private Glob() {}

    /**
     * Linear but for the number of stars: on a mismatch only the last star takes one character
     * more.
     */
    static boolean matches(String text, String pattern) {
        int t = 0;
        int p = 0;
        int starPattern = -1;
        int starText = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                starPattern = ++p;
                starText = t;
                continue;
            }
            int width = fits(text, t, pattern, p);
            if (width > 0) {
                p += pattern.charAt(p) == '\\' && p + 1 < pattern.length() ? 2 : 1;
                t += width;
            } else if (starPattern >= 0) {
                p = starPattern;
                t = ++starText;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /** How many chars of the text the pattern's next character takes; 0 if it does not fit. */
    private static int fits(String text, int t, String pattern, int p) {
        if (p >= pattern.length()) {
            return 0;
        }
        char c = pattern.charAt(p);
        if (c == '?') {
            return Character.charCount(text.codePointAt(t));
        }
        if (c == '\\' && p + 1 < pattern.length()) {
            c = pattern.charAt(p + 1);
        }
        return text.charAt(t) == c ? 1 : 0;
    }
}
