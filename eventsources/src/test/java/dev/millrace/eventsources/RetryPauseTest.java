package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RetryPauseTest {

    @Test
    void pausesDoubleUpToTheCapAndVaryByUpToAHalf() {
        RetryPause pause = new RetryPause(Duration.ofMillis(100), Duration.ofSeconds(1));
        Random random = new Random(7);
        for (int round = 0; round < 100; round++) {
            assertThat(pause.after(1, random)).isBetween(ms(50), ms(100));
            assertThat(pause.after(3, random)).isBetween(ms(200), ms(400));
            assertThat(pause.after(5, random)).isBetween(ms(500), ms(1000));
            assertThat(pause.after(Integer.MAX_VALUE, random)).isBetween(ms(500), ms(1000));
        }
    }

    private static Duration ms(int millis) {
        return Duration.ofMillis(millis);
    }
}
