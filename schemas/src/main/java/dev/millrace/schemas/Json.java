package dev.millrace.schemas;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The one JSON mapper of the project: absent members are left out, unknown ones are ignored
 * (records only gain optional fields, so an older reader meets newer records), instants are RFC
 * 3339 text in UTC.
 */
public final class Json {
    private static final JsonMapper MAPPER =
            JsonMapper.builder()
                    .changeDefaultPropertyInclusion(
                            v -> v.withValueInclusion(JsonInclude.Include.NON_NULL))
                    // An empty list or map of a record is the same as an absent one.
                    .withConfigOverride(
                            List.class,
                            o ->
                                    o.setInclude(
                                            JsonInclude.Value.construct(
                                                    JsonInclude.Include.NON_EMPTY, null)))
                    .withConfigOverride(
                            Map.class,
                            o ->
                                    o.setInclude(
                                            JsonInclude.Value.construct(
                                                    JsonInclude.Include.NON_EMPTY, null)))
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                    .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                    // A reader of a record sees its members in the order in which they are
                    // declared.
                    .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                    .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
                    .build();

    private Json() {}

    /** The shared, immutable mapper. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** A new, empty JSON object. */
    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /**
     * Reads a tree as a record.
     *
     * @throws tools.jackson.core.JacksonException if the tree does not have the record's shape
     */
    public static <T> T convert(JsonNode tree, Class<T> type) {
        return MAPPER.treeToValue(tree, type);
    }

    /** Writes a record as a tree. */
    public static JsonNode tree(Object value) {
        return MAPPER.valueToTree(value);
    }
}
