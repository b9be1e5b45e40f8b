package dev.millrace.schemas.manifest;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The content of a ConfigMap.
 *
 * @param binaryData base64 of values that are no text
 */
public record ConfigMap(
        Map<String, String> data, Map<String, String> binaryData, @Nullable Boolean immutable) {

    public ConfigMap {
        data = data == null ? Map.of() : data;
        binaryData = binaryData == null ? Map.of() : binaryData;
    }
}
