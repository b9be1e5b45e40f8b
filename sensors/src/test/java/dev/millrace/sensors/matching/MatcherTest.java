package dev.millrace.sensors.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import dev.millrace.schemas.record.StatusRecord;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class MatcherTest {

    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");

    private final List<StatusRecord> statuses = new ArrayList<>();
    private final List<String> deleted = new ArrayList<>();
    private final SensorRegistry registry =
            new SensorRegistry(
                    new SensorRegistry.StatusSink() {
                        @Override
                        public void put(StatusRecord status) {
                            statuses.add(status);
                        }

                        @Override
                        public void delete(String namespace, String name) {
                            deleted.add(namespace + "/" + name);
                        }
                    },
                    InstantSource.fixed(NOW));

    private static final String TWO =
            """
            dependencies:
            - {name: a, eventSourceName: es, eventName: x}
            - {name: a-too, eventSourceName: es, eventName: x}
            - {name: b, eventSourceName: es, eventName: why}
            triggers:
            - template: {name: one, conditions: a, log: {}}
            - template: {name: either, conditions: a || b, log: {}}
            - template: {name: both, conditions: a && b, log: {}}
            - template: {name: every, log: {}}
            """;

    @Test
    void aTriggerThatNeedsOneEventFiresAtOnceAndOthersAreMatched() {
        sensor("s", 3, TWO);
        Matching matching = match("x", "1");
        assertThat(matching.activations())
                .extracting(Activation::trigger)
                .containsExactlyInAnyOrder("one", "either");
        assertThat(matching.matches())
                .extracting(m -> m.trigger() + "/" + m.dependency())
                .containsExactlyInAnyOrder("both/a", "every/a", "every/a-too");
        assertThat(matching.decisions()).hasSize(5).allMatch(d -> d.manifestVersion() == 3);
    }

    @Test
    void anEventOfAnotherNamespaceOrSourceOrNameMeansNothing() {
        sensor("s", 3, TWO);
        Matcher matcher = registry.matcher();
        assertThat(matcher.match(event("other", "es", "x", "1"), null, NOW).decisions()).isEmpty();
        assertThat(matcher.match(event("ns", "et", "x", "1"), null, NOW).decisions()).isEmpty();
        assertThat(matcher.match(event("ns", "es", "z", "1"), null, NOW).decisions()).isEmpty();
    }

    @Test
    void theIdOfAnActivationFollowsFromItsEventsAndTheReplay() {
        sensor("s", 3, TWO);
        EventRef event = event("ns", "es", "why", "1");
        Activation first = registry.matcher().match(event, null, NOW).activations().getFirst();
        Activation again =
                registry.matcher().match(event, null, NOW.plusSeconds(9)).activations().getFirst();
        Activation replayed = registry.matcher().match(event, "run", NOW).activations().getFirst();
        assertThat(again.id()).isEqualTo(first.id());
        assertThat(replayed.id()).isNotEqualTo(first.id());
    }

    @Test
    void whatIsFilteredIsToldWithTheReason() {
        sensor(
                "s",
                1,
                """
                dependencies:
                - name: a
                  eventSourceName: es
                  eventName: x
                  filters: {data: [{path: num, type: number, value: ['1']}]}
                triggers:
                - template: {name: one, log: {}}
                """);
        Matching matching = match("x", "1");
        assertThat(matching.activations()).isEmpty();
        assertThat(matching.decisions())
                .singleElement()
                .satisfies(
                        d -> {
                            assertThat(d.outcome()).isEqualTo("filtered");
                            assertThat(d.reason()).contains("path 'num' does not exist");
                        });
    }

    @Test
    void aBadConditionStopsItsTriggerAndNoOther() {
        sensor(
                "s",
                1,
                """
                dependencies: [{name: a, eventSourceName: es, eventName: x}]
                triggers:
                - template: {name: bad, conditions: a && nobody, log: {}}
                - template: {name: good, log: {}}
                """);
        assertThat(match("x", "1").activations())
                .extracting(Activation::trigger)
                .containsExactly("good");
        StatusRecord status = statuses.getLast();
        assertThat(status.entries().get("bad").message()).contains("unknown name nobody");
        assertThat(status.entries().get("bad").message())
                .contains("spec.triggers[0].template.conditions");
        assertThat(status.entries().get("good").state()).isEqualTo("Active");
    }

    @Test
    void aTransformStopsTheTriggersThatNeedItsDependency() {
        sensor(
                "s",
                1,
                """
                dependencies:
                - {name: a, eventSourceName: es, eventName: x, transform: {jq: .}}
                - {name: b, eventSourceName: es, eventName: x}
                triggers:
                - template: {name: stopped, conditions: a, log: {}}
                - template: {name: runs, conditions: b, log: {}}
                """);
        Matching matching = match("x", "1");
        assertThat(matching.activations()).extracting(Activation::trigger).containsExactly("runs");
        assertThat(matching.decisions())
                .filteredOn(d -> "stopped".equals(d.trigger()))
                .extracting(Decision::outcome)
                .containsExactly("failed");
    }

    @Test
    void aSensorThatCannotBeReadLeavesOthersAlone() {
        sensor("good", 1, TWO);
        sensor(
                "bad",
                2,
                """
                dependencies:
                - name: a
                  eventSourceName: es
                  eventName: x
                  filters: {data: [{path: num, type: number, value: [5]}]}
                triggers: [{template: {name: t, log: {}}}]
                """);
        assertThat(match("x", "1").activations()).hasSize(2);
        assertThat(statuses.getLast().conditions())
                .anySatisfy(
                        c -> {
                            assertThat(c.reason()).isEqualTo("InvalidSpec");
                            assertThat(c.message()).contains("value");
                        });
    }

    @Test
    void aDeletedSensorIsGoneAndItsSuccessorKnowsWhenItBegan() {
        sensor("s", 1, TWO);
        registry.deleted(new ManifestKey("Sensor", "ns", "s"), 4);
        assertThat(match("x", "1").decisions()).isEmpty();
        assertThat(deleted).containsExactly("ns/s");
        sensor("s", 5, TWO);
        assertThat(match("x", "1").matches()).extracting(SensorMatch::since).containsOnly(4L);
    }

    private Matching match(String name, String id) {
        return registry.matcher().match(event("ns", "es", name, id), null, NOW);
    }

    private void sensor(String name, long version, String spec) {
        JsonNode tree =
                YamlReader.read(
                                "test",
                                """
                                apiVersion: argoproj.io/v1alpha1
                                kind: Sensor
                                metadata: {name: NAME, namespace: ns}
                                spec:
                                """
                                                .replace("NAME", name)
                                        + spec.indent(2))
                        .documents()
                        .getFirst()
                        .tree();
        registry.changed(
                new ManifestLog.Stored(new ManifestKey("Sensor", "ns", name), tree, version));
    }

    private static EventRef event(String namespace, String source, String name, String id) {
        return new EventRef(
                id,
                namespace,
                source,
                name,
                "webhook",
                "1.0",
                "application/json",
                NOW,
                "{\"body\":{}}");
    }
}
