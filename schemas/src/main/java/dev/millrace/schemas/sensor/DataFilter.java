package dev.millrace.schemas.sensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one value of the event.
 *
 * @param path a gjson path
 * @param value passes when any of these matches
 */
public record DataFilter(
        @Nullable String path,
        @Nullable String type,
        List<String> value,
        @Nullable String comparator,
        @Nullable String template) {
    public DataFilter {
        value = value == null ? List.of() : value;
    }
}
