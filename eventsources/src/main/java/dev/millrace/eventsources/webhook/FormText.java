package dev.millrace.eventsources.webhook;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Form bodies and queries as Go reads them: each name with all its values, {@code +} is a space, a
 * name without {@code =} has the empty text.
 *
 * @param values by name
 * @param error the first thing that could not be read, in Go's words; what was good is in the
 *     values
 */
record FormText(Map<String, List<String>> values, @Nullable String error) {

    static FormText parse(String text) {
        Map<String, List<String>> values = new TreeMap<>();
        String error = null;
        for (String pair : text.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            try {
                if (pair.indexOf(';') >= 0) {
                    throw new MalformedException("invalid semicolon separator in query");
                }
                int equals = pair.indexOf('=');
                String name = unescape(equals < 0 ? pair : pair.substring(0, equals));
                String value = equals < 0 ? "" : unescape(pair.substring(equals + 1));
                values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
            } catch (MalformedException e) {
                error = error == null ? e.getMessage() : error;
            }
        }
        return new FormText(values, error);
    }

    private static String unescape(String text) throws MalformedException {
        if (text.indexOf('%') < 0) {
            return text.replace('+', ' ');
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%') {
                int high = i + 1 < bytes.length ? Character.digit((char) bytes[i + 1], 16) : -1;
                int low = i + 2 < bytes.length ? Character.digit((char) bytes[i + 2], 16) : -1;
                if (high < 0 || low < 0) {
                    String rest = new String(bytes, i, bytes.length - i, StandardCharsets.UTF_8);
                    throw new MalformedException(
                            "invalid URL escape \""
                                    + rest.substring(0, Math.min(3, rest.length()))
                                    + "\"");
                }
                out.write(high * 16 + low);
                i += 2;
            } else {
                out.write(bytes[i] == '+' ? ' ' : bytes[i]);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static final class MalformedException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedException(String message) {
            super(message, null, false, false);
        }
    }
}
