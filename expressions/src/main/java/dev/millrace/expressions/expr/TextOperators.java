package dev.millrace.expressions.expr;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.expressions.expr.value.GoList;
import dev.millrace.expressions.expr.value.GoPanic;
import dev.millrace.expressions.expr.value.GoType;
import dev.millrace.expressions.regex.GoRegex;

/** The operators between texts, and the range operator. */
final class TextOperators {

    private TextOperators() {}

    static Step range(Step left, Step right) {
        return frame -> {
            long first = NumberBuiltins.toInt(left.run(frame));
            long last = NumberBuiltins.toInt(right.run(frame));
            if (last >= first) {
                // The difference may overflow: it is negative then, and far beyond the budget.
                long size = last - first + 1;
                frame.allocate(size <= 0 ? Long.MAX_VALUE / 2 : size);
            }
            return GoList.range(first, last);
        };
    }

    static Step matches(Step left, Step right, Node rightNode) {
        if (rightNode instanceof Node.Constant(Object value, int at)
                && value instanceof String text) {
            Pattern pattern = GoRegex.compile(text);
            return frame -> {
                Object subject = left.run(frame);
                return subject != null && pattern.matcher(text(subject)).find();
            };
        }
        return frame -> {
            Object subject = left.run(frame);
            Object pattern = right.run(frame);
            if (subject == null || pattern == null) {
                return false;
            }
            try {
                return GoRegex.compile(text(pattern)).matcher(text(subject)).find();
            } catch (PatternSyntaxException e) {
                throw new GoPanic(String.valueOf(e.getMessage()));
            }
        };
    }

    /** {@code contains}, {@code startsWith} or {@code endsWith}; nil on either side is no match. */
    static Step search(String operator, Step left, Step right) {
        return frame -> {
            Object subject = left.run(frame);
            Object wanted = right.run(frame);
            if (subject == null || wanted == null) {
                return false;
            }
            String text = text(subject);
            String part = text(wanted);
            return switch (operator) {
                case "contains" -> text.contains(part);
                case "startsWith" -> text.startsWith(part);
                default -> text.endsWith(part);
            };
        };
    }

    private static String text(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new GoPanic(
                "interface conversion: interface {} is " + GoType.name(value) + ", not string");
    }
}
