package dev.millrace.eventsources;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogRecord;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.CloudEventRecords;
import dev.millrace.schemas.record.SourceState;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.TestBroker;
import dev.millrace.testkit.TestRecords;
import io.cloudevents.CloudEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CalendarIT {

    @RegisterExtension static final TestBroker BROKER = new TestBroker();

    private static TestRecords records;

    @BeforeAll
    static void start() {
        records = BROKER.records();
    }

    @AfterAll
    static void stop() {
        records.close();
    }

    @Test
    void ticksComeAsEventsAndTheirPositionsWithThem() {
        try (RunningEventSources sources = sources()) {
            ManifestKey key = sources.put(manifest("ticks", "{interval: 1s, metadata: {k: v}}"));
            sources.awaitState(key, "tick", "Active");
            List<LogRecord<CloudEvent>> events =
                    events("default/ticks/tick", seen -> seen.size() >= 3);
            CloudEvent event = events.getFirst().requiredValue();
            assertThat(event.getType()).isEqualTo("calendar");
            assertThat(event.getSource()).hasToString("ticks");
            assertThat(event.getId()).matches("[0-9a-f]{32}");
            assertThat(new String(event.getData().toBytes(), StandardCharsets.UTF_8))
                    .matches(
                            "\\{\"eventTime\":\"\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)? \\+0000 UTC\",\"metadata\":\\{\"k\":\"v\"}}");
            String second = scheduled(events.get(1)).toString();
            records.read(
                    Topics.SOURCE_STATE,
                    SourceState.class,
                    seen ->
                            seen.stream()
                                    .anyMatch(
                                            r ->
                                                    "default/ticks/tick".equals(r.key())
                                                            && r.value() != null
                                                            && r.value()
                                                                    .position()
                                                                    .equals(second + " 1s Z")));
        }
    }

    @Test
    void aRestartGoesOnWhereTheLastTickWas() {
        String yaml = manifest("again", "{interval: 1s, persistence: {catchup: {enabled: true}}}");
        try (RunningEventSources sources = sources()) {
            sources.put(yaml);
            events("default/again/tick", seen -> seen.size() >= 2);
        }
        int before = events("default/again/tick", seen -> seen.size() >= 2).size();
        try (RunningEventSources sources = sources()) {
            sources.put(yaml);
            events("default/again/tick", seen -> seen.size() >= before + 3);
        }
        assertEverySecondOnce(events("default/again/tick", seen -> seen.size() >= before + 3));
    }

    @Test
    void aNewScheduleMakesUpForNothing() {
        // An hour ago, by another rule.
        put("edited", Instant.now().minusSeconds(3600) + " 1h Z");
        Instant begin = Instant.now();
        try (RunningEventSources sources = sources()) {
            sources.put(
                    manifest("edited", "{interval: 1s, persistence: {catchup: {enabled: true}}}"));
            List<LogRecord<CloudEvent>> events =
                    events("default/edited/tick", seen -> !seen.isEmpty());
            assertThat(scheduled(events.getFirst())).isAfterOrEqualTo(begin);
        }
    }

    @Test
    void whatWasMissedWhileNobodyRanIsMadeUpFor() {
        Instant hourAgo = Instant.now().minusSeconds(3600).truncatedTo(ChronoUnit.SECONDS);
        put("missed", hourAgo + " 10m Z");
        try (RunningEventSources sources = sources()) {
            sources.put(
                    manifest("missed", "{interval: 10m, persistence: {catchup: {enabled: true}}}"));
            LogRecord<CloudEvent> first =
                    events("default/missed/tick", seen -> seen.size() >= 6).getFirst();
            assertThat(scheduled(first)).isEqualTo(hourAgo.plusSeconds(600));
            String eventTime =
                    scheduled(first).toString().replace('T', ' ').replace("Z", " +0000 UTC");
            assertThat(first.requiredValue().getData().toBytes())
                    .asString(StandardCharsets.UTF_8)
                    .isEqualTo("{\"eventTime\":\"" + eventTime + "\"}");
        }
    }

    private static void put(String name, String position) {
        records.send(
                Topics.SOURCE_STATE,
                "default/" + name + "/tick",
                new SourceState("default", name, "tick", position, Instant.now()));
    }

    @Test
    void ofTwoProcessesOneFiresAndTheOtherTakesOver() {
        String yaml = manifest("pair", "{interval: 1s, persistence: {catchup: {enabled: true}}}");
        RunningEventSources first = sources();
        try (RunningEventSources second = sources()) {
            try (first) {
                first.put(yaml);
                second.put(yaml);
                events("default/pair/tick", seen -> seen.size() >= 3);
            }
            int before = events("default/pair/tick", seen -> seen.size() >= 3).size();
            events("default/pair/tick", seen -> seen.size() >= before + 3);
        }
        assertEverySecondOnce(events("default/pair/tick", seen -> seen.size() >= 6));
    }

    @Test
    void aTickThatTheFilterDropsIsCountedAndLeavesNoEvent() {
        try (RunningEventSources sources = sources()) {
            sources.put(manifest("none", "{interval: 1s, filter: {expression: 'false'}}"));
            Await.until("ticks are dropped", () -> sources.total("filtered") >= 2);
            assertThat(sources.total("published")).isZero();
        }
    }

    @Test
    void anEntryThatIsGoneLeavesNoPositionBehind() {
        try (RunningEventSources sources = sources()) {
            ManifestKey key = sources.put(manifest("gone", "{schedule: '0 0 1 1 *'}"));
            sources.awaitState(key, "tick", "Active");
            sources.delete(key);
            records.read(
                    Topics.SOURCE_STATE,
                    SourceState.class,
                    seen ->
                            seen.stream()
                                    .anyMatch(
                                            r ->
                                                    "default/gone/tick".equals(r.key())
                                                            && r.value() == null));
        }
    }

    private static void assertEverySecondOnce(List<LogRecord<CloudEvent>> events) {
        Instant first = scheduled(events.getFirst());
        for (int i = 0; i < events.size(); i++) {
            assertThat(scheduled(events.get(i))).isEqualTo(first.plusSeconds(i));
        }
    }

    private static Instant scheduled(LogRecord<CloudEvent> record) {
        return Instant.parse(String.valueOf(record.requiredValue().getExtension("scheduledtime")));
    }

    private static RunningEventSources sources() {
        return new RunningEventSources(BROKER.log(), (namespace, name, key) -> Optional.empty());
    }

    private static List<LogRecord<CloudEvent>> events(
            String key, Predicate<List<LogRecord<CloudEvent>>> until) {
        return records
                .read(
                        Topics.EVENTS,
                        new CloudEventRecords(),
                        Duration.ofSeconds(30),
                        seen -> until.test(of(key, seen)))
                .stream()
                .filter(r -> key.equals(r.key()))
                .toList();
    }

    private static List<LogRecord<CloudEvent>> of(String key, List<LogRecord<CloudEvent>> seen) {
        return seen.stream().filter(r -> key.equals(r.key())).toList();
    }

    private static String manifest(String name, String config) {
        return "{apiVersion: argoproj.io/v1alpha1, kind: EventSource, metadata: {name: %s}, spec: {calendar: {tick: %s}}}"
                .formatted(name, config);
    }
}
