package dev.millrace.expressions.expr.value;

import java.util.Base64;

/** Standard base 64 with padding, with Go's messages. */
public final class GoBase64 {

    private GoBase64() {}

    public static String encode(String text) {
        return Base64.getEncoder().encodeToString(GoText.utf8(text));
    }

    /**
     * The decoded bytes as text; line ends in the input do not count.
     *
     * @throws GoPanic if it is no base 64
     */
    public static String decode(String text) {
        String clean = text.replace("\n", "").replace("\r", "");
        int padding = clean.endsWith("==") ? 2 : clean.endsWith("=") ? 1 : 0;
        int end = clean.length() - padding;
        for (int i = 0; i < end; i++) {
            if (!isDigit(clean.charAt(i))) {
                throw illegal(i);
            }
        }
        if (clean.length() % 4 != 0) {
            throw illegal(padding > 0 ? end : clean.length() / 4 * 4);
        }
        return GoText.fromUtf8(Base64.getDecoder().decode(clean));
    }

    private static boolean isDigit(char c) {
        return (c >= 'A' && c <= 'Z')
                || (c >= 'a' && c <= 'z')
                || (c >= '0' && c <= '9')
                || c == '+'
                || c == '/';
    }

    private static GoPanic illegal(int at) {
        return new GoPanic("illegal base64 data at input byte " + at);
    }
}
