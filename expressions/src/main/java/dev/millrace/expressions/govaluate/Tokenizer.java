package dev.millrace.expressions.govaluate;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/** Cuts a condition into tokens. A backslash takes the character after it as it is. */
final class Tokenizer {

    private static final Set<String> PREFIXES = Set.of("-", "!", "~");
    private static final Set<String> MODIFIERS =
            Set.of("+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>");
    private static final Set<String> LOGICAL = Set.of("&&", "||");
    private static final Set<String> COMPARATORS =
            Set.of("==", "!=", ">", ">=", "<", "<=", "=~", "!~", "in");
    private static final Set<String> TERNARIES = Set.of("?", ":", "??");

    private final int[] text;
    private int at;
    private TokenKind last = TokenKind.UNKNOWN;

    private Tokenizer(String text) {
        this.text = text.codePoints().toArray();
    }

    static List<Token> tokenize(String text) {
        Tokenizer tokenizer = new Tokenizer(text);
        List<Token> tokens = new ArrayList<>();
        tokenizer.skipSpace();
        while (tokenizer.at < tokenizer.text.length) {
            Token token = tokenizer.next();
            tokens.add(token);
            tokenizer.last = token.kind();
            tokenizer.skipSpace();
        }
        return tokens;
    }

    private Token next() {
        int c = text[at];
        if (isNumeric(c)) {
            return number();
        }
        switch (c) {
            case ',' -> {
                at++;
                return new Token(TokenKind.SEPARATOR, ",");
            }
            case '[' -> {
                at++;
                return new Token(
                        TokenKind.VARIABLE, quoted(d -> d == ']', "Unclosed parameter bracket"));
            }
            case '(' -> {
                at++;
                return new Token(TokenKind.CLAUSE, "(");
            }
            case ')' -> {
                at++;
                return new Token(TokenKind.CLAUSE_CLOSE, ")");
            }
            case '\'', '"' -> {
                at++;
                String value = quoted(Tokenizer::isQuote, "Unclosed string literal");
                Double time = TimeLiteral.seconds(value);
                return time == null
                        ? new Token(TokenKind.STRING, value)
                        : new Token(TokenKind.TIME, time);
            }
            default -> {
                return Character.isLetter(c) ? word() : sign();
            }
        }
    }

    private Token number() {
        if (text[at] == '0' && at + 1 < text.length && text[at + 1] == 'x') {
            at += 2;
            String digits = take(c -> Character.digit(c, 16) >= 0);
            try {
                return new Token(TokenKind.NUMERIC, (double) Long.parseUnsignedLong(digits, 16));
            } catch (NumberFormatException e) {
                throw new GovaluateException(
                        "Unable to parse hex value '" + digits + "' to uint64\n");
            }
        }
        String digits = take(Tokenizer::isNumeric);
        try {
            return new Token(TokenKind.NUMERIC, Double.parseDouble(digits));
        } catch (NumberFormatException e) {
            throw new GovaluateException(
                    "Unable to parse numeric value '" + digits + "' to float64\n");
        }
    }

    private Token word() {
        String word = take(c -> Character.isLetterOrDigit(c) || c == '_' || c == '.');
        switch (word) {
            case "true" -> {
                return new Token(TokenKind.BOOLEAN, true);
            }
            case "false" -> {
                return new Token(TokenKind.BOOLEAN, false);
            }
            case "in", "IN" -> {
                return new Token(TokenKind.COMPARATOR, "in");
            }
            default -> {
                return word.indexOf('.') > 0 ? accessor(word) : new Token(TokenKind.VARIABLE, word);
            }
        }
    }

    private static Token accessor(String word) {
        if (word.endsWith(".")) {
            throw new GovaluateException("Hanging accessor on token '" + word + "'");
        }
        List<String> names = List.of(word.split("\\.", -1));
        for (String name : names.subList(1, names.size())) {
            if (name.isEmpty()
                    || Character.toUpperCase(name.codePointAt(0)) != name.codePointAt(0)) {
                throw new GovaluateException(
                        "Unable to access unexported field '" + name + "' in token '" + word + "'");
            }
        }
        return new Token(TokenKind.ACCESSOR, names);
    }

    private Token sign() {
        String sign =
                take(
                        c ->
                                !Character.isLetterOrDigit(c)
                                        && c != '('
                                        && c != ')'
                                        && c != '['
                                        && c != ']'
                                        && !isQuote(c));
        // A minus is a sign where an operand may stand, else a subtraction.
        if (last.mayBeFollowedBy(TokenKind.PREFIX) && PREFIXES.contains(sign)) {
            return new Token(TokenKind.PREFIX, sign);
        }
        if (MODIFIERS.contains(sign)) {
            return new Token(TokenKind.MODIFIER, sign);
        }
        if (LOGICAL.contains(sign)) {
            return new Token(TokenKind.LOGICALOP, sign);
        }
        if (COMPARATORS.contains(sign)) {
            return new Token(TokenKind.COMPARATOR, sign);
        }
        if (TERNARIES.contains(sign)) {
            return new Token(TokenKind.TERNARY, sign);
        }
        throw new GovaluateException("Invalid token: '" + sign + "'");
    }

    /** The characters up to a space or one that does not fit. */
    private String take(IntPredicate fits) {
        StringBuilder taken = new StringBuilder();
        while (at < text.length) {
            int c = text[at];
            if (c == '\\' && at + 1 < text.length) {
                taken.appendCodePoint(text[at + 1]);
                at += 2;
            } else if (!Character.isWhitespace(c) && fits.test(c)) {
                taken.appendCodePoint(c);
                at++;
            } else {
                break;
            }
        }
        return taken.toString();
    }

    private String quoted(IntPredicate end, String unclosed) {
        StringBuilder taken = new StringBuilder();
        while (at < text.length) {
            int c = text[at++];
            if (c == '\\' && at < text.length) {
                taken.appendCodePoint(text[at++]);
            } else if (end.test(c)) {
                return taken.toString();
            } else {
                taken.appendCodePoint(c);
            }
        }
        throw new GovaluateException(unclosed);
    }

    private void skipSpace() {
        while (at < text.length && Character.isWhitespace(text[at])) {
            at++;
        }
    }

    private static boolean isNumeric(int c) {
        return (c >= '0' && c <= '9') || c == '.';
    }

    private static boolean isQuote(int c) {
        return c == '\'' || c == '"';
    }
}
