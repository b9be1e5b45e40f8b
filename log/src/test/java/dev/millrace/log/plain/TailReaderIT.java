package dev.millrace.log.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.ManifestKey;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.Producers;
import dev.millrace.schemas.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class TailReaderIT {

    @TempDir static Path folder;
    private static BrokerFixture fixture;

    @BeforeAll
    static void start() {
        fixture = new BrokerFixture(folder, 2);
    }

    @AfterAll
    static void stop() {
        fixture.close();
    }

    @Test
    void itTellsWhenItHasCaughtUpAndGoesOnFromItsPositions() throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        for (int i = 0; i < 20; i++) {
            send(Topics.STEPS, i % 2, "v" + i);
        }
        fixture.producer.flush();
        Positions positions;
        try (var reader = reader(Topics.STEPS, Positions.START, seen)) {
            reader.caughtUp().get(20, TimeUnit.SECONDS);
            assertThat(seen).hasSize(20);
            assertThat(reader.health().isReady()).isTrue();
            positions = Positions.parse(reader.positions().toString());
        }
        assertThat(positions).hasToString("0:10,1:10");
        seen.clear();
        try (var reader = reader(Topics.STEPS, positions, seen)) {
            var waited = reader.seen(1, 10);
            assertThat(waited).isNotDone();
            send(Topics.STEPS, 1, "new");
            waited.get(20, TimeUnit.SECONDS);
            assertThat(seen).containsExactly("new");
            var vain = reader.seen(1, 1_000);
            reader.close();
            assertThatThrownBy(() -> vain.get(1, TimeUnit.SECONDS))
                    .hasMessageContaining("is closed");
        }
    }

    @Test
    void openTransactionsAreNotSeenAndTheirEndsAreCounted() throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        try (var producer = Producers.transactional(fixture.log, "tx", "tx")) {
            producer.initTransactions();
            producer.beginTransaction();
            producer.send(record(Topics.SOURCE_STATE, 0, "aborted")).get();
            producer.abortTransaction();
            producer.beginTransaction();
            producer.send(record(Topics.SOURCE_STATE, 0, "committed")).get();
            producer.commitTransaction();
            try (var reader = reader(Topics.SOURCE_STATE, Positions.START, seen)) {
                reader.caughtUp().get(20, TimeUnit.SECONDS);
                assertThat(seen).containsExactly("committed");
                assertThat(reader.positions().next(0)).isEqualTo(4);
            }
        }
    }

    @Test
    void aBatchThatFailsComesAgainAndGarbageIsSkipped() throws Exception {
        List<String> seen = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean failed = new AtomicBoolean();
        fixture.producer.send(
                new ProducerRecord<>(Topics.STATUS, 0, "k", "{".getBytes(StandardCharsets.UTF_8)));
        send(Topics.STATUS, 0, "good");
        fixture.producer.flush();
        try (var reader =
                TailReader.start(
                        fixture.log,
                        "failing",
                        Topics.STATUS,
                        Positions.START,
                        JsonSerde.of(String.class),
                        (batch, _) -> {
                            if (failed.compareAndSet(false, true)) {
                                throw new IllegalStateException("the database is away");
                            }
                            batch.forEach(r -> seen.add(r.requiredValue()));
                        })) {
            reader.caughtUp().get(20, TimeUnit.SECONDS);
            assertThat(failed).isTrue();
            assertThat(seen).containsExactly("good");
        }
    }

    @Test
    void manifestsAreCachedVersionedAndTold() throws Exception {
        ManifestKey key = new ManifestKey("Sensor", "ns", "s");
        JsonNode one = Json.object().put("n", 1);
        JsonNode two = Json.object().put("n", 2);
        List<String> told = Collections.synchronizedList(new ArrayList<>());
        try (var manifests = ManifestLog.start(fixture.log, fixture.producer)) {
            long first = manifests.put(key, one).get();
            manifests.put(new ManifestKey("Sensor", "ns2", "s"), one).get();
            manifests.seen(first).get(20, TimeUnit.SECONDS);
            assertThat(manifests.find(key))
                    .hasValueSatisfying(m -> assertThat(m.version()).isEqualTo(first));
            manifests.subscribe(
                    new ManifestLog.Listener() {
                        @Override
                        public void changed(ManifestLog.Stored manifest) {
                            told.add(manifest.key() + " " + manifest.manifest());
                        }

                        @Override
                        public void deleted(ManifestKey gone, long version) {
                            told.add(gone + " deleted");
                        }
                    });
            manifests.put(key, two).get();
            long last = manifests.delete(key).get();
            manifests.seen(last).get(20, TimeUnit.SECONDS);
            assertThat(manifests.find(key)).isEmpty();
            assertThat(manifests.list("Sensor", "ns")).isEmpty();
            assertThat(manifests.list("Sensor")).hasSize(1);
        }
        assertThat(told)
                .contains("Sensor/ns/s {\"n\":1}")
                .endsWith("Sensor/ns/s {\"n\":2}", "Sensor/ns/s deleted");
    }

    private static TailReader<String> reader(String topic, Positions from, List<String> seen) {
        return TailReader.start(
                fixture.log,
                "reader",
                topic,
                from,
                JsonSerde.of(String.class),
                (batch, _) -> batch.forEach(r -> seen.add(r.requiredValue())));
    }

    private static void send(String topic, int partition, String value) {
        fixture.producer.send(record(topic, partition, value));
    }

    private static ProducerRecord<String, byte[]> record(
            String topic, int partition, String value) {
        return new ProducerRecord<>(
                topic, partition, "k", JsonSerde.of(String.class).encode(value));
    }
}
