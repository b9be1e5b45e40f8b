package dev.millrace.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LineSplitterTest {

    @Test
    void linesAreTheSameHoweverTheTextIsCut() {
        byte[] bytes =
                "eins\nzwölf €\n\r\n\n  drei\r\nohne Ende 🎈".getBytes(StandardCharsets.UTF_8);
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            LineSplitter lines = new LineSplitter(100);
            List<String> got = new ArrayList<>();
            List<Long> ends = new ArrayList<>();
            Consumer<String> take =
                    line -> {
                        got.add(line);
                        ends.add(lines.position());
                    };
            int at = 0;
            while (at < bytes.length) {
                int end = Math.min(bytes.length, at + random.nextInt(5));
                lines.add(Arrays.copyOfRange(bytes, at, end), take);
                at = end;
            }
            lines.end(take);
            assertThat(ends)
                    .as("seed " + seed)
                    .containsExactly(105L, 116L, 118L, 119L, 127L, 100L + bytes.length);
            assertThat(got)
                    .as("seed " + seed)
                    .containsExactly("eins", "zwölf €", "", "", "  drei", "ohne Ende 🎈");
        }
    }

    @Test
    void aLineWithoutAnEndDoesNotGrowForEver() {
        LineSplitter lines = new LineSplitter();
        List<String> got = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            lines.add(new byte[64 * 1024], got::add);
        }
        assertThat(got).isNotEmpty();
    }
}
