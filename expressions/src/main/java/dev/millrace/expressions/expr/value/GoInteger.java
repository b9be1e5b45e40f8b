package dev.millrace.expressions.expr.value;

import org.jspecify.annotations.Nullable;

/**
 * An integer of another type than {@code int}, which is a plain {@link Long}. Arithmetic turns it
 * into an {@code int}.
 *
 * @param type the Go type, for instance {@code int64} or {@code time.Month}
 * @param name what it prints as, where that is not the number (the name of a month)
 */
public record GoInteger(String type, long value, @Nullable String name) {

    public static GoInteger int64(long value) {
        return new GoInteger("int64", value, null);
    }

    public static GoInteger uint64(long value) {
        return new GoInteger("uint64", value, null);
    }

    /** A byte of a string. */
    public static GoInteger uint8(byte value) {
        return new GoInteger("uint8", value & 0xff, null);
    }

    boolean isUnsigned() {
        return type.startsWith("uint");
    }

    @Override
    public String toString() {
        if (name != null) {
            return name;
        }
        return isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value);
    }
}
