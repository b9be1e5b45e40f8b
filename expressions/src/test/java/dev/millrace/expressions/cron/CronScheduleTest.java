package dev.millrace.expressions.cron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.expressions.Vectors;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class CronScheduleTest {

    private static final Instant FRIDAY = Instant.parse("2026-01-02T03:04:05Z");
    private static final String NEVER = "0001-01-01T00:00:00Z";

    @Test
    void giveTheTimesThatRobfigCronGives() {
        List<JsonNode> vectors = Vectors.lines("cron.jsonl");
        assertThat(vectors).hasSizeGreaterThan(60);
        for (JsonNode vector : vectors) {
            assertThat(outcome(vector)).as(vector.toString()).isEqualTo(expected(vector));
        }
    }

    private static List<String> expected(JsonNode vector) {
        if (vector.has("error")) {
            return List.of(vector.get("error").stringValue());
        }
        List<String> times = new ArrayList<>();
        vector.get("next").forEach(time -> times.add(time.stringValue()));
        return times;
    }

    private static List<String> outcome(JsonNode vector) {
        CronSchedule schedule;
        try {
            schedule =
                    CronSchedule.parse(
                            vector.get("schedule").stringValue(),
                            CronOptions.WORKFLOWS,
                            ZoneId.of(vector.get("timezone").stringValue()));
        } catch (CronSyntaxException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        List<String> times = new ArrayList<>();
        Optional<Instant> time =
                Optional.of(OffsetDateTime.parse(vector.get("from").stringValue()).toInstant());
        for (int i = 0; i < vector.get("next").size(); i++) {
            time = time.flatMap(schedule::next);
            times.add(time.map(Instant::toString).orElse(NEVER));
        }
        return times;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * * | 2026-01-02T03:05:00Z | 2026-01-02T03:06:00Z",
                "*/15 * * * * | 2026-01-02T03:15:00Z | 2026-01-02T03:30:00Z",
                "0 9 * * MON-FRI | 2026-01-02T09:00:00Z | 2026-01-05T09:00:00Z",
                "CRON_TZ=America/New_York 0 9 * * * | 2026-01-02T14:00:00Z | 2026-01-03T14:00:00Z",
                "TZ=Asia/Tokyo 0 9 * * * | 2026-01-03T00:00:00Z | 2026-01-04T00:00:00Z",
                "0 0 ? * SUN | 2026-01-04T00:00:00Z | 2026-01-11T00:00:00Z",
                "0 0 13 * 5 | 2026-01-09T00:00:00Z | 2026-01-13T00:00:00Z",
                "0 0 1 JAN * | 2027-01-01T00:00:00Z | 2028-01-01T00:00:00Z",
                "5/15 * * * * | 2026-01-02T03:05:00Z | 2026-01-02T03:20:00Z",
                "0 0 */2 * 1 | 2026-01-03T00:00:00Z | 2026-01-05T00:00:00Z",
            })
    void aCalendarFiresAt(String spec, Instant first, Instant second) {
        CronSchedule schedule = CronSchedule.parse(spec, CronOptions.CALENDAR, ZoneOffset.UTC);
        assertThat(schedule.next(FRIDAY)).contains(first);
        assertThat(schedule.next(first)).contains(second);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 0 * * 7 | end of range (7) above maximum (6): 7",
                "@daily | parser does not accept descriptors: @daily",
                "@every 1h | parser does not accept descriptors: @every 1h",
                "* * * * * * | expected exactly 5 fields, found 6: [* * * * * *]",
                "0 0 L * * | failed to parse int from L: strconv.Atoi: parsing \"L\": invalid syntax",
                "60 * * * * | end of range (60) above maximum (59): 60",
                "0 22-2 * * * | beginning of range (22) beyond end of range (2): 22-2",
                "1-2-3 * * * * | too many hyphens: 1-2-3",
                "1/2/3 * * * * | too many slashes: 1/2/3",
                "-5 * * * * | failed to parse int from : strconv.Atoi: parsing \"\": invalid syntax",
                "TZ=Nowhere/Town * * * * * | provided bad location Nowhere/Town: unknown time zone Nowhere/Town",
                "TZ=UTC | expected exactly 5 fields, found 0: []",
                "'' | empty spec string",
            })
    void aBadScheduleIsRefusedWithTheReason(String spec, String message) {
        assertThatThrownBy(() -> CronSchedule.parse(spec, CronOptions.CALENDAR, ZoneOffset.UTC))
                .isInstanceOf(CronSyntaxException.class)
                .hasMessage(message);
    }

    @Test
    void anUnreadableIntervalNamesTheDuration() {
        assertThatThrownBy(
                        () ->
                                CronSchedule.parse(
                                        "@every soon", CronOptions.WORKFLOWS, ZoneOffset.UTC))
                .hasMessage(
                        "failed to parse duration @every soon: time: invalid duration \"soon\"");
    }

    @Test
    void aDateThatDoesNotExistNeverComes() {
        assertThat(
                        CronSchedule.parse("0 0 31 2 *", CronOptions.CALENDAR, ZoneOffset.UTC)
                                .next(FRIDAY))
                .isEmpty();
    }

    @Test
    void aTimeSkippedByTheClockComesTheNextDayAndARepeatedOneComesTwice() {
        ZoneId newYork = ZoneId.of("America/New_York");
        CronSchedule skipped = CronSchedule.parse("30 2 * * *", CronOptions.CALENDAR, newYork);
        assertThat(skipped.next(Instant.parse("2026-03-07T17:00:00Z")))
                .contains(Instant.parse("2026-03-09T06:30:00Z"));
        CronSchedule repeated = CronSchedule.parse("30 1 * * *", CronOptions.CALENDAR, newYork);
        Instant daylight = Instant.parse("2026-11-01T05:30:00Z");
        assertThat(repeated.next(Instant.parse("2026-10-31T16:00:00Z"))).contains(daylight);
        assertThat(repeated.next(daylight)).contains(Instant.parse("2026-11-01T06:30:00Z"));
    }

    @Test
    void anIntervalCountsWholeSeconds() {
        CronSchedule tenSeconds = CronSchedule.every(Duration.ofSeconds(10));
        assertThat(tenSeconds.next(Instant.parse("2026-01-02T03:04:05.0000006Z")))
                .contains(Instant.parse("2026-01-02T03:04:15Z"));
        assertThat(CronSchedule.every(Duration.ofMillis(20)).next(FRIDAY))
                .contains(FRIDAY.plusSeconds(1));
    }

    @Test
    void aScheduleIsPutIntoWords() {
        CronSchedule nine = CronSchedule.parse("0 9 * * *", CronOptions.WORKFLOWS, ZoneOffset.UTC);
        assertThat(nine.describe(Locale.ENGLISH)).isEqualTo("at 09:00");
        CronSchedule odd =
                CronSchedule.parse("*/90 * * * *", CronOptions.WORKFLOWS, ZoneOffset.UTC);
        assertThat(odd.describe(Locale.ENGLISH)).isNotBlank();
        CronSchedule every =
                CronSchedule.parse("@every 90s", CronOptions.WORKFLOWS, ZoneOffset.UTC);
        assertThat(every.describe(Locale.ENGLISH)).isEqualTo("every 1 minute 30 seconds");
    }
}
