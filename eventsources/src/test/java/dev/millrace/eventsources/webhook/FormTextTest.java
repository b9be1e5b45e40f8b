package dev.millrace.eventsources.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FormTextTest {

    @Test
    void valuesOfANameKeepTheirOrder() {
        assertThat(FormText.parse("a=1&b=two&a=3").values())
                .isEqualTo(Map.of("a", List.of("1", "3"), "b", List.of("two")));
    }

    @Test
    void escapesAndPlusesAreDecodedAndAbsentValuesAreEmpty() {
        assertThat(FormText.parse("x=%C3%A9+y&empty=&novalue&&").values())
                .isEqualTo(
                        Map.of("x", List.of("é y"), "empty", List.of(""), "novalue", List.of("")));
    }

    @Test
    void whatCannotBeReadIsLeftOutAndNamed() {
        FormText form = FormText.parse("a=1&b=%zz&c;d=1&e=%4");
        assertThat(form.values()).isEqualTo(Map.of("a", List.of("1")));
        assertThat(form.error()).isEqualTo("invalid URL escape \"%zz\"");
        assertThat(FormText.parse("a;b").error()).isEqualTo("invalid semicolon separator in query");
    }
}
