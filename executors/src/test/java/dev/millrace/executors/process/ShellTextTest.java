package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShellTextTest {
    @Test
    void quotedTextIsOneWordWithItsOwnMeaning() {
        assertThat(ShellText.quote(List.of("a", "", "b c", "it's", "$x", "~", "a\nb")))
                .isEqualTo("a '' 'b c' 'it'\\''s' '$x' '~' 'a\nb'");
    }
}
