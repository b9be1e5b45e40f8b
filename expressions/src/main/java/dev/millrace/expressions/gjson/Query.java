package dev.millrace.expressions.gjson;

import org.jspecify.annotations.Nullable;

/**
 * A query on the elements of an array: <code>#(path op value)</code>.
 *
 * @param path below the element; empty for the element itself
 * @param operator one of {@code = != < <= > >= % !%}; empty to ask only whether the path is there
 * @param value to compare with, without quotes
 * @param all whether all matching elements are wanted ({@code #(...)#}), not the first
 * @param end where the query ends in the path it was read from
 */
record Query(String path, String operator, String value, boolean all, int end) {

    /** Null if there is no end. */
    static @Nullable Query parse(String text) {
        int close = JsonSlice.valueEnd(text, 1) - 1;
        char end = text.charAt(1) == '(' ? ')' : ']';
        if (close < 2 || text.charAt(close) != end) {
            return null;
        }
        String inside = text.substring(2, close);
        boolean all = close + 1 < text.length() && text.charAt(close + 1) == '#';
        int at = operatorStart(inside);
        if (at < 0) {
            return new Query(inside.strip(), "", "", all, close + 1);
        }
        boolean two = at + 1 < inside.length() && isTwo(inside.charAt(at), inside.charAt(at + 1));
        String operator = inside.substring(at, at + (two ? 2 : 1));
        String value = inside.substring(at + operator.length()).strip();
        return new Query(
                inside.substring(0, at).strip(),
                operator.equals("==") ? "=" : operator,
                unquoted(value),
                all,
                close + 1);
    }

    private static boolean isTwo(char first, char second) {
        return second == '=' ? first != '%' : second == '%' && first == '!';
    }

    private static int operatorStart(String inside) {
        int at = 0;
        while (at < inside.length()) {
            char c = inside.charAt(at);
            if ("!=<>%".indexOf(c) >= 0) {
                return at;
            }
            if (c == '\\') {
                at += 2;
            } else if (c == '"' || c == '(' || c == '[' || c == '{') {
                at = JsonSlice.valueEnd(inside, at);
            } else {
                at++;
            }
        }
        return -1;
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? GjsonResult.unquoted(value)
                : value;
    }

    boolean matches(GjsonResult found) {
        if (value.startsWith("~")) {
            return loosely(found);
        }
        return found.exists() && (operator.isEmpty() || compare(found, value));
    }

    /**
     * {@code ~true}, {@code ~false}, {@code ~null} and {@code ~*} compare with what a value comes
     * to.
     */
    private boolean loosely(GjsonResult found) {
        boolean absent = !found.exists() || found.type() == GjsonResult.Type.NULL;
        boolean truth;
        switch (value.substring(1)) {
            case "*" -> truth = found.exists();
            case "null" -> truth = absent;
            case "true" -> truth = found.bool();
            case "false" -> truth = absent || isFalse(found);
            default -> {
                return false;
            }
        }
        return operator.isEmpty() || compare(GjsonResult.of(truth ? "true" : "false"), "true");
    }

    private static boolean isFalse(GjsonResult found) {
        return switch (found.type()) {
            case NULL, FALSE -> true;
            case NUMBER -> found.number() == 0;
            case STRING ->
                    !found.bool()
                            && java.util.Set.of("0", "f", "false")
                                    .contains(found.text().toLowerCase(java.util.Locale.ROOT));
            case TRUE, JSON -> false;
        };
    }

    private boolean compare(GjsonResult found, String wanted) {
        return switch (found.type()) {
            case STRING ->
                    switch (operator) {
                        case "%" -> Glob.matches(found.text(), wanted);
                        case "!%" -> !Glob.matches(found.text(), wanted);
                        default -> ordered(found.text().compareTo(wanted));
                    };
            case NUMBER -> ordered(Double.compare(found.number(), GjsonResult.of(wanted).number()));
            case TRUE ->
                    switch (operator) {
                        case "=" -> wanted.equals("true");
                        case "!=" -> !wanted.equals("true");
                        case ">" -> wanted.equals("false");
                        case ">=" -> true;
                        default -> false;
                    };
            case FALSE ->
                    switch (operator) {
                        case "=" -> wanted.equals("false");
                        case "!=" -> !wanted.equals("false");
                        case "<" -> wanted.equals("true");
                        case "<=" -> true;
                        default -> false;
                    };
            case NULL, JSON -> false;
        };
    }

    private boolean ordered(int order) {
        return switch (operator) {
            case "=" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            case ">=" -> order >= 0;
            default -> false;
        };
    }
}
