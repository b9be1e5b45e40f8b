package dev.millrace.schemas.sensor;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A condition over named values of the event. */
public record ExprFilter(@Nullable String expr, List<PayloadField> fields) {
    public ExprFilter {
        fields = fields == null ? List.of() : fields;
    }

    /** A name for the value at a gjson path. */
    public record PayloadField(@Nullable String path, @Nullable String name) {}
}
