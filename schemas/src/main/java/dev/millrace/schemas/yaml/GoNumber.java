package dev.millrace.schemas.yaml;

import java.math.BigDecimal;

/** Floats in Go's shortest general form. */
final class GoNumber {

    private static final int LARGEST_PLAIN_EXPONENT = 21;
    private static final int SMALLEST_PLAIN_EXPONENT = -4;

    private GoNumber() {}

    /** {@code 1e+21} from exponent 21 on, {@code 1e-05} below -4, plain digits between. */
    static String general(double value) {
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal digits = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= SMALLEST_PLAIN_EXPONENT && exponent < LARGEST_PLAIN_EXPONENT) {
            return digits.toPlainString();
        }
        String mantissa = digits.movePointLeft(exponent).stripTrailingZeros().toPlainString();
        int size = Math.abs(exponent);
        return mantissa + "e" + (exponent < 0 ? "-" : "+") + (size < 10 ? "0" : "") + size;
    }
}
