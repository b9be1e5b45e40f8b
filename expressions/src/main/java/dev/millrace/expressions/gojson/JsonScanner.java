package dev.millrace.expressions.gojson;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/** Walks over a JSON text without recursion, and complains in the words of Go's scanner. */
final class JsonScanner {

    /**
     * Go reads 10,000 levels. What is accepted here is embedded into records, which are read with
     * at most 500.
     */
    private static final int MAX_DEPTH = 450;

    private final String text;
    private final JsonEvents events;
    private final Deque<Character> open = new ArrayDeque<>();
    private int at;

    private JsonScanner(String text, JsonEvents events) {
        this.text = text;
        this.events = events;
    }

    /** Reports the one value of the text. */
    static void scan(String text, JsonEvents events) {
        new JsonScanner(text, events).run();
    }

    private void run() {
        boolean complete = beginValue();
        while (!open.isEmpty()) {
            complete = complete ? afterValue() : beginValue();
        }
        space();
        if (at < text.length()) {
            throw invalid("after top-level value");
        }
    }

    /**
     * Reads a scalar (true) or the opening of an array or object with its first key (false); empty
     * ones are complete.
     */
    private boolean beginValue() {
        space();
        switch (peek()) {
            case '{' -> {
                push('{');
                events.beginObject();
                space();
                if (peek() == '}') {
                    close();
                    return true;
                }
                key();
                return false;
            }
            case '[' -> {
                push('[');
                events.beginArray();
                space();
                if (peek() == ']') {
                    close();
                    return true;
                }
                return false;
            }
            default -> {
                scalar();
                return true;
            }
        }
    }

    /**
     * After a value inside an array or object: a comma (false: a value follows) or its end (true).
     */
    private boolean afterValue() {
        space();
        boolean object = open.getLast() == '{';
        char c = peek();
        if (c == ',') {
            at++;
            if (object) {
                space();
                key();
            }
            return false;
        }
        if (c == (object ? '}' : ']')) {
            close();
            return true;
        }
        throw invalid(object ? "after object key:value pair" : "after array element");
    }

    private void push(char bracket) {
        at++;
        open.addLast(bracket);
        if (open.size() > MAX_DEPTH) {
            throw new GoJsonException("exceeded max depth");
        }
    }

    private void close() {
        at++;
        if (open.removeLast() == '{') {
            events.endObject();
        } else {
            events.endArray();
        }
    }

    private void key() {
        if (peek() != '"') {
            throw invalid("looking for beginning of object key string");
        }
        int start = at;
        string();
        events.key(text.substring(start, at));
        space();
        if (peek() != ':') {
            throw invalid("after object key");
        }
        at++;
    }

    private void scalar() {
        int start = at;
        char c = peek();
        if (c == '"') {
            string();
        } else if (c == '-' || isDigit(c)) {
            number();
        } else if (c == 't') {
            literal("true");
        } else if (c == 'f') {
            literal("false");
        } else if (c == 'n') {
            literal("null");
        } else {
            throw invalid("looking for beginning of value");
        }
        events.scalar(text.substring(start, at));
    }

    private void literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (peek() != word.charAt(i)) {
                throw invalid("in literal " + word + " (expecting '" + word.charAt(i) + "')");
            }
            at++;
        }
    }

    private void string() {
        at++;
        while (true) {
            char c = peek();
            if (c == '"') {
                at++;
                return;
            }
            if (c < 0x20) {
                throw invalid("in string literal");
            }
            at++;
            if (c == '\\') {
                escape();
            }
        }
    }

    private void escape() {
        char c = peek();
        if ("bfnrt\\/\"".indexOf(c) >= 0) {
            at++;
        } else if (c == 'u') {
            at++;
            for (int i = 0; i < 4; i++) {
                if (Character.digit(peek(), 16) < 0 || peek() > 'f') {
                    throw invalid("in \\u hexadecimal character escape");
                }
                at++;
            }
        } else {
            throw invalid("in string escape code");
        }
    }

    private void number() {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits("in numeric literal");
        }
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            digits("after decimal point in numeric literal");
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits("in exponent of numeric literal");
        }
    }

    private void digits(String where) {
        if (!isDigit(peek())) {
            throw invalid(where);
        }
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private char peek() {
        if (at >= text.length()) {
            throw new GoJsonException("unexpected end of JSON input");
        }
        return text.charAt(at);
    }

    private GoJsonException invalid(String where) {
        return new GoJsonException(
                "invalid character " + quoted(text.codePointAt(at)) + " " + where);
    }

    /**
     * Go's scanner sees bytes: of a character outside ASCII it names the first byte, as if it were
     * Latin-1.
     */
    private static String quoted(int codePoint) {
        int c =
                codePoint < 0x80
                        ? codePoint
                        : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)[0] & 0xff;
        String body =
                switch (c) {
                    case '\'' -> "\\'";
                    case '\\' -> "\\\\";
                    case 0x07 -> "\\a";
                    case '\b' -> "\\b";
                    case '\f' -> "\\f";
                    case '\n' -> "\\n";
                    case '\r' -> "\\r";
                    case '\t' -> "\\t";
                    case 0x0b -> "\\v";
                    default ->
                            c < 0x20 || c == 0x7f
                                    ? String.format("\\x%02x", c)
                                    : Character.toString(c);
                };
        return "'" + body + "'";
    }
}
