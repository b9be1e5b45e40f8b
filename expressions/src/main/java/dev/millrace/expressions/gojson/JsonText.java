package dev.millrace.expressions.gojson;

/** Strings inside JSON text. */
final class JsonText {

    private static final String HEX = "0123456789abcdef";

    private JsonText() {}

    /**
     * Appends JSON text with {@code < > &} and the two line separators escaped; in valid JSON they
     * stand in strings only.
     */
    static void escapeHtml(String raw, StringBuilder out) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (isHtml(c)) {
                unicode(c, out);
            } else {
                out.append(c);
            }
        }
    }

    /** Appends the inside of a JSON string, without quotes. */
    static void escape(String value, boolean html, StringBuilder out) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\r' -> out.append("\\r");
                case '\t' -> out.append("\\t");
                case '\b' -> out.append("\\b");
                case '\f' -> out.append("\\f");
                default -> {
                    boolean separator = c == '\u2028' || c == '\u2029';
                    if (c < 0x20 || separator || (html && isHtml(c))) {
                        unicode(c, out);
                    } else if (Character.isSurrogate(c) && !paired(value, i)) {
                        // Half a pair has no UTF-8 form; Go writes the replacement character.
                        out.append("\\ufffd");
                    } else {
                        out.append(c);
                    }
                }
            }
        }
    }

    private static boolean paired(String value, int i) {
        return Character.isHighSurrogate(value.charAt(i))
                ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
    }

    private static boolean isHtml(char c) {
        return c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029';
    }

    private static void unicode(char c, StringBuilder out) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt((c >> shift) & 0xf));
        }
    }

    /** The value of a valid JSON string, given with its quotes. */
    static String unquote(String raw) {
        return unescape(raw.substring(1, raw.length() - 1));
    }

    /** The value of the inside of a valid JSON string. */
    static String unescape(String inside) {
        int backslash = inside.indexOf('\\');
        if (backslash < 0) {
            return inside;
        }
        StringBuilder out = new StringBuilder(inside.length()).append(inside, 0, backslash);
        int i = backslash;
        while (i < inside.length()) {
            char c = inside.charAt(i++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = inside.charAt(i++);
            switch (escaped) {
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'u' -> {
                    out.append((char) Integer.parseInt(inside, i, i + 4, 16));
                    i += 4;
                }
                default -> out.append(escaped);
            }
        }
        return wellFormed(out);
    }

    private static String wellFormed(StringBuilder text) {
        String value = text.toString();
        for (int i = 0; i < value.length(); i++) {
            if (Character.isSurrogate(value.charAt(i)) && !paired(value, i)) {
                text.setCharAt(i, '\ufffd');
            }
        }
        return text.toString();
    }
}
