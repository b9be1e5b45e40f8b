package dev.millrace.sensors.filter;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.expressions.gjson.GjsonResult;
import dev.millrace.expressions.regex.GoRegex;
import dev.millrace.schemas.sensor.DataFilter;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One data filter: a value of the event against a list of which one must fit. */
sealed interface DataTest {

    Verdict judge(String data);

    static DataTest of(DataFilter filter) {
        String path = String.valueOf(filter.path());
        String comparator = filter.comparator() == null ? "" : filter.comparator();
        String type = String.valueOf(filter.type());
        return switch (type) {
            case "string" ->
                    new AnyOf(
                            path,
                            filter.value().stream().map(v -> pattern(v, comparator)).toList());
            case "number" ->
                    new AnyOf(
                            path, filter.value().stream().map(v -> number(v, comparator)).toList());
            case "bool" -> new AnyOf(path, filter.value().stream().map(DataTest::bool).toList());
            default -> new UnknownType(path, type);
        };
    }

    /** One wanted value, or what is wrong with it; that counts only once it is reached. */
    sealed interface Wanted {
        record Fits(Function<GjsonResult, Boolean> test) implements Wanted {}

        record Unreadable(String message) implements Wanted {}
    }

    /** The values are tried in order until one fits. */
    record AnyOf(String path, List<Wanted> wanted) implements DataTest {

        @Override
        public Verdict judge(String data) {
            GjsonResult value = GjsonPath.get(data, path);
            if (!value.exists()) {
                return missing(path);
            }
            for (Wanted one : wanted) {
                switch (one) {
                    case Wanted.Fits(Function<GjsonResult, Boolean> test) -> {
                        if (test.apply(value)) {
                            return new Verdict.Passed();
                        }
                    }
                    case Wanted.Unreadable(String message) -> {
                        return new Verdict.Failed(message);
                    }
                }
            }
            return new Verdict.Rejected("data filter: " + path + " has no wanted value");
        }
    }

    /** A type that is none fails for every event that has the path. */
    record UnknownType(String path, String type) implements DataTest {

        @Override
        public Verdict judge(String data) {
            return GjsonPath.get(data, path).exists()
                    ? new Verdict.Failed(
                            "unsupported JSON type " + type + ", write string, number or bool")
                    : missing(path);
        }
    }

    static Verdict missing(String path) {
        return new Verdict.Failed("path '" + path + "' does not exist");
    }

    /** An unanchored pattern; comparators other than these two never fit. */
    private static Wanted pattern(String value, String comparator) {
        Pattern pattern;
        try {
            pattern = GoRegex.compile(value);
        } catch (PatternSyntaxException e) {
            return new Wanted.Unreadable("'" + value + "' is no pattern: " + e.getMessage());
        }
        return new Wanted.Fits(
                switch (comparator) {
                    case "", "=" -> result -> pattern.matcher(result.text()).find();
                    case "!=" -> result -> !pattern.matcher(result.text()).find();
                    default -> _ -> false;
                });
    }

    private static Wanted number(String value, String comparator) {
        Optional<Double> read = GoText.number(value);
        if (read.isEmpty()) {
            return new Wanted.Unreadable("'" + value + "' is no number");
        }
        double wanted = read.get();
        return new Wanted.Fits(
                switch (comparator) {
                    case "", "=" -> result -> result.number() == wanted;
                    case "!=" -> result -> result.number() != wanted;
                    case "<" -> result -> result.number() < wanted;
                    case "<=" -> result -> result.number() <= wanted;
                    case ">" -> result -> result.number() > wanted;
                    case ">=" -> result -> result.number() >= wanted;
                    default -> _ -> false;
                });
    }

    private static Wanted bool(String value) {
        Optional<Boolean> wanted = GoText.bool(value);
        if (wanted.isEmpty()) {
            return new Wanted.Unreadable("'" + value + "' is no bool, write true or false");
        }
        return new Wanted.Fits(result -> wanted.get().equals(result.bool()));
    }
}
