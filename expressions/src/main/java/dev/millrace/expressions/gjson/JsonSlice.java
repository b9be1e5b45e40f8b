package dev.millrace.expressions.gjson;

/**
 * Finds the ends of values in JSON text. Does not check the text: a broken one gives some end,
 * never an error.
 */
final class JsonSlice {

    private JsonSlice() {}

    static int skipSpace(String json, int from) {
        int at = from;
        while (at < json.length() && json.charAt(at) <= ' ') {
            at++;
        }
        return at;
    }

    /** The position after the value that starts here. */
    static int valueEnd(String json, int from) {
        if (from >= json.length()) {
            return json.length();
        }
        return switch (json.charAt(from)) {
            case '"' -> stringEnd(json, from);
            case '{', '[', '(' -> containerEnd(json, from);
            default -> scalarEnd(json, from);
        };
    }

    /** The position after the closing quote. */
    static int stringEnd(String json, int from) {
        for (int at = from + 1; at < json.length(); at++) {
            char c = json.charAt(at);
            if (c == '\\') {
                at++;
            } else if (c == '"') {
                return at + 1;
            }
        }
        return json.length();
    }

    private static int containerEnd(String json, int from) {
        int depth = 0;
        int at = from;
        while (at < json.length()) {
            char c = json.charAt(at);
            if (c == '"') {
                at = stringEnd(json, at);
                continue;
            }
            if (c == '{' || c == '[' || c == '(') {
                depth++;
            } else if (c == '}' || c == ']' || c == ')') {
                depth--;
                if (depth == 0) {
                    return at + 1;
                }
            }
            at++;
        }
        return json.length();
    }

    private static int scalarEnd(String json, int from) {
        int at = from;
        while (at < json.length() && json.charAt(at) > ' ' && ",]}:".indexOf(json.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** The first value of the text, without white space around it. */
    static String first(String json) {
        int start = skipSpace(json, 0);
        return json.substring(start, valueEnd(json, start));
    }
}
