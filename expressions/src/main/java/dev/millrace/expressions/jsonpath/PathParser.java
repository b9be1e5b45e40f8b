package dev.millrace.expressions.jsonpath;

import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads paths and the expressions inside them. */
final class PathParser {

    /** Operators by strength, the weakest first. */
    private static final List<List<String>> OPERATORS =
            List.of(
                    List.of("||"),
                    List.of("&&"),
                    List.of("==", "!=", "<=", ">=", "<", ">"),
                    List.of("+", "-"),
                    List.of("*", "/", "%"));

    private static final String ENDS_NAME = ".[";
    private static final String ENDS_NAME_INSIDE = ".[ +-*/%=!<>&|(),:]\t";
    private static final int MAX_DEPTH = 100;
    private static final int MAX_SEGMENTS = 1_000;

    private final String text;
    private int at;
    private int depth;

    private PathParser(String text) {
        this.text = text;
    }

    static List<Segment> parse(String path) {
        PathParser parser = new PathParser(path.strip());
        if (parser.text.isEmpty() || (parser.peek() != '$' && parser.peek() != '@')) {
            throw parser.malformed("a path starts with $");
        }
        parser.at++;
        List<Segment> segments = parser.segments(ENDS_NAME);
        if (parser.at < parser.text.length()) {
            throw parser.malformed("unexpected '" + parser.peek() + "'");
        }
        return segments;
    }

    private List<Segment> segments(String nameEnds) {
        if (++depth > MAX_DEPTH) {
            throw malformed("it is nested too deeply");
        }
        List<Segment> segments = new ArrayList<>();
        while (true) {
            if (segments.size() > MAX_SEGMENTS) {
                throw malformed("it has more than " + MAX_SEGMENTS + " steps");
            }
            if (peek() == '.') {
                boolean recursive = text.startsWith("..", at);
                while (peek() == '.') {
                    at++;
                }
                Segment member = peek() == '[' ? bracket() : named(nameEnds);
                segments.add(recursive ? new Segment.Recursive(member) : member);
            } else if (peek() == '[') {
                segments.add(bracket());
            } else {
                depth--;
                return segments;
            }
        }
    }

    private Segment named(String nameEnds) {
        int start = at;
        if (peek() == '*') {
            at++;
            return new Segment.Wildcard();
        }
        while (at < text.length() && nameEnds.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String name = text.substring(start, at).strip();
        if (name.isEmpty()) {
            throw malformed("a name is missing");
        }
        return new Segment.Key(name);
    }

    private Segment bracket() {
        at++;
        space();
        if (peek() == '*') {
            at++;
            close();
            return new Segment.Wildcard();
        }
        if (peek() == '?') {
            at++;
            space();
            if (peek() != '(') {
                throw malformed("a filter is written [?(…)]");
            }
            Expression condition = primary();
            close();
            return new Segment.Filter(condition);
        }
        List<Segment> members = new ArrayList<>();
        while (true) {
            members.add(subscript());
            space();
            if (peek() != ',') {
                break;
            }
            at++;
        }
        close();
        return members.size() == 1 ? members.getFirst() : new Segment.Union(members);
    }

    private Segment subscript() {
        space();
        if (peek() == '\'' || peek() == '"') {
            return new Segment.Key(quoted());
        }
        Expression first = peek() == ':' ? null : bound();
        space();
        if (peek() != ':') {
            return switch (first) {
                case Expression.Literal(Object value) when value instanceof Number number ->
                        new Segment.Index(number.longValue());
                case null -> throw malformed("an index is missing");
                default -> new Segment.Script(first);
            };
        }
        at++;
        space();
        Expression to = peek() == ':' || peek() == ']' ? null : bound();
        space();
        Expression step = null;
        if (peek() == ':') {
            at++;
            space();
            step = peek() == ']' ? null : bound();
        }
        return new Segment.Range(first, to, step);
    }

    /** A whole number, or an expression in parentheses. */
    private Expression bound() {
        if (peek() == '(') {
            return primary();
        }
        int start = at;
        if (peek() == '-') {
            at++;
        }
        while (peek() >= '0' && peek() <= '9') {
            at++;
        }
        try {
            return new Expression.Literal(Long.parseLong(text.substring(start, at)));
        } catch (NumberFormatException e) {
            throw malformed("expected an index, a quoted name, * or an expression in parentheses");
        }
    }

    private void close() {
        space();
        if (peek() != ']') {
            throw malformed("expected ]");
        }
        at++;
    }

    private Expression expression(int strength) {
        if (strength == OPERATORS.size()) {
            return primary();
        }
        Expression left = expression(strength + 1);
        while (true) {
            space();
            String operator = operator(OPERATORS.get(strength));
            if (operator == null) {
                return left;
            }
            at += operator.length();
            left = new Expression.Operation(operator, left, expression(strength + 1));
        }
    }

    private @Nullable String operator(List<String> candidates) {
        for (String candidate : candidates) {
            if (text.startsWith(candidate, at)) {
                return candidate;
            }
        }
        return null;
    }

    private Expression primary() {
        if (++depth > MAX_DEPTH) {
            throw malformed("it is nested too deeply");
        }
        space();
        char c = peek();
        Expression result;
        if (c == '(') {
            at++;
            result = expression(0);
            space();
            if (peek() != ')') {
                throw malformed("expected )");
            }
            at++;
        } else if (c == '@' || c == '$') {
            at++;
            result = new Expression.Query(c == '$', segments(ENDS_NAME_INSIDE));
        } else if (c == '\'' || c == '"') {
            result = new Expression.Literal(quoted());
        } else if (c == '[' || c == '{') {
            result = new Expression.Literal(json());
        } else {
            result = new Expression.Literal(word());
        }
        depth--;
        return result;
    }

    /** A JSON list or object, up to the bracket that closes it. */
    private @Nullable Object json() {
        int start = at;
        int open = 0;
        boolean quoted = false;
        do {
            char c = peek();
            if (at >= text.length()) {
                throw malformed("a bracket is not closed");
            }
            if (c == '\\' && quoted) {
                at++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted) {
                open += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
            }
            at++;
        } while (open > 0 || quoted);
        try {
            return GoJson.decode(text.substring(start, Math.min(at, text.length())));
        } catch (GoJsonException e) {
            throw malformed(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable Object word() {
        int start = at;
        if (peek() == '-' || peek() == '+') {
            at++;
        }
        while (Character.isLetterOrDigit(peek())
                || peek() == '.'
                || ((peek() == '-' || peek() == '+')
                        && "eE".indexOf(text.charAt(at - 1)) >= 0
                        && at - 2 >= start
                        && Character.isDigit(text.charAt(at - 2)))) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null", "nil" -> null;
            default -> {
                try {
                    yield Double.parseDouble(word);
                } catch (NumberFormatException e) {
                    throw malformed(
                            word.isEmpty()
                                    ? "a value is missing"
                                    : "'" + word + "' is no value; text needs quotes");
                }
            }
        };
    }

    private String quoted() {
        char quote = peek();
        at++;
        StringBuilder out = new StringBuilder();
        while (peek() != quote) {
            if (at >= text.length()) {
                throw malformed("a quote is not closed");
            }
            if (peek() == '\\' && at + 1 < text.length()) {
                at++;
            }
            out.append(peek());
            at++;
        }
        at++;
        return out.toString();
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private char peek() {
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private JsonPathException malformed(String what) {
        return new JsonPathException(
                "invalid JSONPath selector '"
                        + text
                        + "': "
                        + what
                        + " (at character "
                        + (at + 1)
                        + ")");
    }
}
