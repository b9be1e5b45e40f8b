package dev.millrace.expressions.govaluate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.expressions.Vectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

class GovaluateTest {

    @Test
    void givesTheVerdictsThatGovaluateGives() {
        List<JsonNode> vectors = Vectors.lines("when.jsonl");
        assertThat(vectors).hasSizeGreaterThan(70);
        for (JsonNode vector : vectors) {
            assertThat(outcome(vector.get("in").stringValue()))
                    .as(vector.toString())
                    .isEqualTo(expected(vector));
        }
    }

    private static Object expected(JsonNode vector) {
        if (vector.has("error")) {
            return vector.get("detail").stringValue();
        }
        JsonNode value = vector.get("value");
        return value.isBoolean()
                ? (Object) value.booleanValue()
                : value.isNumber() ? value.doubleValue() : value.stringValue();
    }

    private static @Nullable Object outcome(String condition) {
        try {
            // The controller parses twice: errors of the text as it is come first.
            Govaluate.parse(condition);
            return Govaluate.parseWithBareWordsAsStrings(condition).evaluate(Map.of());
        } catch (GovaluateException e) {
            return e.getMessage();
        }
    }

    private static Map<String, @Nullable Object> map(String name, @Nullable Object value) {
        Map<String, @Nullable Object> map = new HashMap<>();
        map.put(name, value);
        return map;
    }

    static Stream<Arguments> filters() {
        String notANumber = " cannot be used with the comparator '>', it is not a number";
        return Stream.of(
                Arguments.of("a == \"b\" || c == 10", Map.of("a", "b", "c", 11.0), true),
                Arguments.of("a == 'b'", Map.of("a", "b"), true),
                Arguments.of("action =~ \"start\"", Map.of("action", "restarted"), true),
                Arguments.of("action !~ \"^start$\"", Map.of("action", "restarted"), true),
                Arguments.of("n > 5", Map.of("n", "6"), "Value '6'" + notANumber),
                Arguments.of("n == 5", Map.of("n", "5"), false),
                Arguments.of("n in (1,2,5)", Map.of("n", 5), true),
                Arguments.of("s in ('x','y')", Map.of("s", "y"), true),
                Arguments.of("e == false", Map.of("e", false), true),
                Arguments.of("!e", Map.of("e", false), true),
                Arguments.of("x == nil", map("x", null), "No parameter 'nil' found."),
                Arguments.of("x == null", map("x", null), "No parameter 'null' found."),
                Arguments.of("x ?? 'd' == 'd'", map("x", null), true),
                Arguments.of("missing == 1", Map.of("x", 1), "No parameter 'missing' found."),
                Arguments.of("a == 1 || missing == 1", Map.of("a", 1), true),
                Arguments.of(
                        "d > '2014-01-01'",
                        Map.of("d", "2020-01-01"),
                        "Value '2020-01-01'" + notANumber),
                Arguments.of("d == '2014-01-01'", Map.of("d", "2014-01-01"), false),
                Arguments.of("a + b == 'xy'", Map.of("a", "x", "b", "y"), true),
                Arguments.of("a + 1 == 'x1'", Map.of("a", "x"), true),
                Arguments.of("2 ** 3 == 8 && 7 % 4 == 3", Map.of(), true),
                Arguments.of("n > 3 ? true : false", Map.of("n", 4), true),
                Arguments.of("n > 3 ? true : false", Map.of("n", 2), false),
                Arguments.of("n", Map.of("n", 4), 4.0),
                Arguments.of("[my-var] == 1", Map.of("my-var", 1), true),
                Arguments.of("my-var == 1", Map.of("my-var", 1), "No parameter 'my' found."),
                Arguments.of("my\\-var == 1", Map.of("my-var", 1), true),
                Arguments.of(
                        "a.b == 1",
                        Map.of(),
                        "Unable to access unexported field 'b' in token 'a.b'"),
                Arguments.of("a == b", Map.of("a", List.of("x"), "b", "x"), false),
                Arguments.of("'x' in a", Map.of("a", List.of("x")), true),
                Arguments.of("s == \"it\\\"s\"", Map.of("s", "it\"s"), true),
                Arguments.of("a = 1", Map.of(), "Invalid token: '='"),
                Arguments.of(
                        "a == 1 and b == 1",
                        Map.of(),
                        "Cannot transition token types from NUMERIC [1] to VARIABLE [and]"),
                Arguments.of("a == 1.0 && b == 0x1F", Map.of("a", 1, "b", 31), true),
                Arguments.of("1 + 2 - 4 * 2", Map.of(), -5.0),
                Arguments.of("-2 ** 2", Map.of(), 4.0),
                Arguments.of("2 ** 3 ** 2", Map.of(), 64.0),
                Arguments.of("f (1)", Map.of(), "Undefined function f"),
                Arguments.of(
                        "1 in (1)",
                        Map.of(),
                        "Value '1' cannot be used with the comparator 'in', it is not a number"),
                Arguments.of("[open", Map.of(), "Unclosed parameter bracket"),
                Arguments.of(
                        "1.2.3", Map.of(), "Unable to parse numeric value '1.2.3' to float64\n"),
                Arguments.of("a. == 1", Map.of(), "Hanging accessor on token 'a.'"));
    }

