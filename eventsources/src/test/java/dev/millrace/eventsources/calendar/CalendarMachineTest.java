package dev.millrace.eventsources.calendar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.eventsources.EntryConfigurationException;
import dev.millrace.eventsources.calendar.CalendarMachine.Fire;
import dev.millrace.eventsources.calendar.CalendarMachine.Wait;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.eventsource.CalendarSource;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CalendarMachineTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @Test
    void waitsForTheNextTimeOfTheSchedule() {
        CalendarMachine machine = machine("{schedule: '*/15 * * * *'}");
        assertThat(machine.decide(NOW, NOW)).isEqualTo(new Wait(at("03:15:00"), NOW));
        assertThat(machine.decide(NOW, at("03:15:00.020")))
                .isEqualTo(new Fire(at("03:15:00"), at("03:15:00"), false));
        assertThat(machine.decide(at("03:15:00"), at("03:15:00.030")))
                .isEqualTo(new Wait(at("03:30:00"), at("03:15:00")));
    }

    @Test
    void anIntervalIsCountedFromTheLastTickOnWholeSeconds() {
        CalendarMachine machine = machine("{interval: 10s}");
        Instant begin = Instant.parse("2026-01-02T03:04:05.000000600Z");
        assertThat(machine.decide(begin, begin)).isEqualTo(new Wait(at("03:04:15"), begin));
        assertThat(machine.decide(begin, at("03:04:17.5")))
                .isEqualTo(new Fire(at("03:04:15"), at("03:04:17"), true));
    }

    @Test
    void aPauseOfTheProcessDoesNotEndInABurstOfAnInterval() {
        List<Fire> fired = run("{interval: 1s}", NOW, NOW.plusSeconds(20));
        assertThat(fired).hasSize(1);
    }

    @Test
    void aRestartWithinSecondsNeitherSkipsNorRepeatsATick() {
        // Down from 03:14:50 to 03:15:10.
        assertThat(run("{schedule: '*/15 * * * *'}", at("03:00:00"), at("03:15:10")))
                .containsExactly(new Fire(at("03:15:00"), at("03:15:00"), true));
        assertThat(run("{schedule: '*/15 * * * *'}", at("03:15:00"), at("03:15:10"))).isEmpty();
    }

    @Test
    void withoutCatchUpLongMissedTicksAreGone() {
        assertThat(run("{schedule: '*/15 * * * *'}", at("01:00:00"), at("03:14:59"))).isEmpty();
        CalendarMachine interval = machine("{interval: 1h}");
        Instant begin = interval.begin(at("01:00:00"), at("03:20:00"));
        assertThat(begin).isEqualTo(at("03:20:00"));
        assertThat(interval.decide(at("01:00:00"), at("03:20:00")))
                .isEqualTo(new Wait(at("04:20:00"), at("03:20:00")));
    }

    @Test
    void withCatchUpEveryMissedTickFiresInOrder() {
        String yaml = "{schedule: '*/15 * * * *', persistence: {catchup: {enabled: true}}}";
        assertThat(run(yaml, at("02:15:00"), at("03:04:00")))
                .extracting(Fire::scheduled)
                .containsExactly(at("02:30:00"), at("02:45:00"), at("03:00:00"));
        String interval = "{interval: 20m, persistence: {catchup: {enabled: true}}}";
        assertThat(run(interval, at("02:15:00"), at("03:04:00")))
                .extracting(Fire::scheduled)
                .containsExactly(at("02:35:00"), at("02:55:00"));
    }

    @Test
    void catchUpGoesBackNoFurtherThanAllowed() {
        String yaml =
                "{schedule: '*/15 * * * *', persistence: {catchup: {enabled: true, maxDuration: 20m}}}";
        assertThat(run(yaml, at("00:00:00"), at("03:04:00")))
                .extracting(Fire::scheduled)
                .containsExactly(at("02:45:00"), at("03:00:00"));
    }

    @Test
    void nothingStoredBeginsNow() {
        assertThat(
                        machine("{schedule: '* * * * *', persistence: {catchup: {enabled: true}}}")
                                .begin(null, NOW))
                .isEqualTo(NOW);
    }

    @Test
    void aClockThatWentBackRepeatsNothing() {
        CalendarMachine machine = machine("{schedule: '* * * * *'}");
        assertThat(machine.decide(at("03:10:00"), at("03:05:00")))
                .isEqualTo(new Wait(at("03:11:00"), at("03:10:00")));
    }

    @Test
    void excludedDaysAreThoseOfTheZone() {
        // 2026-01-03 in Tokyo begins at 15:00 UTC of the 2nd.
        CalendarMachine machine =
                machine(
                        "{schedule: '0 1 * * *', timezone: Asia/Tokyo, exclusionDates: ['EXDATE:20260103T000000Z,20260104T120000Z', '20260105T000000Z']}");
        assertThat(machine.decide(NOW, NOW))
                .isEqualTo(new Wait(Instant.parse("2026-01-04T16:00:00Z"), NOW));
    }

    @Test
    void summerTimeFollowsTheWallClock() {
        String spring = "{schedule: '30 2 * * *', timezone: America/New_York}";
        Instant before = Instant.parse("2026-03-07T17:00:00Z");
        assertThat(machine(spring).decide(before, before))
                .isEqualTo(new Wait(Instant.parse("2026-03-09T06:30:00Z"), before));
        String autumn =
                "{schedule: '30 1 * * *', timezone: America/New_York, persistence: {catchup: {enabled: true}}}";
        assertThat(
                        run(
                                autumn,
                                Instant.parse("2026-10-31T16:00:00Z"),
                                Instant.parse("2026-11-01T12:00:00Z")))
                .extracting(Fire::scheduled)
                .containsExactly(
                        Instant.parse("2026-11-01T05:30:00Z"),
                        Instant.parse("2026-11-01T06:30:00Z"));
    }

    @Test
    void mistakesNameTheFieldAndTheCure() {
        refused("{schedule: '@daily'}", "parser does not accept descriptors: @daily");
        refused("{schedule: '* * * * * *'}", "expected exactly 5 fields");
        refused("{schedule: '0 0 31 2 *'}", "no time within five years");
        refused("{}", "write a schedule or an interval");
        refused("{interval: soon}", "interval 'soon' cannot be read");
        refused("{interval: 0s}", "not above zero");
        refused("{interval: 1s, timezone: Mars/Base}", "timezone 'Mars/Base' is unknown");
        refused("{interval: 1s, exclusionDates: ['EXDATE:2026-01-01']}", "EXDATE:20260102T150405Z");
        assertThat(plan("{interval: 1s, exclusionDates: ['20260101T000000Z']}").warning())
                .contains("ignored: 20260101T000000Z");
    }

    @Test
    void whateverTheRestartsEveryTickFiresOnceWithCatchUp() {
        for (int round = 0; round < 200; round++) {
            Random random = new Random(round);
            CalendarMachine machine =
                    machine("{schedule: '*/7 * * * *', persistence: {catchup: {enabled: true}}}");
            Instant now = NOW;
            Instant stored = machine.begin(null, now);
            List<Instant> fired = new ArrayList<>();
            while (now.isBefore(NOW.plus(Duration.ofHours(3)))) {
                Instant position = machine.begin(stored, now);
                // One life of the process: some looks at the clock, then it is gone.
                for (int look = random.nextInt(5); look >= 0; look--) {
                    switch (machine.decide(position, now)) {
                        case Wait wait -> position = wait.position();
                        case Fire fire -> {
                            fired.add(fire.scheduled());
                            position = fire.position();
                            stored = position;
                        }
                        case CalendarMachine.Never _ -> throw new AssertionError("seed " + round);
                    }
                    now = now.plusSeconds(random.nextInt(300));
                }
                now = now.plusSeconds(random.nextInt(1200));
            }
            List<Instant> expected = new ArrayList<>();
            for (Instant t = at("03:07:00"); expected.size() < fired.size(); t = next(t)) {
                expected.add(t);
            }
            assertThat(fired).as("seed " + round).isNotEmpty().isEqualTo(expected);
        }
    }

    /** Minutes 0, 7, … 56, and then 0 again. */
    private static Instant next(Instant t) {
        boolean last = t.toString().contains(":56:00");
        return t.plus(Duration.ofMinutes(last ? 4 : 7));
    }

    private static List<Fire> run(String yaml, Instant stored, Instant now) {
        CalendarMachine machine = machine(yaml);
        List<Fire> fired = new ArrayList<>();
        Instant position = machine.begin(stored, now);
        while (machine.decide(position, now) instanceof Fire fire) {
            fired.add(fire);
            position = fire.position();
        }
        return fired;
    }

    private static void refused(String yaml, String reason) {
        assertThatThrownBy(() -> plan(yaml))
                .isInstanceOf(EntryConfigurationException.class)
                .hasMessageContaining(reason);
    }

    private static CalendarMachine machine(String yaml) {
        return new CalendarMachine(plan(yaml));
    }

    private static CalendarPlan plan(String yaml) {
        return CalendarPlan.of(
                Json.convert(
                        YamlReader.read("test", yaml).documents().getFirst().tree(),
                        CalendarSource.class),
                NOW);
    }

    private static Instant at(String time) {
        return Instant.parse("2026-01-02T" + time + "Z");
    }
}
