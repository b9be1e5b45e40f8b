package dev.millrace.schemas.yaml;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The text that a parameter value becomes. Parameters are always text; an unquoted number goes
 * through a double on the way, so {@code 1.0} is "1", {@code 1e6} is "1000000" and integers above
 * 2^53 lose digits.
 */
public final class ParameterText {

    private ParameterText() {}

    /**
     * The text of a value: numbers as Go renders a float64 without exponent, lists and objects as
     * their JSON. Null for a JSON null, which means "no value".
     */
    public static @Nullable String of(JsonNode value) {
        if (value.isNull() || value.isMissingNode()) {
            return null;
        }
        if (value.isNumber()) {
            return decimal(value.doubleValue());
        }
        return value.isContainer() ? value.toString() : value.asString();
    }

    private static String decimal(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        return new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString();
    }
}
