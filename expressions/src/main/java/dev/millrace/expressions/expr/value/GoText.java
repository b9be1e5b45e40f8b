package dev.millrace.expressions.expr.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Text operations of Go's {@code strings} package; positions count UTF-8 bytes. */
public final class GoText {

    private GoText() {}

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Bytes that are no UTF-8 become the replacement character. */
    public static String fromUtf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0x7f) {
                return false;
            }
        }
        return true;
    }

    /** Turns an index of characters into one of bytes; -1 stays. */
    public static long byteIndex(String text, int index) {
        return index < 0 ? -1 : utf8(text.substring(0, index)).length;
    }

    /** Number of bytes. */
    public static int length(String text) {
        return isAscii(text) ? text.length() : utf8(text).length;
    }

    /** The bytes from (included) to (excluded), as text. */
    public static String slice(String text, int from, int to) {
        return isAscii(text)
                ? text.substring(from, to)
                : new String(utf8(text), from, to - from, StandardCharsets.UTF_8);
    }

    /** Upper case code point by code point, as Go does it: {@code ß} stays. */
    public static String upper(String text) {
        return map(text, Character::toUpperCase);
    }

    public static String lower(String text) {
        return map(text, Character::toLowerCase);
    }

    private static String map(String text, java.util.function.IntUnaryOperator change) {
        StringBuilder out = new StringBuilder(text.length());
        text.codePoints().map(change).forEach(out::appendCodePoint);
        return out.toString();
    }

    public static boolean isSpace(int c) {
        return Character.isWhitespace(c) && (c < 0x1c || c > 0x1f)
                || c == 0x85
                || c == 0xa0
                || c == 0x2007
                || c == 0x202f;
    }

    public static String trimSpace(String text) {
        return trimRight(trimLeft(text, GoText::isSpace), GoText::isSpace);
    }

    /** Without the leading and trailing characters that are in the set. */
    public static String trim(String text, String set) {
        return trimRight(trimLeft(text, in(set)), in(set));
    }

    public static IntPredicate in(String set) {
        return c -> set.indexOf(c) >= 0;
    }

    public static String trimLeft(String text, IntPredicate unwanted) {
        int at = 0;
        while (at < text.length() && unwanted.test(text.codePointAt(at))) {
            at += Character.charCount(text.codePointAt(at));
        }
        return text.substring(at);
    }

    public static String trimRight(String text, IntPredicate unwanted) {
        int end = text.length();
        while (end > 0 && unwanted.test(text.codePointBefore(end))) {
            end -= Character.charCount(text.codePointBefore(end));
        }
        return text.substring(0, end);
    }

    /**
     * @param limit the most parts; negative for any number, 0 gives none
     * @param keep whether each part keeps the separator at its end
     */
    public static List<String> split(String text, String separator, int limit, boolean keep) {
        List<String> parts = new ArrayList<>();
        if (limit == 0) {
            return parts;
        }
        int from = 0;
        while (limit < 0 || parts.size() < limit - 1) {
            int at =
                    separator.isEmpty()
                            ? (from < text.length()
                                    ? from + Character.charCount(text.codePointAt(from))
                                    : -1)
                            : text.indexOf(separator, from);
            if (at < 0 || (separator.isEmpty() && at >= text.length())) {
                break;
            }
            parts.add(text.substring(from, keep ? at + separator.length() : at));
            from = at + separator.length();
        }
        if (!(separator.isEmpty() && text.isEmpty())) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    /**
     * @param limit the most replacements; negative for all
     */
    public static String replace(String text, String old, String fresh, int limit) {
        StringBuilder out = new StringBuilder();
        int from = 0;
        int done = 0;
        while (limit < 0 || done < limit) {
            int at = text.indexOf(old, old.isEmpty() && done > 0 ? nextPoint(text, from) : from);
            if (at < 0 || (old.isEmpty() && done > 0 && from >= text.length())) {
                break;
            }
            out.append(text, from, at).append(fresh);
            from = at + old.length();
            done++;
            if (out.length() > GoOperators.MAX_TEXT) {
                throw new GoPanic("memory budget exceeded");
            }
        }
        return out.append(text.substring(from)).toString();
    }

    private static int nextPoint(String text, int from) {
        return from >= text.length()
                ? text.length()
                : from + Character.charCount(text.codePointAt(from));
    }

    /**
     * A bound against memory bombs.
     *
     * @throws GoPanic if a text that is being built is too long
     */
    public static void checkLength(CharSequence text) {
        if (text.length() > GoOperators.MAX_TEXT) {
            throw new GoPanic("memory budget exceeded");
        }
    }

    /**
     * @throws GoPanic if the result is too long
     */
    public static String join(List<String> parts, String separator) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            out.append(i == 0 ? "" : separator).append(parts.get(i));
            checkLength(out);
        }
        return out.toString();
    }

    /**
     * @throws GoPanic if the result would be too long
     */
    public static String repeat(String text, int times) {
        if ((long) text.length() * times > GoOperators.MAX_TEXT) {
            throw new GoPanic("memory budget exceeded");
        }
        return text.repeat(Math.max(0, times));
    }
}
