package dev.millrace.expressions.regex;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.PatternSyntaxException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoRegexTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            value = {
                "a{1000}",
                "(a{10}b{100}){10}",
                "(?:[a-z]{1,10}){1,100}x{1,1000}",
                "(a{2,}){500}",
                "[{}]{3}{",
                "\\{2000\\}",
                "\\Q{2000}\\E{3}",
                "a{,2000}",
                "[]{2000}]"
            })
    void countsWithinTheBoundAreTaken(String pattern) {
        assertThat(GoRegex.compile(pattern)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a{1001}",
                "(a{10}){101}",
                "((a{1,100}){1,100}){1,100}",
                "(x|(a{2,}b)c){501}",
                "([(]{2}){501}",
                "a{99999999999}"
            })
    void productsOfCountsBeyondItAreRefused(String pattern) {
        assertThatThrownBy(() -> GoRegex.compile(pattern))
                .isInstanceOf(PatternSyntaxException.class)
                .hasMessageContaining("repeat");
    }
}
