package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VariableReferencesTest {
    @ParameterizedTest
    @CsvSource({
        "$(A),1",
        "x$(A)y,x1y",
        "$(B),$(B)",
        "$$(A),$(A)",
        "$A,$A",
        "$((A)),$((A))",
        "$(A)$(A),11",
        "a$,a$",
        "$$$$,$$",
        "$(),$()"
    })
    void referencesAreExpandedAsKubernetesDoes(String text, String expanded) {
        assertThat(VariableReferences.expand(text, Map.of("A", "1"))).isEqualTo(expanded);
    }
}
