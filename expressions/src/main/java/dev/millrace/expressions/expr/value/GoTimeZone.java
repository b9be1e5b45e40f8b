package dev.millrace.expressions.expr.value;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/** A time zone as a value. */
public record GoTimeZone(ZoneId id) implements GoObject {

    @Override
    public @Nullable GoFunction method(String name) {
        return name.equals("String") ? arguments -> toString() : null;
    }

    @Override
    public String goType() {
        return "*time.Location";
    }

    @Override
    public String toString() {
        return id.getId().equals("Z") ? "UTC" : id.getId();
    }
}