    @ParameterizedTest
    @MethodSource("filters")
    void aFilterGives(
            String condition, Map<String, ? extends @Nullable Object> parameters, Object expected) {
        if (expected instanceof String message) {
            assertThatThrownBy(() -> Govaluate.parse(condition).evaluate(parameters))
                    .isInstanceOf(GovaluateException.class)
                    .hasMessage(message);
        } else {
            assertThat(Govaluate.parse(condition).evaluate(parameters)).isEqualTo(expected);
        }
    }

    @Test
    void textsInQuotesThatLookLikeTimesAreSeconds() {
        for (String time :
                List.of(
                        "2014-01-02",
                        "2014-01-02 00:00",
                        "2014-01-02 00:00:00",
                        "2014-01-02T00:00:00Z",
                        "2014-01-02T01:00:00.5+01:00",
                        "2014-01-02T00Z",
                        "2014-01-02T01:00+0100",
                        "Thu Jan  2 00:00:00 2014",
                        "Thu Jan  2 00:00:00 UTC 2014",
                        "Thu Jan 02 00:00:00 +0000 2014")) {
            assertThat(Govaluate.parse("'" + time + "'").evaluate(Map.of()))
                    .as(time)
                    .isEqualTo(1_388_620_800.0);
        }
        for (String text :
                List.of("2014-02-30", "2014-01-02T00:00", "2014-1-2", "Thu Jan 2", "13:00PM")) {
            assertThat(Govaluate.parse("'" + text + "'").evaluate(Map.of()))
                    .as(text)
                    .isEqualTo(text);
        }
    }

    @Test
    void aLongChainOrADeepNestDoesNotExhaustTheStack() {
        assertThat(Govaluate.parse("1" + " + 1".repeat(50_000)).evaluate(Map.of()))
                .isEqualTo(50_001.0);
        assertThat(Govaluate.parse("7 in (0" + ", 1".repeat(50_000) + ", 7)").evaluate(Map.of()))
                .isEqualTo(true);
        assertThatThrownBy(() -> Govaluate.parse("(".repeat(1_000) + "1" + ")".repeat(1_000)))
                .isInstanceOf(GovaluateException.class)
                .hasMessageContaining("nested");
    }

    @Test
    void theListOfAParameterIsNotChanged() {
        List<Object> list = new java.util.ArrayList<>(List.of("x"));
        assertThat(Govaluate.parse("'y' in (a, 'y')").evaluate(Map.of("a", list))).isEqualTo(true);
        assertThat(list).containsExactly("x");
    }
}
