package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.server.command.RefusedException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorTest {

    private static final Map<String, String> LABELS =
            Map.of("a", "1", "tier.x/b", "two", "empty", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "''; true",
                "a=1; true",
                "a==1; true",
                "a = 1; true",
                "a=2; false",
                "a!=2; true",
                "a!=1; false",
                "absent!=1; true",
                "a; true",
                "absent; false",
                "!absent; true",
                "!a; false",
                "empty=; true",
                "a in (1,2); true",
                "a in (2, 3); false",
                "absent in (1); false",
                "a notin (2); true",
                "absent notin (2); true",
                "tier.x/b notin (one,two); false",
                "a=1,tier.x/b in (two),!absent; true",
                "a=1,tier.x/b in (one); false"
            })
    void selectsAsKubernetesDoes(String selector, boolean selected) {
        assertThat(LabelSelector.parse(selector).matches(LABELS)).isEqualTo(selected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a ~ b", "a=1,,b=2", "in (a)", "a in 1", "a in (1", "=x", "a=b c"})
    void refusesWhatItCannotReadAndShowsTheForms(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("notin");
    }

    @Test
    void anEmptySelectorSelectsWhatHasNoLabels() {
        assertThat(LabelSelector.parse(" ").matches(Map.of())).isTrue();
    }
}
