package dev.millrace.schemas.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class YamlScalarTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
    void wordsOfYaml11AreTrue(String word) {
        assertThat(json(word)).isEqualTo("true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
    void wordsOfYaml11AreFalse(String word) {
        assertThat(json(word)).isEqualTo("false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"~", "null", "Null", "NULL", ""})
    void wordsAreNull(String word) {
        assertThat(json(word)).isEqualTo("null");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-0, 0",
        "+5, 5",
        "42, 42",
        "0755, 493",
        "-0755, -493",
        "00, 0",
        "089, 89",
        "0o17, 15",
        "0O17, 15",
        "0x1F, 31",
        "0XfF, 255",
        "-0x1f, -31",
        "0b101, 5",
        "-0b101, -5",
        "1_000, 1000",
        "0x_ff, 255",
        "9007199254740993, 9007199254740993",
        "-9223372036854775808, -9223372036854775808",
        "18446744073709551615, 18446744073709551615",
        "18446744073709551616, 18446744073709552000",
        "0x1ffffffffffffffff, 36893488147419103231"
    })
    void integersAreReadAsGoDoes(String text, String expected) {
        assertThat(json(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "1.0, 1",
        "1., 1",
        ".5, 0.5",
        "-.5, -0.5",
        "1e6, 1000000",
        "1E+2, 100",
        "1.5e-3, 0.0015",
        "1e20, 100000000000000000000",
        "-1.25, -1.25",
        "0.1, 0.1"
    })
    void floatsBecomeTheNumbersThatGoWrites(String text, String expected) {
        JsonNode value = value(text);

        assertThat(value.isNumber()).isTrue();
        assertThat(value.decimalValue()).isEqualByComparingTo(expected);
        assertThat(value.isIntegralNumber()).isEqualTo(!expected.contains("."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2020-01-01",
                "2001-12-14t21:59:43.10-05:00",
                "1:30",
                "12:30:45",
                "1.2.3",
                "0x",
                "0xzz",
                "0b12",
                "1e",
                "1e999",
                "e5",
                ".",
                "+",
                "--1",
                "._5",
                "yES",
                "tRUE",
                "nil",
                "None",
                "=",
                "1 000"
            })
    void otherTextsStayTexts(String text) {
        assertThat(value("- " + text).get(0).isString()).as(text).isTrue();
        assertThat(value("- " + text).get(0).stringValue()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"'yes'", "\"0755\"", "!!str 1.0", "'null'", "\"~\"", "|-\n    true", "! 12"})
    void quotedAndTaggedTextsStayTexts(String text) {
        assertThat(value("a: " + text).get("a").isString()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "!!int 12, 12",
        "!!float 3, 3",
        "!!bool on, true",
        "!!null ~, null",
        "!custom 5, '\"5\"'"
    })
    void tagsChooseTheType(String text, String expected) {
        assertThat(json(text)).isEqualTo(expected);
    }

    @Test
    void binaryIsTheTextOfItsBytes() {
        assertThat(value("!!binary aGVsbG8=").stringValue()).isEqualTo("hello");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a: .inf",
                "a: -.Inf",
                "a: .NaN",
                "a: !!int x",
                "a: !!bool maybe",
                "a: !!binary '*'"
            })
    void whatJsonCannotSayIsAFault(String text) {
        Documents documents = YamlReader.read("f.yaml", text);

        assertThat(documents.documents()).isEmpty();
        assertThat(documents.faults())
                .singleElement()
                .satisfies(
                        fault -> {
                            assertThat(fault.path()).hasToString("a");
                            assertThat(fault.place()).hasToString("f.yaml:1:4");
                        });
    }

    private static JsonNode value(String text) {
        Documents documents =
                YamlReader.read(
                        "test",
                        "v: "
                                + (text.startsWith("- ") || text.contains(": ") ? "\n  " : "")
                                + text);
        assertThat(documents.faults()).isEmpty();
        return documents.documents().getFirst().tree().get("v");
    }

    private static String json(String text) {
        return value(text).toString();
    }
}
