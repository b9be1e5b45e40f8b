package dev.millrace.expressions;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.millrace.expressions.condition.TriggerCondition;
import dev.millrace.expressions.condition.TriggerConditionException;
import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.expressions.cron.CronSyntaxException;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprEvaluationException;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.expr.ExprSyntaxException;
import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.expressions.gjson.Sjson;
import dev.millrace.expressions.gjson.SjsonException;
import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import dev.millrace.expressions.govaluate.Govaluate;
import dev.millrace.expressions.govaluate.GovaluateException;
import dev.millrace.expressions.govaluate.WhenCondition;
import dev.millrace.expressions.jsonpath.JsonPath;
import dev.millrace.expressions.jsonpath.JsonPathException;
import dev.millrace.expressions.sprig.SprigFunctions;
import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Scope;
import dev.millrace.expressions.tag.TagTemplate;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Texts come from manifests and events, so from anybody: whatever they are, each language answers
 * with a value or with its own error, within bounded time and memory.
 */
class HostileTextTest {

    private static final int MUTANTS = Boolean.getBoolean("soak") ? 300_000 : 4_000;

    /** CPU time of one text; a hundred times what any honest one takes. */
    private static final Duration MOST_TIME = Duration.ofSeconds(2);

    /** What one text may allocate, garbage included. */
    private static final long MOST_BYTES = 1L << 30;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final String DOCUMENT =
            "{\"body\":{\"a\":[1,2,{\"b\":\"" + "a".repeat(300) + "\"}],\"n\":5,\"t\":true}}";

    private static final Map<String, Object> VARIABLES =
            Map.of(
                    "s", "a".repeat(1_000),
                    "n", 5L,
                    "l", List.of(1L, "x", Map.of("a", 1L)),
                    "m", Map.of("a", Map.of("b", "c")));

    /** Reads a text and works with it. */
    private interface Use {
        void of(String text);
    }

