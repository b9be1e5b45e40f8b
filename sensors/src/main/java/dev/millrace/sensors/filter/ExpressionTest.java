package dev.millrace.sensors.filter;

import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.expressions.gjson.GjsonResult;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import dev.millrace.expressions.govaluate.Govaluate;
import dev.millrace.expressions.govaluate.GovaluateException;
import dev.millrace.schemas.sensor.ExprFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One expression filter: named values of the event in an expression that must give true. */
sealed interface ExpressionTest {

    Verdict judge(String data);

    static ExpressionTest of(ExprFilter filter) {
        String text = String.valueOf(filter.expr());
        try {
            return new Parsed(text, Govaluate.parse(text), filter.fields());
        } catch (GovaluateException e) {
            return new Unreadable(filter.fields(), String.valueOf(e.getMessage()));
        }
    }

    /** An expression over fields. */
    record Parsed(String text, Govaluate expression, List<ExprFilter.PayloadField> fields)
            implements ExpressionTest {

        @Override
        public Verdict judge(String data) {
            Map<String, @Nullable Object> values = new HashMap<>();
            for (ExprFilter.PayloadField field : fields) {
                GjsonResult result = GjsonPath.get(data, String.valueOf(field.path()));
                if (!result.exists()) {
                    return DataTest.missing(String.valueOf(field.path()));
                }
                values.put(String.valueOf(field.name()), value(result));
            }
            try {
                // A result that is no boolean is simply not true.
                return Boolean.TRUE.equals(expression.evaluate(values))
                        ? new Verdict.Passed()
                        : new Verdict.Rejected("expr filter: " + text + " is not true");
            } catch (GovaluateException e) {
                return new Verdict.Failed(String.valueOf(e.getMessage()));
            }
        }
    }

    /** What does not parse fails for each event; a path that is missing is told first. */
    record Unreadable(List<ExprFilter.PayloadField> fields, String message)
            implements ExpressionTest {

        @Override
        public Verdict judge(String data) {
            for (ExprFilter.PayloadField field : fields) {
                if (!GjsonPath.get(data, String.valueOf(field.path())).exists()) {
                    return DataTest.missing(String.valueOf(field.path()));
                }
            }
            return new Verdict.Failed(message);
        }
    }

    private static @Nullable Object value(GjsonResult result) {
        try {
            return GoJson.decode(result.raw());
        } catch (GoJsonException e) {
            // A modifier may give a text that is no JSON; its text is all there is.
            return result.text();
        }
    }
}
