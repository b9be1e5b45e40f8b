package dev.millrace.expressions.duration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0s",
        "1h30m, 1h30m0s",
        "1.5s, 1.5s",
        "300ms, 300ms",
        "90s, 1m30s",
        "-1m, -1m0s",
        "1us, 1µs",
        "1500µs, 1.5ms",
        ".5h, 30m0s",
        "1.h, 1h0m0s",
        "+2s, 2s",
        "100ns, 100ns",
        "72h3m0.5s, 72h3m0.5s",
        "1h1h, 2h0m0s",
        "9223372036854775807ns, 2562047h47m16.854775807s",
        "-9223372036854775808ns, -2562047h47m16.854775808s",
    })
    void aDurationIsReadAndWrittenAsGoDoes(String text, String written) {
        assertThat(GoDuration.format(GoDuration.parse(text))).isEqualTo(written);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | time: invalid duration \"\"",
                "5 | time: missing unit in duration \"5\"",
                "soon | time: invalid duration \"soon\"",
                "2d | time: unknown unit \"d\" in duration \"2d\"",
                "1h2 | time: missing unit in duration \"1h2\"",
                ". | time: invalid duration \".\"",
                "1..2s | time: missing unit in duration \"1..2s\"",
                "9223372036854775808ns | time: invalid duration \"9223372036854775808ns\"",
            })
    void aBadDurationIsRefusedInGosWords(String text, String message) {
        assertThatThrownBy(() -> GoDuration.parse(text))
                .isInstanceOf(DurationSyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void whatIsWrittenIsReadBackTheSame() {
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            Duration duration = Duration.ofNanos(random.nextLong() >> random.nextInt(63));
            assertThat(GoDuration.parse(GoDuration.format(duration)))
                    .as("seed 7, round %d", i)
                    .isEqualTo(duration);
        }
    }

    @Test
    void aPlainNumberIsSecondsOnlyWhereThatIsAllowed() {
        assertThat(GoDuration.parseOrSeconds("20")).isEqualTo(Duration.ofSeconds(20));
        assertThat(GoDuration.parseOrSeconds("1m")).isEqualTo(Duration.ofMinutes(1));
        assertThatThrownBy(() -> GoDuration.parseOrSeconds("2d"))
                .hasMessageContaining("unknown unit \"d\"");
        assertThat(GoDuration.parseOrSecondsOrDays("2d")).isEqualTo(Duration.ofDays(2));
        assertThat(GoDuration.parseOrSecondsOrDays("20")).isEqualTo(Duration.ofSeconds(20));
        assertThat(GoDuration.parseOrSecondsOrDays("1h")).isEqualTo(Duration.ofHours(1));
        assertThatThrownBy(() -> GoDuration.parseOrSecondsOrDays("99999999999999999999"))
                .isInstanceOf(DurationSyntaxException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.9S, 0 seconds",
        "PT1S, 1 second",
        "PT59.9S, 59 seconds",
        "PT1M, 1 minute 0 seconds",
        "PT4M, 4 minutes 0 seconds",
        "PT1M30S, 1 minute 30 seconds",
        "PT1H1M59S, 1 hour 1 minute",
        "P2DT3H, 2 days 3 hours",
        "-PT5S, 5 seconds",
    })
    void messagesNameTheTwoLargestUnits(Duration duration, String words) {
        assertThat(HumanDuration.words(duration)).isEqualTo(words);
    }
}
