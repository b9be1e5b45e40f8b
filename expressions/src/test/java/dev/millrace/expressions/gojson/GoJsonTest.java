package dev.millrace.expressions.gojson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class GoJsonTest {

    @Test
    void anEmbeddedBodyIsCompactedAndEscapedButKeepsItsNumbersOrderAndDuplicates() {
        assertThat(GoJson.compact("{\"a\" : [1 , 2],\n \"h\":\"<x>\"}"))
                .isEqualTo("{\"a\":[1,2],\"h\":\"\\u003cx\\u003e\"}");
        assertThat(
                        GoJson.compact(
                                "\t{\"z\":1.50e+3,\"a\":-0,\"z\":12345678901234567890,\"\":[ ],\"o\":{ }} "))
                .isEqualTo("{\"z\":1.50e+3,\"a\":-0,\"z\":12345678901234567890,\"\":[],\"o\":{}}");
        assertThat(GoJson.compact("[[],[1,[2,{}]],{\"a\":{\"b\":[true]}},null]"))
                .isEqualTo("[[],[1,[2,{}]],{\"a\":{\"b\":[true]}},null]");
        assertThat(GoJson.compact("\"&\u2028\\u003c\"")).isEqualTo("\"\\u0026\\u2028\\u003c\"");
    }

    static Stream<Arguments> broken() {
        return Stream.of(
                Arguments.of("", "unexpected end of JSON input"),
                Arguments.of("  ", "unexpected end of JSON input"),
                Arguments.of("hello", "invalid character 'h' looking for beginning of value"),
                Arguments.of("{\"a\":1} x", "invalid character 'x' after top-level value"),
                Arguments.of("01", "invalid character '1' after top-level value"),
                Arguments.of("{\"a\" 1}", "invalid character '1' after object key"),
                Arguments.of("{\"a\":1 2}", "invalid character '2' after object key:value pair"),
                Arguments.of("[1 2]", "invalid character '2' after array element"),
                Arguments.of("[1,]", "invalid character ']' looking for beginning of value"),
                Arguments.of(
                        "{a:1}",
                        "invalid character 'a' looking for beginning of object key string"),
                Arguments.of(
                        "{\"a\":1,}",
                        "invalid character '}' looking for beginning of object key string"),
                Arguments.of("'a'", "invalid character '\\'' looking for beginning of value"),
                Arguments.of("tru", "unexpected end of JSON input"),
                Arguments.of("trux", "invalid character 'x' in literal true (expecting 'e')"),
                Arguments.of("nul!", "invalid character '!' in literal null (expecting 'l')"),
                Arguments.of("\"a\nb\"", "invalid character '\\n' in string literal"),
                Arguments.of("\"\\x\"", "invalid character 'x' in string escape code"),
                Arguments.of(
                        "\"\\u12g4\"", "invalid character 'g' in \\u hexadecimal character escape"),
                Arguments.of("-x", "invalid character 'x' in numeric literal"),
                Arguments.of("1.x", "invalid character 'x' after decimal point in numeric literal"),
                Arguments.of("1e+x", "invalid character 'x' in exponent of numeric literal"),
                Arguments.of("\u00e9", "invalid character '\u00c3' looking for beginning of value"),
                Arguments.of("[".repeat(451), "exceeded max depth"));
    }

    @ParameterizedTest
    @MethodSource("broken")
    void badJsonIsRefusedInGosWords(String text, String message) {
        assertThatThrownBy(() -> GoJson.compact(text))
                .isInstanceOf(GoJsonException.class)
                .hasMessage(message);
        assertThatThrownBy(() -> GoJson.decode(text)).hasMessage(message);
        assertThat(GoJson.isValid(text)).isFalse();
    }

    @Test
    void aValueIsEncodedWithSortedKeysAndGosEscapes() {
        Map<String, @Nullable Object> value = new HashMap<>();
        value.put("b", "hi<&>".getBytes(UTF_8));
        value.put("a", "x<&>\u2028");
        value.put("n", null);
        value.put("l", Arrays.asList(1L, 2.50, true, new RawJson("{ \"q\" : 1.0 }")));
        assertThat(GoJson.encode(value))
                .isEqualTo(
                        "{\"a\":\"x\\u003c\\u0026\\u003e\\u2028\",\"b\":\"aGk8Jj4=\",\"l\":[1,2.5,true,{\"q\":1.0}],\"n\":null}");
        assertThat(GoJson.encode(Map.of())).isEqualTo("{}");
        assertThatThrownBy(() -> GoJson.encode(new Object()))
                .hasMessageStartingWith("json: unsupported type");
    }

    @ParameterizedTest
    @CsvSource({
        "3.0, 3", "3.14, 3.14", "1e20, 100000000000000000000", "1e21, 1e+21", "1.5e300, 1.5e+300",
                "0.000001, 0.000001",
        "1e-7, 1e-7", "-2.5e-9, -2.5e-9", "0, 0", "-0.0, -0",
                "12345678901234567890, 12345678901234567000", "100, 100",
    })
    void doublesArePrintedAsGoPrintsThem(double value, String text) {
        assertThat(GoJson.number(value)).isEqualTo(text);
    }

    @Test
    void decodingGivesDoublesAndTheLastOfDuplicates() {
        assertThat(
                        GoJson.decode(
                                " {\"a\":[1,null,\"\\u00e9\\n\\ud83d\\ude00\"],\"b\":false,\"b\":{\"c\":{}}}"))
                .isEqualTo(
                        Map.of(
                                "a",
                                Arrays.asList(1.0, null, "\u00e9\n\ud83d\ude00"),
                                "b",
                                Map.of("c", Map.of())));
        assertThat(GoJson.decode("[]")).isEqualTo(List.of());
        assertThat(GoJson.decode("\"\\ud83d\"")).isEqualTo("\ufffd");
    }

    @Test
    void escapingAndUnescapingTheInsideOfAStringAreInverse() {
        String text = "a\"b\\c\n\t\u0001<&>\u2028\u00e9";
        assertThat(GoJson.escape(text)).isEqualTo("a\\\"b\\\\c\\n\\t\\u0001<&>\\u2028\u00e9");
        assertThat(GoJson.unescape(GoJson.escape(text))).isEqualTo(text);
        assertThatThrownBy(() -> GoJson.unescape("a\"b")).isInstanceOf(GoJsonException.class);
    }

    @Test
    void timesArePrintedAsGoPrintsThem() {
        ZonedDateTime utc = LocalDateTime.of(2026, 1, 2, 3, 4, 5, 600).atZone(ZoneOffset.UTC);
        assertThat(GoTime.text(utc)).isEqualTo("2026-01-02 03:04:05.0000006 +0000 UTC");
        assertThat(GoTime.rfc3339Nano(utc)).isEqualTo("2026-01-02T03:04:05.0000006Z");
        ZonedDateTime newYork =
                LocalDateTime.of(2020, 1, 1, 0, 0).atZone(ZoneId.of("America/New_York"));
        assertThat(GoTime.text(newYork)).isEqualTo("2020-01-01 00:00:00 -0500 EST");
        assertThat(GoTime.rfc3339Nano(newYork)).isEqualTo("2020-01-01T00:00:00-05:00");
    }
}
