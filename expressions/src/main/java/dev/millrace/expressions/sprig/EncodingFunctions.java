package dev.millrace.expressions.sprig;

import dev.millrace.expressions.expr.value.GoBase64;
import dev.millrace.expressions.expr.value.GoJsonWriter;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoText;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.Adler32;
import org.jspecify.annotations.Nullable;

/** JSON, base 64 and 32, and checksums. */
final class EncodingFunctions {

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

    private EncodingFunctions() {}

    static void addTo(Map<String, SprigFunction> table) {
        table.put("toJson", a -> orEmpty(() -> GoJsonWriter.write(a.get(0))));
        table.put("mustToJson", a -> GoJsonWriter.write(a.get(0)));
        table.put("toPrettyJson", a -> orEmpty(() -> GoJsonWriter.write(a.get(0), "  ", true)));
        table.put("mustToPrettyJson", a -> GoJsonWriter.write(a.get(0), "  ", true));
        table.put("toRawJson", a -> GoJsonWriter.write(a.get(0), null, false));
        table.put("mustToRawJson", a -> GoJsonWriter.write(a.get(0), null, false));
        table.put(
                "fromJson",
                a -> {
                    try {
                        return GoJson.decode(a.text(0));
                    } catch (GoJsonException e) {
                        // Sprig gives nil for a text that is no JSON; mustFromJson says why.
                        return null;
                    }
                });
        table.put("mustFromJson", a -> mustFromJson(a.text(0)));
        table.put("b64enc", a -> GoBase64.encode(a.text(0)));
        table.put("b64dec", a -> base64(a.text(0)));
        table.put("b32enc", a -> base32(GoText.utf8(a.text(0))));
        table.put("b32dec", a -> fromBase32(a.text(0)));
        table.put("sha1sum", a -> hash("SHA-1", a.text(0)));
        table.put("sha256sum", a -> hash("SHA-256", a.text(0)));
        table.put("sha512sum", a -> hash("SHA-512", a.text(0)));
        table.put(
                "adler32sum",
                a -> {
                    Adler32 checksum = new Adler32();
                    checksum.update(GoText.utf8(a.text(0)));
                    return Long.toString(checksum.getValue());
                });
    }

    private static String orEmpty(java.util.function.Supplier<String> json) {
        try {
            return json.get();
        } catch (GoPanic e) {
            // Sprig gives no text for what has no JSON form; the must functions say why.
            return "";
        }
    }

    private static @Nullable Object mustFromJson(String text) {
        try {
            return GoJson.decode(text);
        } catch (GoJsonException e) {
            throw new GoPanic(String.valueOf(e.getMessage()));
        }
    }

    /** The decoded text; for what is no base 64 the message of the error, as Sprig does. */
    private static String base64(String text) {
        try {
            return GoBase64.decode(text);
        } catch (GoPanic e) {
            return e.getMessage();
        }
    }

    private static String base32(byte[] bytes) {
        StringBuilder out = new StringBuilder();
        int buffer = 0;
        int bits = 0;
        for (byte each : bytes) {
            buffer = buffer << 8 | each & 0xff;
            bits += 8;
            while (bits >= 5) {
                out.append(BASE32.charAt(buffer >> bits - 5 & 31));
                bits -= 5;
            }
            buffer &= (1 << bits) - 1;
        }
        if (bits > 0) {
            out.append(BASE32.charAt(buffer << 5 - bits & 31));
        }
        while (out.length() % 8 != 0) {
            out.append('=');
        }
        return out.toString();
    }

    private static String fromBase32(String text) {
        String digits = GoText.trimRight(text.replace("\n", "").replace("\r", ""), c -> c == '=');
        byte[] bytes = new byte[digits.length() * 5 / 8];
        int buffer = 0;
        int bits = 0;
        int at = 0;
        for (int i = 0; i < digits.length(); i++) {
            int value = BASE32.indexOf(digits.charAt(i));
            if (value < 0) {
                return "illegal base32 data at input byte " + i;
            }
            buffer = buffer << 5 | value;
            bits += 5;
            if (bits >= 8) {
                bytes[at++] = (byte) (buffer >> bits - 8);
                bits -= 8;
                buffer &= (1 << bits) - 1;
            }
        }
        return GoText.fromUtf8(bytes);
    }

    private static String hash(String algorithm, String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance(algorithm).digest(GoText.utf8(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has " + algorithm, e);
        }
    }
}
