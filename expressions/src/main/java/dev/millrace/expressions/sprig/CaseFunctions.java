package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Changing the case of text, and between the styles of naming. */
final class CaseFunctions {

    private CaseFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("upper", a -> GoText.upper(a.text(0)));
        table.put("lower", a -> GoText.lower(a.text(0)));
        table.put("title", a -> title(a.text(0)));
        table.put("untitle", a -> untitle(a.text(0)));
        table.put("swapcase", a -> swap(a.text(0)));
        table.put("initials", a -> initials(a.text(0)));
        table.put("snakecase", a -> String.join("_", lowerWords(a.text(0))));
        table.put("kebabcase", a -> String.join("-", lowerWords(a.text(0))));
        table.put("camelcase", a -> camel(a.text(0)));
    }

    private static String title(String text) {
        StringBuilder out = new StringBuilder();
        boolean inside = false;
        for (int c : text.codePoints().toArray()) {
            out.appendCodePoint(inside ? c : Character.toTitleCase(c));
            inside = Character.isLetterOrDigit(c) || c == '_' || c == '\'';
        }
        return out.toString();
    }

    private static String untitle(String text) {
        StringBuilder out = new StringBuilder();
        boolean start = true;
        for (int c : text.codePoints().toArray()) {
            out.appendCodePoint(start ? Character.toLowerCase(c) : c);
            start = GoText.isSpace(c);
        }
        return out.toString();
    }

    private static String swap(String text) {
        StringBuilder out = new StringBuilder();
        boolean start = true;
        for (int c : text.codePoints().toArray()) {
            if (Character.isUpperCase(c) || Character.isTitleCase(c)) {
                out.appendCodePoint(Character.toLowerCase(c));
            } else if (Character.isLowerCase(c)) {
                out.appendCodePoint(start ? Character.toTitleCase(c) : Character.toUpperCase(c));
            } else {
                out.appendCodePoint(c);
            }
            start = GoText.isSpace(c);
        }
        return out.toString();
    }

    private static String initials(String text) {
        StringBuilder out = new StringBuilder();
        boolean start = true;
        for (int c : text.codePoints().toArray()) {
            if (GoText.isSpace(c)) {
                start = true;
            } else if (start) {
                out.appendCodePoint(c);
                start = false;
            }
        }
        return out.toString();
    }

    /** The words of a name in any style: {@code HTTPServer2} is {@code http server 2}. */
    private static List<String> lowerWords(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '_' || c == '-' || Character.isWhitespace(c)) {
                flush(word, words);
                continue;
            }
            if (!word.isEmpty()) {
                char before = text.charAt(i - 1);
                boolean lowerFollows =
                        i + 1 < text.length() && Character.isLowerCase(text.charAt(i + 1));
                boolean hump =
                        Character.isUpperCase(c)
                                && (Character.isLowerCase(before)
                                        || Character.isDigit(before)
                                        || (Character.isUpperCase(before) && lowerFollows));
                boolean digits =
                        Character.isDigit(c)
                                && !Character.isDigit(before)
                                && Character.isLowerCase(before);
                if (hump || digits) {
                    flush(word, words);
                }
            }
            word.append(Character.toLowerCase(c));
        }
        flush(word, words);
        return words;
    }

    private static void flush(StringBuilder word, List<String> words) {
        if (!word.isEmpty()) {
            words.add(word.toString());
            word.setLength(0);
        }
    }

    private static String camel(String text) {
        StringBuilder out = new StringBuilder();
        boolean start = true;
        for (int c : text.codePoints().toArray()) {
            if (c == '_' || c == '-' || Character.isWhitespace(c)) {
                start = true;
            } else {
                out.appendCodePoint(start ? Character.toUpperCase(c) : c);
                start = false;
            }
        }
        return out.toString();
    }
}
