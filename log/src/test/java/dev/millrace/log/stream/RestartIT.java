package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.ChildJvm;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartIT {

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "instance, ROCKSDB, true",
        "instance, ROCKSDB, false",
        "instance, MEMORY, false",
        "none, ROCKSDB, true"
    })
    void afterAKillNewRecordsComeOutWithinSecondsAndNothingCountsTwice(
            String instance, String medium, boolean transactionalStores) throws Exception {
        try (var app =
                new ChildJvm(
                        KilledApp.class,
                        folder.toString(),
                        instance,
                        medium,
                        Boolean.toString(transactionalStores))) {
            app.awaitLine("worked");
            app.kill();
        }
        long start = System.nanoTime();
        try (var fixture = new BrokerFixture(folder, 2);
                var app =
                        CountingApp.start(
                                KilledApp.log(fixture, instance.equals("instance")),
                                folder,
                                EntityStore.Medium.valueOf(medium),
                                Duration.ofSeconds(3),
                                transactionalStores)) {
            long broker = System.nanoTime();
            for (int partition = 0; partition < 2; partition++) {
                fixture.producer
                        .send(
                                new ProducerRecord<>(
                                        Topics.WORKFLOW_COMMANDS,
                                        partition,
                                        "ns/new" + partition,
                                        JsonSerde.of(String.class).encode("x")))
                        .get();
            }
            fixture.read(Topics.STEPS, seen -> count(seen, "\"x 1\"") == 2);
            Duration out = Duration.ofNanos(System.nanoTime() - broker);
            System.out.printf(
                    "%s %s transactional=%s: broker after %d ms, records out %d ms later%n",
                    instance,
                    medium,
                    transactionalStores,
                    (broker - start) / 1_000_000,
                    out.toMillis());
            List<LogRecord<String>> all =
                    fixture.read(Topics.STEPS, seen -> count(seen, "\"fired later\"") == 50);
            // Each input of an entity has its own number, in order, without a gap or a repeat.
            Map<String, List<String>> byEntity =
                    all.stream()
                            .filter(r -> String.valueOf(r.key()).startsWith("ns/busy"))
                            .collect(
                                    Collectors.groupingBy(
                                            r -> String.valueOf(r.key()),
                                            Collectors.mapping(
                                                    LogRecord::requiredValue,
                                                    Collectors.toList())));
            byEntity.forEach(
                    (entity, outputs) -> {
                        for (int i = 0; i < outputs.size(); i++) {
                            assertThat(outputs.get(i)).endsWith(" " + (i + 1) + "\"");
                        }
                    });
            assertThat(out).isLessThan(Duration.ofSeconds(15));
            assertThat(app.health().isReady()).isTrue();
        }
    }

    private static long count(List<LogRecord<String>> seen, String value) {
        return seen.stream().filter(r -> value.equals(r.value())).count();
    }
}
