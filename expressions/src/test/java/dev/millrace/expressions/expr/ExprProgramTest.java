package dev.millrace.expressions.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExprProgramTest {

    private static final Environment NOTHING = Environment.of(Map.of());

    private static Object evaluate(String source, Map<String, ?> variables) {
        return ExprProgram.compile(source, ExprOptions.workflows())
                .evaluate(Environment.of(variables));
    }

    private static Object evaluate(String source) {
        return evaluate(source, Map.of());
    }

    @Test
    void namesTheVariablesAndTheMembersThatItReads() {
        ExprProgram program =
                ExprProgram.compile(
                        "let x = steps.a.outputs.result; sprig.trim(x) + inputs.parameters['my-x'] + string(item?.k)"
                                + " + string(map([1], # + retries))",
                        ExprOptions.workflows());

        assertThat(program.variables())
                .containsExactlyInAnyOrder("steps", "inputs", "item", "retries");
        assertThat(program.memberPaths())
                .containsExactlyInAnyOrder(
                        List.of("steps", "a", "outputs", "result"),
                        List.of("inputs", "parameters", "my-x"),
                        List.of("item", "k"),
                        List.of("retries"));
    }

    @Test
    void theReceiverOfAMethodIsReadNotTheMethod() {
        assertThat(ExprProgram.compile("a.b.Format('2006')", ExprOptions.workflows()).memberPaths())
                .containsExactly(List.of("a", "b"));
    }

    @Test
    void aMissingVariableIsAnErrorOfTheEvaluationWhereItsTypeIsNotDeclared() {
        ExprProgram program = ExprProgram.compile("1 + missing", ExprOptions.workflows());
        assertThatThrownBy(() -> program.evaluate(NOTHING))
                .isInstanceOf(ExprEvaluationException.class)
                .hasMessage("unknown name missing (1:5)");
    }

    @Test
    void aVariableThatIsThereWithNilIsNotMissing() {
        Map<String, Object> variables = Collections.singletonMap("a", null);
        assertThat(evaluate("a ?? 'fallback'", variables)).isEqualTo("fallback");
    }

    @Test
    void aVariableHidesTheBuiltInFunctionOfItsName() {
        assertThat(
                        ExprProgram.compile(
                                        "duration + '!'",
                                        ExprOptions.workflows()
                                                .withTypesOf(Map.of("duration", "12")))
                                .evaluate(Environment.of(Map.of("duration", "12"))))
                .isEqualTo("12!");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
            (body.id == 4) && (body.name != 'Joe') ~ true
            body.missing == 1                      ~ false
            missing == 1                           ~ false
            body.name matches '^B'                 ~ true
            body.name contains 'o'                 ~ true
            body.name startsWith 'B'               ~ true
            'a' in body.arr                        ~ true
            body['x-y'] == 'h'                     ~ true
            header['X-Event'][0] == 'push'         ~ true
            any(body.arr, {# == 'a'})              ~ true
            body?.missing?.foo == nil              ~ true
            len(body.arr) == 2                     ~ true
            not (body.id == 4)                     ~ false
            body.id == 4.0 ? true : false          ~ true
            body.missing == nil                    ~ true
            body.missing.foo == 1                  ~ cannot fetch foo from <nil> (1:14)
            missing.foo == 1                       ~ cannot fetch foo from <nil> (1:9)
            body.x-y == 'h'                        ~ invalid operation: <nil> - <nil> (1:7)
            body.id > '3'                          ~ invalid operation: float64 > string (1:9)
            """)
    void filtersOfEventSourcesSeeUnknownNamesAsNil(String source, String expected) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("id", 4.0);
        body.put("name", "Bob");
        body.put("x-y", "h");
        body.put("arr", List.of("a", "b"));
        Environment event =
                Environment.of(Map.of("body", body, "header", Map.of("X-Event", List.of("push"))));
        String result;
        try {
            result =
                    String.valueOf(
                            ExprProgram.compile(source, ExprOptions.events()).evaluate(event));
        } catch (ExprEvaluationException e) {
            result = e.getMessage();
        }
        assertThat(result).isEqualTo(expected);
    }

    /** Sensors put the operators into the result as text, hence the positions. */
    private static String asSensorsRewriteIt(String conditions) {
        String text = conditions.replace("-", "_");
        for (String mark : List.of("&&", "||")) {
            text = text.replace(mark, " + \"" + mark + "\" + ");
        }
        return text.replace("(", "\"(\"+").replace(")", "+\")\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
            dep01                ~ dep01
            dep01 && dep02       ~ dep01&&dep02
            dep01&&dep02||dep-04 ~ dep01&&dep02||dep_04
            !dep01               ~ invalid operation: ! (mismatched type string) (1:1)
            dep01 && !dep02      ~ invalid operation: ! (mismatched type string) (1:18)
            dep01 and dep02      ~ invalid operation: and (mismatched types string and string) (1:7)
            dep01 & dep02        ~ unexpected token Operator("&") (1:7)
            unknown              ~ unknown name unknown (1:1)
            in && dep01          ~ unexpected token Operator("in") (1:1)
            a.b && dep01         ~ unknown name a (1:1)
            1st                  ~ bad number syntax: "1s" (1:3)
            len && x             ~ invalid operation: + (mismatched types func(...interface {}) (interface {}, error) and string) (1:6)
            not && x             ~ invalid operation: + (mismatched type string) (1:6)
            dep01 dep02          ~ unexpected token Identifier("dep02") (1:7)
            ``                   ~ unexpected token EOF (1:1)
            """)
    void conditionsKnowTheirVariablesAndTheirTypes(String conditions, String expected) {
        Map<String, ExprType> types = new LinkedHashMap<>();
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : List.of("dep01", "dep02", "dep_04", "x")) {
            types.put(name, ExprType.STRING);
            values.put(name, name);
        }
        String result;
        try {
            result =
                    (String)
                            ExprProgram.compile(
                                            asSensorsRewriteIt(conditions),
                                            ExprOptions.conditions(types))
                                    .evaluate(Environment.of(values));
        } catch (ExprSyntaxException e) {
            result = e.getMessage();
        }
        assertThat(result).isEqualTo(expected);
    }

    @Test
    void aProgramThatMustGiveABoolSaysSoBeforeOrAfter() {
        assertThatThrownBy(() -> ExprProgram.compile("1 + 1", ExprOptions.events().asBoolean()))
                .isInstanceOf(ExprSyntaxException.class)
                .hasMessage("expected bool, but got int (1:1)");
        ExprProgram open = ExprProgram.compile("a", ExprOptions.events().asBoolean());
        assertThat(open.evaluate(Environment.of(Map.of("a", true)))).isEqualTo(true);
        assertThatThrownBy(() -> open.evaluate(Environment.of(Map.of("a", "x"))))
                .hasMessage("expected bool, but got string (1:1)");
    }

    @Test
    void aPositionCountsLinesAndCodePoints() {
        assertThatThrownBy(
                        () -> ExprProgram.compile("\"\ud83d\ude00\" +\n  ^", ExprOptions.events()))
                .hasMessage("unexpected token Operator(\"^\") (2:3)")
                .isInstanceOfSatisfying(
                        ExprSyntaxException.class,
                        e -> assertThat(e.snippet()).isEqualTo(" |   ^\n | ..^"));
    }

    @Test
    void whatATemplateShowsIsTextAsItIsAndJsonOtherwise() {
        assertThat(ExprProgram.render("a<b")).isEqualTo("a<b");
        assertThat(ExprProgram.render(null)).isEqualTo("null");
        assertThat(ExprProgram.render(evaluate("{b: 1.0, a: ['<', 1e21, 0.0000001, nil]}")))
                .isEqualTo("{\"a\":[\"\\u003c\",1e+21,1e-7,null],\"b\":1}");
        assertThatThrownBy(() -> ExprProgram.render(evaluate("1 / 0")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("json: unsupported value: +Inf");
    }

    @Test
    void resultsAreOfTheTypesThatCallersKnow() {
        assertThat(evaluate("[sprig.add(1, 2), 'ab'[0:1], last('ab' ?? 1)]"))
                .isEqualTo(List.of(3L, "a", 98L));
        assertThat(evaluate("groupBy([1], 'x')['y']")).isNull();
        assertThat(evaluate("groupBy([1], 'x')")).isEqualTo(Map.of("x", List.of(1L)));
    }

    @Test
    void wholeNumbersOfCallersMayBeIntegers() {
        assertThat(evaluate("n + 1", Map.of("n", 1))).isEqualTo(2L);
        assertThat(evaluate("n == 1 && n in [1] && n < 2", Map.of("n", 1))).isEqualTo(true);
        assertThat(evaluate("n", Map.of("n", Arrays.asList(1, null))))
                .isEqualTo(Arrays.asList(1L, null));
    }

    @Test
    void functionsOfTheHostRefuseWrongArgumentsWithAPosition() {
        assertThat(evaluate("asInt('4') + asFloat('0.5')")).isEqualTo(4.5);
        assertThat(evaluate("toJson({a: '<'})")).isEqualTo("{\"a\":\"\\u003c\"}");
        assertThat(evaluate("jsonpath('{\"a\":[{\"b\":1},{\"b\":2}]}', '$.a[*].b')"))
                .isEqualTo(List.of(1.0, 2.0));
        assertThatThrownBy(() -> evaluate(" asInt('x')"))
                .hasMessage("invalid operation: int(x) (1:2)");
        assertThatThrownBy(() -> evaluate("jsonpath('{}', '$.a')")).hasMessageEndingWith("(1:1)");
        assertThatThrownBy(() -> evaluate("sprig.genCA('x', 1)"))
                .isInstanceOf(ExprSyntaxException.class)
                .hasMessage("sprig.genCA is not available here (1:7)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
            string(100000.0)     ~ 100000
            string(1234567.0)    ~ 1.234567e+06
            string(0.0001)       ~ 0.0001
            string(0.00001)      ~ 1e-05
            string(-0.0)         ~ -0
            string(0.1 + 0.2)    ~ 0.30000000000000004
            toJSON(1234567.0)    ~ 1234567
            toJSON(1e21)         ~ 1e+21
            string(1 / 0)        ~ +Inf
            """)
    void floatsPrintAsGoPrintsThem(String source, String expected) {
        assertThat(evaluate(source)).isEqualTo(expected);
    }

    @Test
    void theClockIsTheHosts() {
        ExprOptions options =
                ExprOptions.workflows(
                        InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z")), new Random(1));
        assertThat(
                        ExprProgram.compile(
                                        "now().Format('2006') + sprig.date('-01', sprig.now())",
                                        options)
                                .evaluate(NOTHING))
                .isEqualTo("2026-01");
    }

    @Test
    void whatWouldExhaustTheMemoryIsRefused() {
        for (String bomb :
                List.of(
                        "1..2000000",
                        "map(1..1000, 1..2000)",
                        "repeat('x', 10000000)",
                        "repeat(repeat(repeat('x', 1000), 1000), 1000)",
                        "let a = repeat('x', 1000000); let b = a + a + a + a; let c = b + b + b + b; c + c",
                        "-9223372036854775807 .. 9223372036854775807",
                        "sprig.repeat(1000000, repeat('x', 1000))",
                        "sprig.until(2000000000)")) {
            assertThatThrownBy(() -> evaluate(bomb))
                    .as(bomb)
                    .hasMessageContaining("memory budget exceeded");
        }
    }

    @Test
    void aPatternCannotMakeTheEvaluationHang() {
        String text = "a".repeat(5000) + "!";
        assertThat(evaluate("text matches '^(a+)+$'", Map.of("text", text))).isEqualTo(false);
    }

    @Test
    void deepNestingIsAnErrorNotAStackOverflow() {
        String deep = "(".repeat(100_000) + "1" + ")".repeat(100_000);
        assertThatThrownBy(() -> ExprProgram.compile(deep, ExprOptions.events()))
                .hasMessageContaining("nested too deeply");
        String minus = "-".repeat(100_000) + "1";
        assertThatThrownBy(() -> ExprProgram.compile(minus, ExprOptions.events()))
                .hasMessageContaining("nested too deeply");
        String wide = "1" + " + 1".repeat(100_000);
        assertThatThrownBy(() -> ExprProgram.compile(wide, ExprOptions.events()))
                .hasMessageContaining("too long");
        String members = "a" + ".a".repeat(100_000);
        assertThatThrownBy(() -> ExprProgram.compile(members, ExprOptions.events()))
                .hasMessageContaining("too long");
        String branches = "if a {1} else ".repeat(100_000) + "{2}";
        assertThatThrownBy(() -> ExprProgram.compile(branches, ExprOptions.events()))
                .hasMessageContaining("nested too deeply");
        String comparisons = "1" + " < 1".repeat(100_000);
        assertThatThrownBy(() -> ExprProgram.compile(comparisons, ExprOptions.events()))
                .hasMessageContaining("too long");
    }

    @Test
    void theDeepestTreeThatIsTakenFitsASmallStack() throws InterruptedException {
        String source = "(".repeat(200) + "1" + " + 1".repeat(490) + ")".repeat(200);
        AtomicReference<Object> result = new AtomicReference<>();
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            try {
                                result.set(
                                        ExprProgram.compile(source, ExprOptions.events())
                                                .evaluate(NOTHING));
                            } catch (StackOverflowError e) {
                                result.set(e);
                            }
                        },
                        "small stack",
                        512 << 10);
        thread.start();
        thread.join();
        assertThat(result.get()).isEqualTo(491L);
    }

    @Test
    void manyThreadsMayEvaluateOneProgramAtOnce() {
        ExprProgram program =
                ExprProgram.compile(
                        "let double = map(1..20, # * n); reduce(double, #acc + #, 0)",
                        ExprOptions.workflows());
        List<Object> results =
                IntStream.range(0, 2000)
                        .parallel()
                        .mapToObj(
                                n ->
                                        (Object)
                                                (((Long)
                                                                program.evaluate(
                                                                        Environment.of(
                                                                                Map.of(
                                                                                        "n",
                                                                                        (long) n))))
                                                        - 210L * n))
                        .distinct()
                        .toList();
        assertThat(results).containsExactly(0L);
    }
}