    enum Language {
        EXPR(
                text ->
                        ExprProgram.render(
                                ExprProgram.compile(
                                                text,
                                                ExprOptions.workflows(
                                                        InstantSource.system(), new Random(1)))
                                        .evaluate(Environment.of(VARIABLES))),
                List.of(
                        ExprSyntaxException.class,
                        ExprEvaluationException.class,
                        // render: what JSON cannot say
                        IllegalArgumentException.class),
                "filter(l, {# != 1}) | map({string(#)}) | join(',')",
                "sprig.regexReplaceAll('(a+)+b', s, 'x') + sprig.indent(4, 'a')",
                "n in 1..3 ? m.a.b : m?.a?.c ?? 'none'",
                "let x = asInt('5'); x ** 2 > 3 && s matches '^a.*$'",
                "jsonpath(toJson(m), '$.a.b')",
                "sprig.dateInZone('2006-01-02', now(), 'UTC') + sprig.printf('%5d', n)"),
        GOVALUATE(
                text -> {
                    Govaluate.parse(text).evaluate(VARIABLES);
                    Govaluate.parseWithBareWordsAsStrings(text).evaluate(VARIABLES);
                },
                List.of(GovaluateException.class),
                "n > 3 && (s =~ '(a+)+b' || n in (1, 2, 3))",
                "[odd name] ?? 'x' == \"y\" ? 1 << 3 : ~2 ** 3",
                "'2024-01-02' < '2025-01-02T10:00:00Z'"),
        WHEN(
                text -> WhenCondition.evaluate(text),
                List.of(),
                "heads == heads && 'a' =~ 'a*b'",
                "!(1 in (2, 3))"),
        TAGS(
                text -> {
                    for (Mode mode : Mode.values()) {
                        TagTemplate.parse(text)
                                .replace(Scope.of(Map.of("a.b", "{{a.b}}", "c", "x")), mode, true);
                    }
                },
                List.of(),
                "{{a.b}} and {{= c + 'x' }} {{ none }}",
                "{\"x\": \"{{=sprig.upper(c)}}\"}"),
        GJSON(
                text -> {
                    GjsonPath.get(DOCUMENT, text);
                    GjsonPath.get(text, "body.a.#(b%\"*a*b\").b");
                },
                List.of(),
                "body.a.#(b%\"a*\")#.b",
                "{body.n,\"x\":body.[t,a]}|@pretty|@reverse",
                "body.*.2|@flatten:{\"deep\":true}",
                "..#.a"),
        SJSON(
                text -> {
                    Sjson.set(DOCUMENT, text, "v");
                    Sjson.set("", text, "v");
                },
                List.of(SjsonException.class),
                "body.a.-1.b",
                "body.a.100.:5.x",
                "body.*.b"),
        JSON(
                text -> {
                    GoJson.encode(GoJson.decode(text));
                    GoJson.compact(text);
                },
                List.of(GoJsonException.class),
                DOCUMENT,
                "[1e5,-0.5,\"\\u00e9\\ud83d\",null,[[[]]],{\"a\":{}}]"),
        JSON_PATH(
                text -> JsonPath.compile(text).read(GoJson.decode(DOCUMENT)),
                List.of(JsonPathException.class),
                "$.body.a[?(@.b =~ /a*/ && @.n > 1)].b",
                "$..a[0:2:1]['b','c']",
                "$.body.*"),
        CRON(
                text -> {
                    for (CronOptions options :
                            List.of(CronOptions.WORKFLOWS, CronOptions.CALENDAR)) {
                        CronSchedule.parse(text, options, ZoneOffset.UTC)
                                .next(Instant.parse("2026-01-01T00:00:00Z"));
                    }
                },
                List.of(CronSyntaxException.class),
                "*/5 1-3,7 1 jan-mar mon",
                "TZ=Europe/Berlin 0 0 30 2 *",
                "@every 1h30m"),
        DURATION(
                text -> {
                    GoDuration.parse(text);
                    GoDuration.parseOrSeconds(text);
                },
                List.of(DurationSyntaxException.class),
                "1h30m5.5s",
                "-9223372036854775807ns",
                "1.000000000000000001h"),
        CONDITION(
                text ->
                        TriggerCondition.parse(text, List.of("a", "b-c", "d"))
                                .isSatisfiedBy(java.util.Set.of("a")),
                List.of(TriggerConditionException.class),
                "a && (b-c || d)",
                "(a || b-c) && (a || d) && (b-c || d)");

        private final Use use;
        private final List<Class<? extends RuntimeException>> errors;
        private final List<String> corpus;

        Language(Use use, List<Class<? extends RuntimeException>> errors, String... corpus) {
            this.use = use;
            this.errors = errors;
            this.corpus = List.of(corpus);
        }
    }

