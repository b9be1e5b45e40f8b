package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.stream.EntityStore;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StoreWorkflowStateTest {
    private final KeyValueStore<String, byte[]> raw =
            Stores.keyValueStoreBuilder(
                            Stores.inMemoryKeyValueStore("s"), Serdes.String(), Serdes.ByteArray())
                    .withLoggingDisabled()
                    .withCachingDisabled()
                    .build();
    private final EntityStore store = new EntityStore(raw, 100);

    StoreWorkflowStateTest() {
        MockProcessorContext<Object, Object> context = new MockProcessorContext<>();
        raw.init(context.getStateStoreContext(), raw);
    }

    @AfterEach
    void close() {
        raw.close();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void childrenKeepTheirOrderOverPortionsOfAnySize(long seed) {
        Random random = new Random(seed);
        List<String> all = new ArrayList<>();
        for (int turn = 0; turn < 40; turn++) {
            StoreWorkflowState state = state();
            int from = all.size();
            List<String> added =
                    IntStream.range(from, from + random.nextInt(3 * ChildLists.CHUNK))
                            .mapToObj(i -> "c" + i)
                            .toList();
            state.addChildren("parent", added);
            all.addAll(added);
            assertThat(state.children("parent")).as("seed %d", seed).isEqualTo(all);
            state.flush();
            store.flush();
            assertThat(state().children("parent")).as("seed %d", seed).isEqualTo(all);
        }
    }

    @Test
    void aChildMoreOfThousandsWritesOneChunk() {
        StoreWorkflowState state = state();
        state.addChildren(
                "parent", IntStream.range(0, 10_000).mapToObj(i -> "child-" + i).toList());
        state.flush();
        store.flush();
        List<String> before = snapshot();
        StoreWorkflowState next = state();
        next.addChildren("parent", List.of("one more"));
        next.flush();
        store.flush();
        List<String> after = snapshot();
        after.removeAll(before);
        assertThat(after).hasSize(1);
    }

    @Test
    void aRemovedNodeTakesAllChunksOfItsChildrenAlong() {
        StoreWorkflowState state = state();
        state.addChildren("parent", IntStream.range(0, 1_000).mapToObj(i -> "child-" + i).toList());
        state.flush();
        store.flush();
        StoreWorkflowState next = state();
        next.removeNode("parent");
        next.flush();
        store.flush();
        assertThat(snapshot()).isEmpty();
    }

    @Test
    void nodesAreListedFromOneOnAndOnlyThoseOfTheWorkflow() {
        for (String name : List.of("wf", "wf-2")) {
            StoreWorkflowState state =
                    new StoreWorkflowState(
                            store,
                            new EntryKeys(raw),
                            new RecentSources(4, 1_000_000),
                            "ns/" + name);
            IntStream.range(0, 250)
                    .mapToObj(i -> node(name + "-" + (1000 + i)))
                    .forEach(state::putNode);
            state.flush();
            store.flush();
        }
        List<String> listed = new ArrayList<>();
        String after = "";
        for (int turn = 0; turn < 4; turn++) {
            List<String> portion = state().nodes(after, 100);
            listed.addAll(portion);
            after = portion.isEmpty() ? after : portion.getLast();
        }
        assertThat(listed).isEqualTo(state().nodes()).hasSize(250);
    }

    private static Node node(String id) {
        return Json.mapper()
                .readValue(
                        """
                        {"id": "%1$s", "name": "%1$s", "displayName": "%1$s", "type": "Pod", "templateScope": "local/wf",
                         "phase": "Succeeded", "startedAt": "2026-01-01T00:00:00Z"}
                        """
                                .formatted(id),
                        Node.class);
    }

    private StoreWorkflowState state() {
        return new StoreWorkflowState(
                store, new EntryKeys(raw), new RecentSources(4, 1_000_000), "ns/wf");
    }

    private List<String> snapshot() {
        List<String> entries = new ArrayList<>();
        try (var all = raw.all()) {
            all.forEachRemaining(
                    e ->
                            entries.add(
                                    e.key
                                            + "="
                                            + new String(
                                                    e.value,
                                                    java.nio.charset.StandardCharsets.UTF_8)));
        }
        return entries;
    }
}
