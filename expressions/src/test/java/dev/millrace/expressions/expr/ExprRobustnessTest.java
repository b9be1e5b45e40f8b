package dev.millrace.expressions.expr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.sprig.SprigFunctions;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Whatever the text and the values are, a program fails in one of the two ways that callers expect.
 */
class ExprRobustnessTest {

    private static final int EXPRESSIONS = Boolean.getBoolean("soak") ? 500_000 : 20_000;

    private static final List<String> LEAVES =
            List.of(
                    "1",
                    "0",
                    "-1",
                    "2.5",
                    "1e300",
                    "9223372036854775807",
                    "''",
                    "'abc'",
                    "'h\u00e9\ud83d\ude00'",
                    "'1h'",
                    "'2024-01-02'",
                    "'[1,{\"a\":2}]'",
                    "'^a(b'",
                    "true",
                    "false",
                    "nil",
                    "n",
                    "s",
                    "l",
                    "m",
                    "b",
                    "i",
                    "f",
                    "missing",
                    "[]",
                    "{}",
                    "now()",
                    "duration('1h')",
                    "date('2024-01-02')",
                    "1..3",
                    "#",
                    ".a",
                    "$env");
    private static final List<String> OPERATORS =
            List.of(
                    "+",
                    "-",
                    "*",
                    "/",
                    "%",
                    "**",
                    "==",
                    "!=",
                    "<",
                    ">=",
                    "&&",
                    "or",
                    "in",
                    "not in",
                    "matches",
                    "contains",
                    "startsWith",
                    "..",
                    "??",
                    "|");
    private static final List<String> FUNCTIONS =
            List.of(
                    "len",
                    "type",
                    "abs",
                    "ceil",
                    "round",
                    "int",
                    "float",
                    "string",
                    "trim",
                    "upper",
                    "split",
                    "splitAfter",
                    "replace",
                    "repeat",
                    "join",
                    "indexOf",
                    "hasPrefix",
                    "max",
                    "min",
                    "mean",
                    "median",
                    "toJSON",
                    "fromJSON",
                    "toBase64",
                    "fromBase64",
                    "duration",
                    "date",
                    "timezone",
                    "first",
                    "last",
                    "get",
                    "take",
                    "keys",
                    "values",
                    "toPairs",
                    "fromPairs",
                    "reverse",
                    "uniq",
                    "concat",
                    "flatten",
                    "sort",
                    "bitand",
                    "bitshl",
                    "bitnot",
                    "asInt",
                    "asFloat",
                    "toJson",
                    "jsonpath");
    private static final List<String> LOOPS =
            List.of(
                    "all",
                    "none",
                    "any",
                    "one",
                    "filter",
                    "map",
                    "find",
                    "findIndex",
                    "findLast",
                    "findLastIndex",
                    "groupBy",
                    "count",
                    "sum",
                    "sortBy",
                    "reduce");
    private static final List<String> METHODS =
            List.of(
                    "Year()",
                    "Unix()",
                    "Format('2006')",
                    "Add(duration('1h'))",
                    "Hours()",
                    "Round(duration('0s'))",
                    "AddDate(1, 1, 999999999999)",
                    "Truncate(duration('1h'))",
                    "a",
                    "b.c",
                    "String()");

    private final List<String> sprig =
            new ArrayList<>(
                    SprigFunctions.all(InstantSource.system(), new Random(1)).keySet().stream()
                            .sorted()
                            .toList());

    private static String one(List<String> list, Random random) {
        return list.get(random.nextInt(list.size()));
    }

    private String expression(Random random, int depth) {
        if (depth == 0) {
            return one(LEAVES, random);
        }
        String left = expression(random, depth - 1);
        return switch (random.nextInt(12)) {
            case 0, 1 ->
                    "("
                            + left
                            + " "
                            + one(OPERATORS, random)
                            + " "
                            + expression(random, depth - 1)
                            + ")";
            case 2 -> one(FUNCTIONS, random) + "(" + left + ")";
            case 3 ->
                    one(FUNCTIONS, random)
                            + "("
                            + left
                            + ", "
                            + expression(random, depth - 1)
                            + ")";
            case 4 -> one(LOOPS, random) + "(" + left + ", " + expression(random, depth - 1) + ")";
            case 5 ->
                    "sprig."
                            + one(sprig, random)
                            + "("
                            + left
                            + ", "
                            + expression(random, depth - 1)
                            + ")";
            case 6 ->
                    "sprig."
                            + one(sprig, random)
                            + "("
                            + one(LEAVES, random)
                            + ", "
                            + one(LEAVES, random)
                            + ", "
                            + left
                            + ")";
            case 7 -> "(" + left + ")" + (random.nextBoolean() ? "." : "?.") + one(METHODS, random);
            case 8 -> "(" + left + ")[" + expression(random, depth - 1) + "]";
            case 9 ->
                    "("
                            + left
                            + ")["
                            + expression(random, depth - 1)
                            + ":"
                            + expression(random, depth - 1)
                            + "]";
            case 10 -> "(" + left + " ? " + expression(random, depth - 1) + " : [" + left + "])";
            default -> "{a: " + left + ", b: [" + expression(random, depth - 1) + "]}";
        };
    }

    private static Map<String, Object> variables() {
        Map<String, Object> variables = new LinkedHashMap<>();
        variables.put("n", null);
        variables.put("s", "text");
        variables.put("l", List.of(1L, "x", List.of(2.5), Map.of("a", 1L)));
        variables.put("m", Map.of("a", 1L, "b", Map.of("c", "d")));
        variables.put("b", true);
        variables.put("i", 3L);
        variables.put("f", 0.5);
        return variables;
    }

    @Test
    void onlyTheTwoKindsOfErrorsComeOut() {
        Map<String, Object> variables = variables();
        ExprOptions open = ExprOptions.workflows(InstantSource.system(), new Random(1));
        ExprOptions typed = open.withTypesOf(variables);
        int evaluated = 0;
        for (int seed = 0; seed < EXPRESSIONS; seed++) {
            Random random = new Random(seed);
            String source = expression(random, 1 + random.nextInt(3));
            if (random.nextInt(10) == 0) {
                int cut = random.nextInt(source.length());
                source =
                        source.substring(0, cut)
                                + source.substring(Math.min(source.length(), cut + 2));
            }
            try {
                Object value =
                        ExprProgram.compile(source, random.nextBoolean() ? open : typed)
                                .evaluate(Environment.of(variables));
                evaluated++;
                ExprProgram.render(value);
            } catch (ExprSyntaxException | ExprEvaluationException e) {
                assertThat(e.getMessage())
                        .as("seed %s: %s", seed, source)
                        .matches("(?s).*\\(\\d+:\\d+\\)");
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage())
                        .as("seed %s: %s", seed, source)
                        .startsWith("json: unsupported");
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ": " + source + " failed with " + e, e);
            }
        }
        assertThat(evaluated).isGreaterThan(EXPRESSIONS / 20);
    }
}