    /** Small texts that would make something large, or take for ever, if they were let. */
    private static List<String> bombs() {
        List<String> bombs =
                new ArrayList<>(
                        List.of(
                                "repeat(repeat('aaaaaaaaaa', 100000), 100000)",
                                "sprig.repeat(1000000000, 'aaaaaaaaaa')",
                                "sprig.indent(1000000000, 'a')",
                                "sprig.nindent(1000000000, 'a\\na\\na')",
                                "sprig.printf('%1000000000d', 5)",
                                "sprig.printf('%.1000000000f', 5.0)",
                                "sprig.untilStep(0, 1000000000, 1)",
                                "sprig.until(1000000000)",
                                "sprig.seq(1, 1, 1000000000)",
                                "sprig.randAlphaNum(1000000000)",
                                "sprig.randBytes(1000000000)",
                                "sprig.wrap(1, sprig.repeat(1000000, 'a '))",
                                "1..1000000000",
                                "map(1..100000, {1..100000})",
                                "map(1..1000, {map(1..1000, {map(1..1000, {1})})})",
                                "reduce(1..1000, {#acc + #acc}, 'aaaaaaaaaa')",
                                "reduce(1..1000, {concat(#acc, #acc)}, [1, 2])",
                                "reduce(1..60, {join([#acc, #acc], '')}, 'a')",
                                "reduce(1..60, {replace(#acc, 'a', 'aa')}, 'a')",
                                "reduce(1..60, {toJSON([#acc, #acc])}, 'a')",
                                "reduce(1..60, {{'a': #acc, 'b': #acc}}, {})",
                                "reduce(1..60, {[#acc, #acc]}, [])",
                                "join(map(1..100000, {s}), s)",
                                "map(1..100000, {s + s})",
                                "split(repeat('a', 1000000), '')",
                                "toJSON(map(1..100000, {m}))",
                                "s matches '((a*)*)*b'",
                                "sprig.regexMatch('(a|a)*b', s)",
                                "sprig.regexMatch('(((a{1,100}){1,100}){1,100}){1,100}', s)",
                                "sprig.regexReplaceAll('', s, s)",
                                "2 ** 2 ** 2 ** 2 ** 2 ** 2 ** 2",
                                "1000000000 ** 1000000000",
                                "2 ** 1000000000",
                                "'a' + 'b' * 1000000000",
                                "s =~ '((a*)*)*b'",
                                "'" + "a".repeat(200) + "' =~ '(a|aa)+$b'",
                                "body.a.1000000000",
                                "body.a.999999.x.999999.x.999999",
                                "a.99999999999999999999",
                                "body.a.#(b%\"" + "*a".repeat(100) + "b\")",
                                "body.a.#(b%\"" + "a*".repeat(100) + "?b\")",
                                "*".repeat(200) + "b",
                                "$" + "..*".repeat(30),
                                "$..a[?(@..b)]" + "..*".repeat(10),
                                "$.a[::0]",
                                "$.a[0:99999999999]",
                                "0-59/1 0-23/1 31 2 *",
                                "*/1000000000 * * * *",
                                "0-1000000000 * * * *",
                                "@every 1000000000000h",
                                "@every 0.000000001ns",
                                "0 0 29 2 1",
                                "{{a.b}}".repeat(20_000),
                                "{{=repeat('a', 1000000000)}}",
                                "{{={{={{=1}}}}}}"));
        // A value that shares its parts, and one that is nested deeply, given to everything.
        for (String made :
                List.of(
                        "reduce(1..60, {[#acc, #acc]}, [])",
                        "reduce(1..60, {{'a': #acc, 'b': #acc}}, {})",
                        "reduce(1..2000, {[#acc]}, [])",
                        "reduce(1..2000, {{'a': #acc}}, {})")) {
            for (String function : functions()) {
                bombs.add(function + "(" + made + ")");
                if (made.contains("1..60, {{")) {
                    bombs.add("let x = " + made + "; " + function + "(x, x)");
                }
            }
            for (String operator : List.of("==", "in", "+", "??", "matches")) {
                bombs.add(made + " " + operator + " " + made);
            }
            bombs.add("[" + made + "] == [" + made + "]");
            bombs.add("'' + " + made);
            bombs.add("m[" + made + "]");
        }
        for (String open :
                List.of(
                        "(",
                        "[",
                        "{",
                        "[[",
                        "{\"a\":",
                        "!",
                        "-",
                        "~",
                        "not ",
                        "a.",
                        "a[",
                        "{{=",
                        "{{",
                        "#(",
                        "@this|",
                        "..",
                        "$..",
                        "a ? ",
                        "1 + ",
                        "1 ** ",
                        "a && (",
                        "map(l, {",
                        "\\",
                        "'",
                        "\"",
                        "/*",
                        "*/",
                        "1h")) {
            bombs.add(open.repeat(100_000));
            bombs.add(open.repeat(2_000) + "1");
        }
        for (String[] pair :
                new String[][] {
                    {"(", ")"},
                    {"[", "]"},
                    {"{", "}"},
                    {"{\"a\":", "}"},
                    {"len(", ")"},
                    {"a && (", ")"},
                    {"#(", ")"},
                    {"{{", "}}"}
                }) {
            for (int depth : List.of(500, 5_000, 100_000)) {
                bombs.add(pair[0].repeat(depth) + "1" + pair[1].repeat(depth));
            }
        }
        bombs.add("1" + " + 1".repeat(100_000));
        bombs.add("a" + " && a".repeat(100_000));
        bombs.add("a" + " || b-c && d".repeat(20_000));
        bombs.add("a" + ".a".repeat(100_000));
        bombs.add("1" + ",1".repeat(200_000));
        bombs.add("9".repeat(100_000));
        bombs.add("1e" + "9".repeat(100_000));
        bombs.add("0." + "1".repeat(100_000) + "h");
        bombs.add("'" + "a".repeat(1_000_000) + "'");
        return bombs;
    }

