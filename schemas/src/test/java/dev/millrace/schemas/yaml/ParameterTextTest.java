package dev.millrace.schemas.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ParameterTextTest {

    @ParameterizedTest
    @CsvSource({
        "1.0, 1",
        "1e6, 1000000",
        "1e30, 1000000000000000000000000000000",
        "yes, true",
        "off, false",
        "0755, 493",
        "0.1, 0.1",
        "1e-7, 0.0000001",
        "-2.50, -2.5",
        "9007199254740993, 9007199254740992",
        "12345678901234567890, 12345678901234567000",
        "2020-01-01, 2020-01-01",
        "hello, hello",
        "'\"1.0\"', 1.0",
        "-0.0, -0",
        "'[1, a]', '[1,\"a\"]'"
    })
    void anUnquotedValueGoesThroughADouble(String yaml, String expected) {
        assertThat(ParameterText.of(value(yaml))).isEqualTo(expected);
    }

    @Test
    void nullIsNoValue() {
        assertThat(ParameterText.of(value("~"))).isNull();
    }

    private static JsonNode value(String yaml) {
        return YamlReader.read("test", "v: " + yaml).documents().getFirst().tree().get("v");
    }
}
