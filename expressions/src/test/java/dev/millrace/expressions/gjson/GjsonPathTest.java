package dev.millrace.expressions.gjson;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.gjson.GjsonResult.Type;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GjsonPathTest {

    private static final String DOCUMENT =
            "{\"body\":{\"action\":\"opened\",\"n\":5,\"f\":3.140,\"big\":12345678901234567890,\"exp\":1e3,\"t\":true,"
                    + "\"nul\":null,\"s\":\"true\",\"num\":\"50.5\",\"labels\":[{\"id\":\"1234\",\"name\":\"Webhook\"},"
                    + "{\"id\":\"5678\",\"name\":\"Approved\"}],\"a.b\":\"dot\",\"x-y\":\"hy\",\"arr\":[1,2,3],\"empty\":{},"
                    + "\"uni\":\"\\u00e9\\n\"},\"headers\":{\"X-GitHub-Event\":[\"push\"]}}";

    static Stream<Arguments> reads() {
        return Stream.of(
                Arguments.of("body.action", Type.STRING, "opened", false, 0.0),
                Arguments.of("body.n", Type.NUMBER, "5", true, 5.0),
                Arguments.of("body.f", Type.NUMBER, "3.14", true, 3.14),
                Arguments.of(
                        "body.big",
                        Type.NUMBER,
                        "12345678901234567890",
                        true,
                        1.2345678901234567e19),
                Arguments.of("body.exp", Type.NUMBER, "1000", true, 1000.0),
                Arguments.of("body.t", Type.TRUE, "true", true, 1.0),
                Arguments.of("body.nul", Type.NULL, "", false, 0.0),
                Arguments.of("body.labels.0.name", Type.STRING, "Webhook", false, 0.0),
                Arguments.of("body.labels.#", Type.NUMBER, "2", true, 2.0),
                Arguments.of(
                        "body.labels.#.name", Type.JSON, "[\"Webhook\",\"Approved\"]", false, 0.0),
                Arguments.of(
                        "body.labels.#(name==\"Webhook\").id", Type.STRING, "1234", false, 1234.0),
                Arguments.of("body.labels.#(name%\"A*\")#.id", Type.JSON, "[\"5678\"]", false, 0.0),
                Arguments.of("body.a\\.b", Type.STRING, "dot", false, 0.0),
                Arguments.of("body.x-y", Type.STRING, "hy", false, 0.0),
                Arguments.of("body.arr", Type.JSON, "[1,2,3]", false, 0.0),
                Arguments.of("body.arr.1", Type.NUMBER, "2", true, 2.0),
                Arguments.of("body.lab*.0.id", Type.STRING, "1234", false, 1234.0),
                Arguments.of("body.acti?n", Type.STRING, "opened", false, 0.0),
                Arguments.of("body.arr|@reverse", Type.JSON, "[3,2,1]", false, 0.0),
                Arguments.of("body.labels.#.name|0", Type.STRING, "Webhook", false, 0.0),
                Arguments.of(
                        "body|@keys",
                        Type.JSON,
                        "[\"action\",\"n\",\"f\",\"big\",\"exp\",\"t\",\"nul\",\"s\",\"num\",\"labels\",\"a.b\",\"x-y\",\"arr\","
                                + "\"empty\",\"uni\"]",
                        false,
                        0.0),
                Arguments.of("body.empty", Type.JSON, "{}", false, 0.0),
                Arguments.of("body.uni", Type.STRING, "\u00e9\n", false, 0.0),
                Arguments.of("headers.X-GitHub-Event.0", Type.STRING, "push", false, 0.0),
                Arguments.of(
                        "{\"x\":body.action,\"y\":body.n}",
                        Type.JSON,
                        "{\"x\":\"opened\",\"y\":5}",
                        false,
                        0.0),
                Arguments.of("[body.action,body.n]", Type.JSON, "[\"opened\",5]", false, 0.0),
                Arguments.of("@this.body.n", Type.NUMBER, "5", true, 5.0),
                Arguments.of("body.s", Type.STRING, "true", true, 0.0),
                Arguments.of("body.num", Type.STRING, "50.5", false, 50.5),
                // Beyond the recorded ones, from the language's description.
                Arguments.of("body.arr.#(>1)#", Type.JSON, "[2,3]", false, 0.0),
                Arguments.of("body.arr.#(>1)", Type.NUMBER, "2", true, 2.0),
                Arguments.of(
                        "body.labels.#(name!=\"Webhook\").name",
                        Type.STRING,
                        "Approved",
                        false,
                        0.0),
                Arguments.of("body.labels.#(name==\"Nope\")#", Type.JSON, "[]", false, 0.0),
                Arguments.of(
                        "body.labels.#(id)#.id|@reverse|0", Type.STRING, "5678", false, 5678.0),
                Arguments.of("body.labels.@reverse.0.name", Type.STRING, "Approved", false, 0.0),
                Arguments.of(
                        "body.{action,k:n}",
                        Type.JSON,
                        "{\"action\":\"opened\",\"k\":5}",
                        false,
                        0.0),
                Arguments.of(
                        "body.labels.0|@values", Type.JSON, "[\"1234\",\"Webhook\"]", false, 0.0),
                Arguments.of("body.arr|@tostr", Type.STRING, "[1,2,3]", false, 0.0),
                Arguments.of(
                        "body.labels|@join",
                        Type.JSON,
                        "{\"id\":\"5678\",\"name\":\"Approved\"}",
                        false,
                        0.0),
                Arguments.of(
                        "[body.arr,headers.X-GitHub-Event]|@flatten",
                        Type.JSON,
                        "[1,2,3,\"push\"]",
                        false,
                        0.0),
                Arguments.of("!\"lit\"", Type.STRING, "lit", false, 0.0));
    }

    @ParameterizedTest
    @MethodSource("reads")
    void aPathReads(String path, Type type, String text, boolean bool, double number) {
        GjsonResult result = GjsonPath.get(DOCUMENT, path);
        assertThat(result.exists()).isTrue();
        assertThat(result.type()).isEqualTo(type);
        assertThat(result.text()).isEqualTo(text);
        assertThat(result.bool()).isEqualTo(bool);
        assertThat(result.number()).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "body.missing",
                "body.labels.#(name==\"Nope\").id",
                "body.arr.-1",
                "body.arr.9",
                "body.arr.01",
                "body.action,body.n",
                "body.action,body.labels.#(name==\"Webhook\").name,body.labels.#(name==\"Approved\").name",
                "",
                "body.nul.x",
                "body.missing|@this",
                "body.labels.#(name",
                "body.action.x",
            })
    void aPathThatLeadsNowhereIsAbsent(String path) {
        assertThat(GjsonPath.get(DOCUMENT, path)).isEqualTo(GjsonResult.ABSENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"a\":1.50,\"a\":2} | a | 1.50",
                "{\"a\" : { \"z\":1e5, \"b\": 2 } } | a | { \"z\":1e5, \"b\": 2 }",
                "[10,20] | 1 | 20",
                "{\"a\":[{\"b\":[1,2]},{\"b\":[3]}]} | a.#.b | [[1,2],[3]]",
                "{\"a\":[{\"b\":[1,2]},{\"b\":[3]}]} | a.#.b.# | [2,1]",
                "{\"ab\":1,\"ac\":{\"d\":2}} | a*.d | 2",
                "{\"a\":[{\"t\":true,\"n\":1},{\"n\":2},{\"t\":0,\"n\":3}]} | a.#(t==~false)#.n | [2,3]",
                "{\"a\":[{\"t\":[{\"v\":1}],\"n\":1},{\"t\":[{\"v\":2}],\"n\":2}]} | a.#(t.#(v==2)).n | 2",
                "{\"n\":\"x\"}{\"n\":\"y\"} | ..#.n | [\"x\",\"y\"]",
                "{\"a\":[1,2],\"b\":[3,4]} | @group | [{\"a\":1,\"b\":3},{\"a\":2,\"b\":4}]",
                "{\"a*b\":1} | a\\*b | 1",
            })
    void theTextOfTheValueIsKept(String json, String path, String raw) {
        assertThat(GjsonPath.get(json, path.replace("\\|", "|")).raw()).isEqualTo(raw);
    }

    @Test
    void noTextAndNoPathMakesItFail() {
        Random random = new Random(11);
        String alphabet = "{}[]\":,.#()|@*?\\ab1-! <=%~";
        for (int i = 0; i < 20_000; i++) {
            String json = text(random, alphabet);
            String path = text(random, alphabet);
            GjsonResult result = GjsonPath.get(random.nextBoolean() ? json : DOCUMENT, path);
            assertThat(result.exists() || result.raw().isEmpty())
                    .as("seed 11, round %d: %s in %s", i, path, json)
                    .isTrue();
        }
    }

    private static String text(Random random, String alphabet) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(14);
        for (int i = 0; i < length; i++) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }
}
