package dev.millrace.expressions.gjson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SjsonTest {

    private static final String ROWS =
            "{\"a\":[{\"n\":\"p\",\"v\":1},{\"n\":\"q\",\"v\":2},{\"n\":\"q\",\"v\":3}],\"m\":{\"k1\":1,\"k2\":2}}";

    static Stream<Arguments> writes() {
        return Stream.of(
                Arguments.of("", "a.b", "x", "{\"a\":{\"b\":\"x\"}}"),
                Arguments.of("", "a.0", "x", "{\"a\":[\"x\"]}"),
                Arguments.of("", "a.-1", "x", "{\"a\":[\"x\"]}"),
                Arguments.of("", "a.2", "x", "{\"a\":[null,null,\"x\"]}"),
                Arguments.of("", "0", "x", "[\"x\"]"),
                Arguments.of("", "-1", "x", "{\"-1\":\"x\"}"),
                Arguments.of("{\"a\":[1,2]}", "a.-1", "x", "{\"a\":[1,2,\"x\"]}"),
                Arguments.of("{\"a\":[1,2]}", "a.1", "x", "{\"a\":[1,\"x\"]}"),
                Arguments.of("{\"a\":[1,2]}", "a.5", "x", "{\"a\":[1,2,null,null,null,\"x\"]}"),
                Arguments.of("{\"a\":{\"1\":\"q\"}}", "a.1", "x", "{\"a\":{\"1\":\"x\"}}"),
                Arguments.of("{}", "a.:1", "x", "{\"a\":{\"1\":\"x\"}}"),
                Arguments.of("{}", "a\\.b", "x", "{\"a.b\":\"x\"}"),
                Arguments.of("{}", "a\\.b.c", "x", "{\"a.b\":{\"c\":\"x\"}}"),
                Arguments.of("{\"a\":\"str\"}", "a.b", "x", "{\"a\":{\"b\":\"x\"}}"),
                Arguments.of("{\"a\":\"str\"}", "a.0", "x", "{\"a\":[\"x\"]}"),
                Arguments.of("{\"a\":null}", "a.b", "x", "{\"a\":{\"b\":\"x\"}}"),
                Arguments.of("{\"a\":1}", "a*", "x", "{\"a\":\"x\"}"),
                Arguments.of("{\"a\":[1]}", "a.#", "x", "{\"a\":[1]}"),
                Arguments.of("{\"a\":{\"b\":1}}", "a", "q\"uo\\te", "{\"a\":\"q\\\"uo\\\\te\"}"),
                Arguments.of("{\"m\":{\"x-y\":1}}", "m.x-y", "z", "{\"m\":{\"x-y\":\"z\"}}"),
                Arguments.of(
                        "{\"a\":[{\"n\":\"p\"},{\"n\":\"q\"}]}",
                        "a.#(n==\"q\").v",
                        "x",
                        "{\"a\":[{\"n\":\"p\"},{\"n\":\"q\"}]}"),
                Arguments.of("{\"a\":1}", "a.b|@this", "x", "{\"a\":1}"),
                Arguments.of("{\"a b\":1}", "a b", "x", "{\"a b\":\"x\"}"),
                Arguments.of("{\"a\":1,\"a\":2}", "a", "x", "{\"a\":\"x\",\"a\":2}"),
                Arguments.of(
                        "{\"z\":1.50, \"a\" : [ 1 ]}",
                        "a.0",
                        "x",
                        "{\"z\":1.50, \"a\" : [ \"x\" ]}"),
                Arguments.of("{\"a\":{ }}", "a.b", "x", "{\"a\":{ \"b\":\"x\"}}"),
                Arguments.of("{\"a\":[ ]}", "a.1", "x", "{\"a\":[null,\"x\"]}"));
    }

    @ParameterizedTest
    @MethodSource("writes")
    void aStringIsWritten(String json, String path, String value, String expected) {
        assertThat(Sjson.set(json, path, value)).isEqualTo(expected);
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                Arguments.of("a.#(n==\"q\").v", ROWS.replace("\"v\":2", "\"v\":\"X\"")),
                Arguments.of(
                        "a.#(n==\"q\")#.v",
                        ROWS.replace("\"v\":2", "\"v\":\"X\"").replace("\"v\":3", "\"v\":\"X\"")),
                Arguments.of("a.#.v", ROWS.replaceAll("\"v\":\\d", "\"v\":\"X\"")),
                Arguments.of("a.#(n==\"z\").v", ROWS),
                Arguments.of("m.k?", ROWS.replace("\"k1\":1", "\"k1\":\"X\"")),
                Arguments.of("m.*", ROWS.replace("\"k1\":1", "\"k1\":\"X\"")),
                Arguments.of("a.-1.v", ROWS.replace("}],", "},{\"v\":\"X\"}],")),
                Arguments.of("a.1.v", ROWS.replace("\"v\":2", "\"v\":\"X\"")),
                Arguments.of(
                        "spec.arguments.parameters.0.value",
                        ROWS.substring(0, ROWS.length() - 1)
                                + ",\"spec\":{\"arguments\":{\"parameters\":[{\"value\":\"X\"}]}}}"),
                Arguments.of("m.k1.x", ROWS.replace("\"k1\":1", "\"k1\":{\"x\":\"X\"}")),
                Arguments.of("~m", ROWS.substring(0, ROWS.length() - 1) + ",\"~m\":\"X\"}"),
                Arguments.of("!m", ROWS.substring(0, ROWS.length() - 1) + ",\"!m\":\"X\"}"),
                Arguments.of("@this.m", ROWS));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPathWritesIntoRows(String path, String expected) {
        assertThat(Sjson.set(ROWS, path, "X")).isEqualTo(expected);
    }

    @Test
    void aPayloadIsBuiltFromNothing() {
        String json = "";
        for (String[] entry :
                new String[][] {
                    {"z", "1"}, {"a.b", "2"}, {"z", "3"}, {"arr.-1", "p"}, {"arr.-1", "q"}
                }) {
            json = Sjson.set(json, entry[0], entry[1]);
        }
        assertThat(json).isEqualTo("{\"z\":\"3\",\"a\":{\"b\":\"2\"},\"arr\":[\"p\",\"q\"]}");
    }

    @Test
    void rawJsonIsInsertedAsItIs() {
        assertThat(Sjson.setRaw("{\"a\":1}", "a", "not json")).isEqualTo("{\"a\":not json}");
        assertThat(Sjson.setRaw("", "a.b", "[1.0]")).isEqualTo("{\"a\":{\"b\":[1.0]}}");
    }

    @Test
    void onlyPrintableAsciiIsWrittenWithoutEscapes() {
        assertThat(Sjson.set("", "a", "<&>\u2028\u00e9\u0001"))
                .isEqualTo("{\"a\":\"\\u003c\\u0026\\u003e\\u2028\u00e9\\u0001\"}");
        assertThat(Sjson.set("", "a", "<a&b>")).isEqualTo("{\"a\":\"<a&b>\"}");
        assertThat(Sjson.set("", "a", "<a&b>\"x"))
                .isEqualTo("{\"a\":\"\\u003ca\\u0026b\\u003e\\\"x\"}");
        assertThat(Sjson.set("", "a", "<\u00e9>")).isEqualTo("{\"a\":\"\\u003c\u00e9\\u003e\"}");
    }

    @Test
    void whatCannotBeWrittenIsRefused() {
        assertThatThrownBy(() -> Sjson.set("{\"a\":1}", "", "x"))
                .isInstanceOf(SjsonException.class)
                .hasMessage("path cannot be empty");
        assertThatThrownBy(() -> Sjson.set("{\"a\":[1]}", "a.b", "x"))
                .hasMessage("cannot set array element for non-numeric key 'b'");
        assertThatThrownBy(() -> Sjson.set("", "a.2000000000", "x"))
                .hasMessageContaining("2000000000");
    }
}
