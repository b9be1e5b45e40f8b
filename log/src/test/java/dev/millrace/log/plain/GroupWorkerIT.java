package dev.millrace.log.plain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.Health;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupWorkerIT {

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
    void theOffsetStaysBelowARecordThatIsNotDoneAndTheNextOwnerGetsIt() throws Exception {
        String topic = Topics.STEPS;
        List<String> first = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch never = new CountDownLatch(1);
        for (String value : List.of("a", "stuck", "b", "c")) {
            send(topic, 0, "key-" + value, value);
        }
        try (var worker =
                worker(
                        "stuck",
                        topic,
                        WorkerOptions.DEFAULT.withCloseTimeout(Duration.ofMillis(200)),
                        record -> {
                            if (record.requiredValue().equals("stuck")) {
                                never.await();
                            }
                            first.add(record.requiredValue());
                        })) {
            BrokerFixture.until(() -> first.size() == 3);
            assertThat(worker.inFlight()).isEqualTo(1);
        }
        assertThat(first).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(committed("stuck", topic, 0)).isEqualTo(1);
        List<String> second = Collections.synchronizedList(new ArrayList<>());
        try (var worker =
                worker("stuck", topic, WorkerOptions.DEFAULT, r -> second.add(r.requiredValue()))) {
            BrokerFixture.until(() -> second.size() == 3 && worker.inFlight() == 0);
        }
        assertThat(second).containsExactlyInAnyOrder("stuck", "b", "c");
        assertThat(committed("stuck", topic, 0)).isEqualTo(4);
    }

    @Test
    void recordsOfAKeyKeepTheirOrderAndOthersOvertakeThem() {
        String topic = Topics.STEP_RESULTS;
        Map<String, ConcurrentLinkedQueue<Integer>> seen = new ConcurrentHashMap<>();
        Set<String> atOnce = ConcurrentHashMap.newKeySet();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 200; i++) {
            send(topic, i % 2, "key" + i % 10, Integer.toString(i));
        }
        AtomicInteger done = new AtomicInteger();
        try (var worker =
                worker(
                        "ordered",
                        topic,
                        WorkerOptions.DEFAULT.withConcurrency(8),
                        record -> {
                            String key = String.valueOf(record.key());
                            assertThat(atOnce.add(key)).isTrue();
                            most.accumulateAndGet(atOnce.size(), Math::max);
                            Thread.sleep(1);
                            seen.computeIfAbsent(key, _ -> new ConcurrentLinkedQueue<>())
                                    .add(Integer.parseInt(record.requiredValue()));
                            atOnce.remove(key);
                            done.incrementAndGet();
                        })) {
            BrokerFixture.until(() -> done.get() == 200);
            assertThat(worker.health()).isInstanceOf(Health.Ready.class);
        }
        seen.values().forEach(numbers -> assertThat(List.copyOf(numbers)).isSorted().hasSize(20));
        assertThat(most.get()).isBetween(2, 8);
    }

    @Test
    void infrastructureIsTriedAgainAndBugsAndGarbageAreBuried() throws Exception {
        String topic = Topics.TRIGGER_RETRIES;
        send(topic, 0, "flaky", "flaky");
        send(topic, 0, "bug", "bug");
        fixture.producer.send(
                new ProducerRecord<>(topic, 0, "bad", "{".getBytes(StandardCharsets.UTF_8)));
        send(topic, 0, "fine", "fine");
        AtomicInteger attempts = new AtomicInteger();
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (var worker =
                worker(
                        "failing",
                        topic,
                        WorkerOptions.DEFAULT,
                        record -> {
                            String value = record.requiredValue();
                            if (value.equals("flaky") && attempts.incrementAndGet() < 3) {
                                throw new IOException("the disk is away");
                            }
                            if (value.equals("bug")) {
                                throw new IllegalStateException("a bug");
                            }
                            done.add(value);
                        })) {
            BrokerFixture.until(
                    () -> worker.health() instanceof Health.Retrying || attempts.get() == 3);
            BrokerFixture.until(() -> done.size() == 2 && worker.health().isReady());
        }
        assertThat(done).containsExactlyInAnyOrder("flaky", "fine");
        assertThat(attempts).hasValue(3);
        var letters =
                fixture.read(
                        Topics.DEAD_LETTERS,
                        seen ->
                                seen.stream()
                                                .filter(
                                                        r ->
                                                                String.valueOf(r.key())
                                                                        .startsWith(topic))
                                                .count()
                                        == 2);
        assertThat(letters.toString())
                .contains("a bug")
                .contains("is not readable")
                .contains("ew==");
        assertThat(committed("failing", topic, 0)).isEqualTo(4);
    }

    @Test
    void anOffsetThatIsGoneIsAnErrorThatShowsAndWorkGoesOn() throws Exception {
        String topic = Topics.ACTIVATIONS;
        Set<String> done = ConcurrentHashMap.newKeySet();
        send(topic, 0, "k", "first");
        try (var _ =
                worker("away", topic, WorkerOptions.DEFAULT, r -> done.add(r.requiredValue()))) {
            BrokerFixture.until(() -> done.size() == 1);
        }
        IntStream.range(0, 10).forEach(i -> send(topic, 0, "k", "n" + i));
        try (Admin admin = Admin.create(fixture.log.clientSettings())) {
            admin.deleteRecords(
                            Map.of(new TopicPartition(topic, 0), RecordsToDelete.beforeOffset(6)))
                    .all()
                    .get();
        }
        try (var worker =
                worker("away", topic, WorkerOptions.DEFAULT, r -> done.add(r.requiredValue()))) {
            BrokerFixture.until(() -> done.contains("n9"));
            assertThat(done).contains("n5").doesNotContain("n4");
            assertThat(worker.health())
                    .isInstanceOfSatisfying(
                            Health.LostRecords.class,
                            lost -> assertThat(lost.what()).contains("records 1 to 5"));
        }
        fixture.read(
                Topics.DEAD_LETTERS,
                seen ->
                        seen.stream()
                                .anyMatch(
                                        r -> String.valueOf(r.value()).contains("records 1 to 5")));
    }

    @Test
    void aSecondMemberTakesPartitionsOverWithoutLossOrDeadLetters() {
        String topic = Topics.DECISIONS;
        Map<String, AtomicInteger> times = new ConcurrentHashMap<>();
        RecordHandler<String> count =
                r ->
                        times.computeIfAbsent(r.requiredValue(), _ -> new AtomicInteger())
                                .incrementAndGet();
        try (var first = worker("shared", topic, WorkerOptions.DEFAULT, count)) {
            for (int i = 0; i < 300; i++) {
                send(topic, i % 2, "k" + i, "v" + i);
            }
            try (var second = worker("shared", topic, WorkerOptions.DEFAULT, count)) {
                for (int i = 300; i < 600; i++) {
                    send(topic, i % 2, "k" + i, "v" + i);
                }
                BrokerFixture.until(
                        () ->
                                times.size() == 600
                                        && first.health().isReady()
                                        && second.health().isReady());
            }
        }
        // An orderly change of owners commits first, so nothing is done twice.
        assertThat(times.values()).allSatisfy(n -> assertThat(n).hasValue(1));
    }

    private static GroupWorker<String> worker(
            String group, String topic, WorkerOptions options, RecordHandler<String> handler) {
        return GroupWorker.start(
                fixture.log,
                group,
                List.of(topic),
                JsonSerde.of(String.class),
                handler,
                fixture.deadLetters,
                options);
    }

    private static void send(String topic, int partition, String key, String value) {
        fixture.producer.send(
                new ProducerRecord<>(
                        topic, partition, key, JsonSerde.of(String.class).encode(value)));
    }

    private static long committed(String group, String topic, int partition) throws Exception {
        fixture.producer.flush();
        try (Admin admin = Admin.create(fixture.log.clientSettings())) {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get()
                    .get(new TopicPartition(topic, partition))
                    .offset();
        }
    }
}
