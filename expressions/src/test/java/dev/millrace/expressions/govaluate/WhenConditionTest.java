package dev.millrace.expressions.govaluate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.govaluate.WhenCondition.Outcome;
import org.junit.jupiter.api.Test;

class WhenConditionTest {

    @Test
    void aConditionRunsOrSkipsTheStep() {
        assertThat(WhenCondition.evaluate("heads == heads")).isEqualTo(new Outcome.True());
        assertThat(WhenCondition.evaluate("heads == tails")).isEqualTo(new Outcome.False());
        assertThat(WhenCondition.evaluate("")).isEqualTo(new Outcome.True());
    }

    @Test
    void anUnresolvedTagGetsTheHintAboutQuotes() {
        assertThat(WhenCondition.evaluate("{{x}} == y"))
                .isEqualTo(
                        new Outcome.Invalid(
                                "Invalid 'when' expression '{{x}} == y': Invalid token: '{{' (hint: try wrapping the affected expression"
                                        + " in quotes (\"))"));
    }

    @Test
    void otherProblemsAreToldInTheControllersWords() {
        assertThat(WhenCondition.evaluate("a b"))
                .isEqualTo(
                        new Outcome.Invalid(
                                "Invalid 'when' expression 'a b': Cannot transition token types from VARIABLE [a] to VARIABLE [b]"));
        assertThat(WhenCondition.evaluate("!a"))
                .isEqualTo(
                        new Outcome.Invalid(
                                "Failed to parse 'when' expression '!a': Cannot transition token types from PREFIX [!] to STRING [a]"));
        assertThat(WhenCondition.evaluate("\"a\" && true"))
                .isEqualTo(
                        new Outcome.Invalid(
                                "Failed to evaluate 'when' expresion '\"a\" && true': Value 'a' cannot be used with the logical operator"
                                        + " '&&', it is not a bool"));
        assertThat(WhenCondition.evaluate("1 + 1"))
                .isEqualTo(new Outcome.Invalid("Expected boolean evaluation for '1 + 1'. Got 2"));
    }
}
