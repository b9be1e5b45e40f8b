package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogTailTest {
    private static final int MOST = 256 * 1024;

    private static String tail(String log) throws IOException {
        return LogTail.of(new ByteArrayInputStream(log.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void oneLineEndIsNoPartOfAResult() throws IOException {
        assertThat(tail("")).isEmpty();
        assertThat(tail("\n")).isEmpty();
        assertThat(tail("hello")).isEqualTo("hello");
        assertThat(tail("hello\n\n")).isEqualTo("hello\n");
    }

    @ParameterizedTest
    @ValueSource(ints = {MOST - 1, MOST, MOST + 1, 2 * MOST, 2 * MOST + 77})
    void theEndOfALongLogIsKept(int length) throws IOException {
        StringBuilder log = new StringBuilder();
        while (log.length() < length) {
            log.append((char) ('a' + log.length() % 26));
        }
        String expected = log.substring(Math.max(0, length - MOST));
        assertThat(tail(log.toString())).isEqualTo(expected);
        assertThat(tail(log + "\n")).isEqualTo(expected);
    }

    @Test
    void aCharacterIsKeptWholeOrNotAtAll() throws IOException {
        String log = "€".repeat(MOST);
        String tail = tail(log);
        assertThat(tail.getBytes(StandardCharsets.UTF_8).length).isBetween(MOST - 2, MOST);
        assertThat(tail).matches("€+");
    }
}