    private static List<String> functions() {
        List<String> names =
                new ArrayList<>(
                        List.of(
                                "len",
                                "type",
                                "int",
                                "float",
                                "string",
                                "join",
                                "max",
                                "mean",
                                "median",
                                "toJSON",
                                "fromJSON",
                                "first",
                                "get",
                                "keys",
                                "values",
                                "toPairs",
                                "fromPairs",
                                "reverse",
                                "uniq",
                                "concat",
                                "flatten",
                                "sort",
                                "asInt",
                                "asFloat",
                                "toJson",
                                "jsonpath",
                                "sum",
                                "count"));
        SprigFunctions.all(InstantSource.system(), new Random(1)).keySet().stream()
                .sorted()
                .forEach(name -> names.add("sprig." + name));
        return names;
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void bombsDoNotGoOff(Language language) {
        for (String bomb : bombs()) {
            use(language, bomb);
        }
    }

    @ParameterizedTest
    @EnumSource
    @Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void mutantsOfHonestTextsAreReadOrRefused(Language language) {
        List<String> pieces = new ArrayList<>();
        for (String text : language.corpus) {
            pieces.addAll(Arrays.asList(text.split("(?<=[^\\w])|(?=[^\\w])")));
        }
        pieces.addAll(
                List.of(
                        "",
                        " ",
                        "\0",
                        "\n",
                        "é😀",
                        "\ud800",
                        "0",
                        "-1",
                        "1e400",
                        "9223372036854775808",
                        "'",
                        "\"",
                        "\\",
                        "((((",
                        "))))",
                        "[",
                        "]",
                        "{",
                        "}"));
        for (int seed = 0; seed < MUTANTS; seed++) {
            Random random = new Random(seed);
            use(language, mutant(language, pieces, random));
        }
    }

    private static String mutant(Language language, List<String> pieces, Random random) {
        StringBuilder text =
                new StringBuilder(language.corpus.get(random.nextInt(language.corpus.size())));
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(text.length() + 1);
            int end = Math.min(text.length(), at + random.nextInt(6));
            switch (random.nextInt(4)) {
                case 0 -> text.delete(at, end);
                case 1 -> text.insert(at, pieces.get(random.nextInt(pieces.size())));
                case 2 -> text.replace(at, end, pieces.get(random.nextInt(pieces.size())));
                default -> text.insert(at, text.substring(at, end).repeat(1 + random.nextInt(40)));
            }
        }
        return text.toString();
    }

    private static void use(Language language, String text) {
        String shown = text.length() > 120 ? text.substring(0, 120) + "…" + text.length() : text;
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long nanos = THREADS.getCurrentThreadCpuTime();
        try {
            language.use.of(text);
        } catch (RuntimeException e) {
            assertThat(language.errors)
                    .as("%s %s: %s", language, shown, e)
                    .anyMatch(error -> error.isInstance(e));
        } catch (StackOverflowError | OutOfMemoryError e) {
            throw new AssertionError(language + " " + shown + ": " + e, e);
        }
        assertThat(Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - nanos))
                .as("CPU time of %s %s", language, shown)
                .isLessThan(MOST_TIME);
        assertThat(THREADS.getCurrentThreadAllocatedBytes() - bytes)
                .as("bytes of %s %s", language, shown)
                .isLessThan(MOST_BYTES);
    }
}
