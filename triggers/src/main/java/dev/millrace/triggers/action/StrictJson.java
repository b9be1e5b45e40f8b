package dev.millrace.triggers.action;

import dev.millrace.schemas.Json;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads blocks that parameters have changed: a text never fits a field that is no text, as users of
 * the field know it ({@code dest: timeout} with a default fails).
 */
final class StrictJson {

    private static final JsonMapper MAPPER =
            Json.mapper().rebuild().disable(MapperFeature.ALLOW_COERCION_OF_SCALARS).build();

    private StrictJson() {}

    /**
     * @throws tools.jackson.core.JacksonException if it does not fit
     */
    static <T> T read(String json, Class<T> type) {
        return MAPPER.readValue(json, type);
    }
}
