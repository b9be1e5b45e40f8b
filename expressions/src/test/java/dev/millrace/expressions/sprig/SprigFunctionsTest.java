package dev.millrace.expressions.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.expressions.expr.value.GoFunction;
import dev.millrace.expressions.expr.value.GoJsonWriter;
import dev.millrace.expressions.expr.value.GoPanic;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SprigFunctionsTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final Map<String, GoFunction> FUNCTIONS =
            SprigFunctions.all(InstantSource.fixed(NOW), new Random(7));

    private static Object call(String name, Object... arguments) {
        GoFunction function = FUNCTIONS.get(name);
        assertThat(function).as(name).isNotNull();
        return function.call(Arrays.asList(arguments));
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
            ^1.2.0,      1.9.9,        true
            ^1.2.0,      2.0.0,        false
            ^0.2.3,      0.2.9,        true
            ^0.2.3,      0.3.0,        false
            ^0.0.3,      0.0.4,        false
            ~1.2,        1.2.9,        true
            ~1.2,        1.3.0,        false
            '>= 1.2, < 2', 1.5.0,      true
            1.2 - 1.4,   1.4.0,        true
            1.2 - 1.4,   1.4.9,        true
            1.2 - 1.4,   1.5.0,        false
            1.x,         1.9.0,        true
            *,           3.0.0,        true
            '<1 || >=2', 2.1.0,        true
            '<1 || >=2', 1.5.0,        false
            >1.0.0,      1.1.0-beta,   false
            >1.0.0-0,    1.1.0-beta,   true
            !=1.2.3,     1.2.3,        false
            """)
    void versionsAreComparedWithConstraints(String constraint, String version, boolean expected) {
        assertThat(call("semverCompare", constraint, version)).isEqualTo(expected);
    }

    @Test
    void aMalformedConstraintOrVersionIsAnError() {
        assertThatThrownBy(() -> call("semverCompare", "^^", "1.0.0"))
                .hasMessage("improper constraint: ^^");
        assertThatThrownBy(() -> call("semver", "1.x")).hasMessage("Invalid Semantic Version");
    }

    @Test
    void prereleasesComeBeforeTheirRelease() {
        List<String> order =
                List.of(
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta.2",
                        "1.0.0-beta.11",
                        "1.0.0-rc.1",
                        "1.0.0");
        for (int i = 1; i < order.size(); i++) {
            assertThat(SemanticVersion.of(order.get(i - 1)))
                    .isLessThan(SemanticVersion.of(order.get(i)));
        }
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
            abbrev,     9,  hello world foo,  hello ...
            trunc,      5,  hello world,      hello
            wrap,       5,  a b c d e f,      'a b c
            d e f'
            indent,     1,  x,                ' x'
            """)
    void textIsCutAndDressed(String name, long number, String text, String expected) {
        assertThat(call(name, number, text)).isEqualTo(expected);
    }

    @Test
    void namesChangeTheirStyle() {
        assertThat(call("snakecase", "HTTPServer")).isEqualTo("http_server");
        assertThat(call("kebabcase", "first_name here")).isEqualTo("first-name-here");
        assertThat(call("camelcase", "first-name")).isEqualTo("FirstName");
        assertThat(call("untitle", "Hello World")).isEqualTo("hello world");
        assertThat(call("title", "hello-world o'neil")).isEqualTo("Hello-World O'neil");
    }

    @Test
    void whatIsNoNumberIsZero() {
        assertThat(call("int", "0x1F")).isEqualTo(31L);
        assertThat(call("int", "12.0")).isEqualTo(12L);
        assertThat(call("int", "1.5")).isEqualTo(0L);
        assertThat(call("float64", "x")).isEqualTo(0.0);
        assertThat(call("add", "3", true, null).toString()).isEqualTo("4");
        assertThatThrownBy(() -> call("div", 1L, 0L))
                .isInstanceOf(GoPanic.class)
                .hasMessageContaining("divide by zero");
    }

    @Test
    void decimalsDoNotDrift() {
        assertThat(call("addf", 0.1, 0.2)).isEqualTo(0.3);
        assertThat(call("divf", 10.0, 4L)).isEqualTo(2.5);
        assertThat(call("round", -1.5, 0L)).isEqualTo(-2.0);
    }

    @Test
    void mergingFillsWhatIsMissingOrEmptyAndDoesNotChangeItsArguments() {
        Map<String, Object> first = Map.of("a", Map.of("x", 1L), "b", "", "c", "kept");
        Map<String, Object> second =
                Map.of("a", Map.of("x", 2L, "y", 3L), "b", "filled", "c", "not");
        assertThat(GoJsonWriter.write(call("merge", first, second)))
                .isEqualTo("{\"a\":{\"x\":1,\"y\":3},\"b\":\"filled\",\"c\":\"kept\"}");
        assertThat(GoJsonWriter.write(call("mergeOverwrite", first, second)))
                .isEqualTo("{\"a\":{\"x\":2,\"y\":3},\"b\":\"filled\",\"c\":\"not\"}");
        assertThat(first.get("b")).isEqualTo("");
    }

    @Test
    void datesAreWrittenInTheLayoutOfGo() {
        ZonedDateTime time = ZonedDateTime.of(2024, 2, 3, 16, 5, 6, 70_000_000, ZoneOffset.UTC);
        assertThat(call("date", "Mon Jan _2 15:04:05.000 MST 2006", time))
                .isEqualTo("Sat Feb  3 16:05:06.070 UTC 2024");
        assertThat(call("date", "3:04PM 1/2/06 Z07:00 002", time)).isEqualTo("4:05PM 2/3/24 Z 034");
        assertThat(call("dateInZone", "2006-01-02T15:04:05Z07:00", time, "America/New_York"))
                .isEqualTo("2024-02-03T11:05:06-05:00");
        assertThat(call("ago", ZonedDateTime.ofInstant(NOW.minusSeconds(90), ZoneOffset.UTC)))
                .isEqualTo("1m30s");
        assertThat(call("toDate", "2006-01-02", "nonsense").toString()).startsWith("0001-01-01");
        assertThatThrownBy(() -> call("mustToDate", "2006-01-02", "nonsense"))
                .hasMessage(
                        "parsing time \"nonsense\" as \"2006-01-02\": cannot parse \"nonsense\" as \"2006\"");
    }

    @Test
    void whatChanceDecidesDependsOnTheSeedOnly() {
        Map<String, GoFunction> again = SprigFunctions.all(InstantSource.fixed(NOW), new Random(1));
        Map<String, GoFunction> same = SprigFunctions.all(InstantSource.fixed(NOW), new Random(1));
        for (String name : List.of("randAlphaNum", "randAlpha", "randNumeric", "randAscii")) {
            String text = (String) again.get(name).call(List.of(12L));
            assertThat(text).hasSize(12).isEqualTo(same.get(name).call(List.of(12L)));
        }
        assertThat((String) again.get("uuidv4").call(List.of()))
                .matches("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    }

    @Test
    void urlsComeApartAndTogether() {
        String url = "http://admin:secret@server.com:8080/api?list=false#anchor";
        assertThat(call("urlJoin", call("urlParse", url))).isEqualTo(url);
        assertThat(call("get", call("urlParse", url), "userinfo")).isEqualTo("admin:secret");
        assertThat(call("get", call("urlParse", url), "hostname")).isEqualTo("server.com");
    }

    @Test
    void encodingsAreInverses() {
        for (String text :
                List.of("", "a", "ab", "abc", "abcd", "abcde", "h\u00e9llo w\u00f6rld")) {
            assertThat(call("b64dec", call("b64enc", text))).isEqualTo(text);
            assertThat(call("b32dec", call("b32enc", text))).isEqualTo(text);
        }
        assertThat(call("b64dec", "a!bc")).isEqualTo("illegal base64 data at input byte 1");
    }

    @Test
    void wrongArgumentsAreErrorsThatNameTheFunction() {
        assertThatThrownBy(() -> call("upper", 1L))
                .hasMessage("cannot use int as argument (type string) to call upper");
        assertThatThrownBy(() -> call("replace", "a"))
                .hasMessage("not enough arguments to call replace");
    }

    @Test
    void nothingOfTheServersOwnEnvironmentIsReachable() {
        assertThat(FUNCTIONS).doesNotContainKeys("env", "expandenv", "getHostByName");
        assertThat(SprigFunctions.LEFT_OUT).noneMatch(FUNCTIONS::containsKey);
    }
}
