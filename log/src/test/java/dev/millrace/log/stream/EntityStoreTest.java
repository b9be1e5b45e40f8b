package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.Topics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class EntityStoreTest {

    private static final EntryType<String> NODE = EntryType.of("node", String.class);
    private static final EntryType<String> NODES = EntryType.of("nodes", String.class);

    private final KeyValueStore<String, byte[]> kafka = kafkaStore();
    private final EntityStore store = new EntityStore(kafka, 3);

    @Test
    void changesAreSeenInTheTurnAndAreGoneWhenDiscarded() {
        store.put("a", NODE, "1", "one");
        store.flush();
        store.put("a", NODE, "2", "two");
        store.delete("a", NODE, "1");
        assertThat(store.scan("a", NODE)).isEqualTo(Map.of("2", "two"));
        store.discard();
        assertThat(store.scan("a", NODE)).isEqualTo(Map.of("1", "one"));
        assertThat(store.get("a", NODE, "2")).isEmpty();
    }

    @Test
    void aValueThatItsChangelogCannotHoldIsRefusedAtOnce() {
        String large = "x".repeat(Topics.MAX_RECORD_BYTES);
        assertThatThrownBy(() -> store.put("a", NODE, "1", large))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("type node");
        assertThat(store.get("a", NODE, "1")).isEmpty();
    }

    @Test
    void neighboursInNameDoNotMix() {
        store.put("ns/a", NODE, "1", "a");
        store.put("ns/a", NODES, "1", "other type");
        store.put("ns/ab", NODE, "1", "ab");
        store.put("ns/a/b", NODE, "1", "a/b");
        store.flush();
        assertThat(store.scan("ns/a", NODE)).isEqualTo(Map.of("1", "a"));
    }

    @Test
    void anEntityIsDeletedInPortions() {
        for (int i = 0; i < 10; i++) {
            store.put("a", NODE, "n" + i, "v");
        }
        store.put("b", NODE, "n", "stays");
        store.flush();
        int turns = 1;
        while (!store.deleteSome("a", 4)) {
            store.flush();
            turns++;
        }
        store.flush();
        assertThat(turns).isEqualTo(3);
        assertThat(store.scan("a", NODE)).isEmpty();
        assertThat(store.get("b", NODE, "n")).contains("stays");
    }

    @RepeatedTest(20)
    void timersFireInOrderOfTimeAsInTheObviousModel(RepetitionInfo run) {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        TimerQueue timers = new TimerQueue(store);
        Map<String, Timer> model = new HashMap<>();
        long now = 0;
        for (int step = 0; step < 300; step++) {
            String entity = "e" + random.nextInt(3);
            String id = "t" + random.nextInt(5);
            switch (random.nextInt(4)) {
                case 0, 1 -> {
                    Instant due = Instant.ofEpochMilli(now + random.nextInt(100));
                    timers.set(entity, id, due);
                    model.put(entity + id, new Timer(entity, id, due));
                    if (random.nextInt(10) == 0) {
                        // A turn that failed: the timers are as before it.
                        store.discard();
                        model.clear();
                        for (int e = 0; e < 3; e++) {
                            timers.of("e" + e).forEach(t -> model.put(t.entity() + t.id(), t));
                        }
                    }
                }
                case 2 -> {
                    timers.cancel(entity, id);
                    model.remove(entity + id);
                }
                case 3 -> now += random.nextInt(40);
            }
            store.flush();
            Instant until = Instant.ofEpochMilli(now);
            List<Timer> fired = new ArrayList<>();
            List<Timer> due;
            while (!(due = timers.due(until, 2)).isEmpty()) {
                for (Timer timer : due) {
                    timers.cancel(timer.entity(), timer.id());
                    store.flush();
                    fired.add(timer);
                }
            }
            List<Timer> expected =
                    model.values().stream().filter(t -> !t.due().isAfter(until)).toList();
            assertThat(fired)
                    .as("seed %d step %d", seed, step)
                    .containsExactlyInAnyOrderElementsOf(expected)
                    .isSortedAccordingTo(Comparator.comparing(Timer::due));
            model.values().removeAll(expected);
        }
    }

    private static KeyValueStore<String, byte[]> kafkaStore() {
        var context = new MockProcessorContext<Void, Void>();
        KeyValueStore<String, byte[]> store =
                Stores.keyValueStoreBuilder(
                                Stores.inMemoryKeyValueStore("s"),
                                Serdes.String(),
                                Serdes.ByteArray())
                        .withLoggingDisabled()
                        .withCachingDisabled()
                        .build();
        store.init(context.getStateStoreContext(), store);
        return store;
    }
}
