package dev.millrace.expressions.expr;

import dev.millrace.expressions.expr.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Cuts a source text into tokens. Works on code points, in which positions count. */
final class Lexer {

    private static final Set<String> WORD_OPERATORS =
            Set.of(
                    "in",
                    "or",
                    "and",
                    "not",
                    "matches",
                    "contains",
                    "startsWith",
                    "endsWith",
                    "let",
                    "if",
                    "else");

    /** Longest first where one starts with another. */
    private static final List<String> OPERATORS =
            List.of(
                    "**", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "..", "::", "#", ",", ":",
                    ";", "%", "+", "-", "^", "*", "/", "?", "!", "=", "<", ">", "&", "|", ".");

    private static final int END = -1;

    private final String source;
    private final int[] points;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Lexer(String source) {
        this.source = source;
        this.points = source.codePoints().toArray();
    }

    static List<Token> tokens(String source) {
        Lexer lexer = new Lexer(source);
        while (lexer.at < lexer.points.length) {
            lexer.next();
        }
        // The end counts as the place of the last character, as messages about it are usually about
        // that one.
        lexer.tokens.add(new Token(Kind.END, "", Math.max(0, lexer.points.length - 1)));
        return lexer.tokens;
    }

    private int peek(int ahead) {
        return at + ahead < points.length ? points[at + ahead] : END;
    }

    private void emit(Kind kind, int start) {
        tokens.add(new Token(kind, new String(points, start, at - start), start));
    }

    private void next() {
        int c = peek(0);
        int start = at;
        if (Character.isWhitespace(c) || c == 0xa0 || c == 0x85) {
            at++;
        } else if (c == '\'' || c == '"') {
            string(c);
        } else if (c == '`') {
            raw();
        } else if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
            number();
        } else if (c == '/' && peek(1) == '/') {
            while (at < points.length && peek(0) != '\n') {
                at++;
            }
        } else if (c == '/' && peek(1) == '*') {
            comment();
        } else if ("()[]{}".indexOf(c) >= 0) {
            at++;
            emit(Kind.BRACKET, start);
        } else if (isLetter(c)) {
            while (isWordCharacter(peek(0))) {
                at++;
            }
            String word = new String(points, start, at - start);
            tokens.add(
                    new Token(
                            WORD_OPERATORS.contains(word) ? Kind.OPERATOR : Kind.IDENTIFIER,
                            word,
                            start));
        } else {
            operator(c);
        }
    }

    private void operator(int c) {
        int start = at;
        for (String operator : OPERATORS) {
            if (operator.charAt(0) == c
                    && (operator.length() == 1 || operator.charAt(1) == peek(1))) {
                at += operator.length();
                emit(Kind.OPERATOR, start);
                return;
            }
        }
        throw error(
                String.format(
                        Locale.ROOT,
                        "unrecognized character: U+%04X '%s'",
                        c,
                        Character.toString(c)),
                start);
    }

    private void comment() {
        int start = at;
        at += 2;
        while (at < points.length && !(peek(0) == '*' && peek(1) == '/')) {
            at++;
        }
        if (at >= points.length) {
            throw error("unclosed comment", start);
        }
        at += 2;
    }

    private void number() {
        int start = at;
        int marker = Character.toLowerCase(peek(1));
        if (peek(0) == '0' && (marker == 'x' || marker == 'b' || marker == 'o')) {
            at += 2;
            int radix = marker == 'x' ? 16 : marker == 'o' ? 8 : 2;
            while (peek(0) == '_' || (peek(0) != END && Character.digit(peek(0), radix) >= 0)) {
                at++;
            }
        } else {
            digits();
            // Two dots are a range: 1..5.
            if (peek(0) == '.' && peek(1) != '.') {
                at++;
                digits();
            }
            if (peek(0) == 'e' || peek(0) == 'E') {
                at++;
                if (peek(0) == '+' || peek(0) == '-') {
                    at++;
                }
                digits();
            }
        }
        if (isWordCharacter(peek(0))) {
            at++;
            throw error(
                    "bad number syntax: "
                            + dev.millrace.expressions.expr.value.GoPrint.quote(
                                    new String(points, start, at - start)),
                    at);
        }
        emit(Kind.NUMBER, start);
    }

    private void digits() {
        while (isDigit(peek(0)) || peek(0) == '_') {
            at++;
        }
    }

    private void raw() {
        int start = at++;
        StringBuilder text = new StringBuilder();
        while (true) {
            int c = peek(0);
            if (c == END) {
                throw error("literal not terminated", at);
            }
            at++;
            if (c == '`') {
                if (peek(0) != '`') {
                    break;
                }
                at++;
            }
            text.appendCodePoint(c);
        }
        tokens.add(new Token(Kind.STRING, text.toString(), start));
    }

    private void string(int quote) {
        int start = at++;
        StringBuilder text = new StringBuilder();
        while (peek(0) != quote) {
            int c = peek(0);
            if (c == END || c == '\n') {
                throw error("literal not terminated", at);
            }
            at++;
            if (c == '\\') {
                escape(text, start);
            } else {
                text.appendCodePoint(c);
            }
        }
        at++;
        tokens.add(new Token(Kind.STRING, text.toString(), start));
    }

    private void escape(StringBuilder text, int start) {
        int c = peek(0);
        at++;
        switch (c) {
            case 'a' -> text.append('\u0007');
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'v' -> text.append('\u000b');
            case '\\', '\'', '"', '`', '?', '/' -> text.appendCodePoint(c);
            case 'x' -> text.appendCodePoint(code(2, 16, start));
            case 'u' ->
                    text.appendCodePoint(peek(0) == '{' ? bracedCode(start) : code(4, 16, start));
            case 'U' -> text.appendCodePoint(code(8, 16, start));
            case '0', '1', '2', '3' -> {
                at--;
                text.appendCodePoint(code(3, 8, start));
            }
            case END -> throw error("literal not terminated", at - 1);
            default -> throw error("invalid char escape", at - 1);
        }
    }

    private int bracedCode(int start) {
        int length = 0;
        at++;
        while (length < 7 && peek(length) != '}' && peek(length) != END) {
            length++;
        }
        int code = code(length, 16, start);
        if (peek(0) != '}') {
            throw error("invalid char escape", at);
        }
        at++;
        return code;
    }

    private int code(int length, int radix, int start) {
        int code = 0;
        for (int i = 0; i < length; i++) {
            int digit = peek(0) == END ? -1 : Character.digit(peek(0), radix);
            if (digit < 0) {
                throw error("invalid char escape", at);
            }
            code = code * radix + digit;
            at++;
        }
        if (length == 0 || !Character.isValidCodePoint(code)) {
            throw error("invalid char escape", start);
        }
        return code;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(int c) {
        return c == '_' || c == '$' || (c != END && Character.isLetter(c));
    }

    private static boolean isWordCharacter(int c) {
        return isLetter(c) || (c != END && Character.isDigit(c));
    }

    private ExprSyntaxException error(String message, int place) {
        return new ExprSyntaxException(message, new Position(source, place));
    }
}
