package dev.millrace.schemas.manifest;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a Secret.
 *
 * @param data base64 of the values
 * @param stringData values as text; they win over {@code data}
 */
public record Secret(
        Map<String, String> data,
        Map<String, String> stringData,
        @Nullable String type,
        @Nullable Boolean immutable) {

    public Secret {
        data = data == null ? Map.of() : data;
        stringData = stringData == null ? Map.of() : stringData;
    }

    /**
     * The values by key, text as UTF-8.
     *
     * @throws IllegalArgumentException if a value of {@code data} is not base64; the reader has
     *     reported it then
     */
    public Map<String, byte[]> values() {
        Map<String, byte[]> values = new LinkedHashMap<>();
        data.forEach((key, value) -> values.put(key, decode(value)));
        stringData.forEach((key, value) -> values.put(key, value.getBytes(StandardCharsets.UTF_8)));
        return values;
    }

    /** Line breaks within the base64 text are fine, as they are for Go. */
    static byte[] decode(String base64) {
        return Base64.getDecoder().decode(base64.replace("\n", "").replace("\r", ""));
    }

    /** Values never show in logs. */
    @Override
    public String toString() {
        return "Secret[type="
                + type
                + ", data keys "
                + data.keySet()
                + ", stringData keys "
                + stringData.keySet()
                + "]";
    }
}
