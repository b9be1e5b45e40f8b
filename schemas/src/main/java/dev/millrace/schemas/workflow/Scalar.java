package dev.millrace.schemas.workflow;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import tools.jackson.databind.JsonNode;

/**
 * A text that a manifest may also write as a number or a boolean. Numbers become text as Go renders
 * a float64 without exponent: {@code 1.0} is "1", {@code 1e6} is "1000000", whole numbers above
 * 2^53 lose their last digits. Lists and maps become their JSON text.
 *
 * @param text the text
 */
public record Scalar(String text) {

    /**
     * Reads any JSON value; a JSON null is read as the empty text (an absent member never comes
     * here).
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Scalar of(JsonNode value) {
        if (value.isString()) {
            return new Scalar(value.stringValue());
        }
        if (value.isNumber()) {
            double number = value.doubleValue();
            String text = new BigDecimal(Double.toString(number)).toPlainString();
            if (text.contains(".")) {
                text = text.replaceAll("0+$", "").replaceAll("\\.$", "");
            }
            return new Scalar(text);
        }
        if (value.isBoolean()) {
            return new Scalar(Boolean.toString(value.booleanValue()));
        }
        return new Scalar(value.isNull() ? "" : value.toString());
    }

    @JsonValue
    public String json() {
        return text;
    }

    @Override
    public String toString() {
        return text;
    }
}
