package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogConnection;
import dev.millrace.log.serde.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AskedCommitsTest {

    private static final long NOW = 1_000_007;

    @TempDir Path folder;

    private final Pace pace = new Pace();
    private final CoreProcessor<String> processor =
            new CoreProcessor<>(
                    new CountingApp(Duration.ofDays(1)), CoreOptions.of(CountingApp.STORE, "dead"));

    @Test
    void whatComesAloneIsCommittedAtOnce() {
        MockProcessorContext<String, Object> context = started(true);
        pace.received(1);
        take("a");
        assertThat(context.committed()).isTrue();
    }

    @Test
    void whatComesWithOthersIsCommittedTogether() {
        MockProcessorContext<String, Object> context = started(true);
        pace.received(3);
        take("a", "b");
        assertThat(context.committed()).isFalse();
        take("c");
        assertThat(context.committed()).isTrue();
        assertThat(scheduledIn(context, 5).getFirst().cancelled()).isTrue();
    }

    @Test
    void whatNeedsTwoCommitsBeforeIsCommittedInTime() {
        MockProcessorContext<String, Object> context = started(true);
        pace.committed(NOW - 7);
        pace.committed(NOW - 2);
        pace.received(1);
        take("a");
        assertThat(context.committed()).isFalse();
        CapturedPunctuator commit = scheduledIn(context, 3).getFirst();
        context.setCurrentSystemTimeMs(NOW + 3);
        commit.getPunctuator().punctuate(NOW + 3);
        assertThat(context.committed()).isTrue();
        assertThat(commit.cancelled()).isTrue();
    }

    @Test
    void whatAnotherTaskCommittedIsNotCommittedAgain() {
        MockProcessorContext<String, Object> context = started(true);
        pace.committed(NOW - 7);
        pace.committed(NOW - 2);
        pace.received(1);
        take("a");
        CapturedPunctuator commit = scheduledIn(context, 3).getFirst();
        pace.committed(NOW + 1);
        context.setCurrentSystemTimeMs(NOW + 3);
        commit.getPunctuator().punctuate(NOW + 3);
        assertThat(context.committed()).isFalse();
        assertThat(commit.cancelled()).isTrue();
    }

    @Test
    void whatComesInAQueueIsCommittedLater() {
        MockProcessorContext<String, Object> context = started(true);
        pace.committed(NOW - 7);
        pace.received(500);
        take("a", "b");
        assertThat(scheduledIn(context, 43)).hasSize(1);
    }

    @Test
    void whatComesNextIsCommittedToo() {
        MockProcessorContext<String, Object> context = started(true);
        pace.received(3);
        take("a");
        context.setCurrentSystemTimeMs(NOW + 5);
        scheduledIn(context, 5).getFirst().getPunctuator().punctuate(NOW + 5);
        take("b");
        assertThat(scheduledIn(context, 5)).hasSize(2);
    }

    @Test
    void anApplicationOfManyProcessorsKeepsItsInterval() {
        MockProcessorContext<String, Object> context = started(false);
        pace.received(3);
        take("a");
        assertThat(scheduledIn(context, 5)).isEmpty();
    }

    private MockProcessorContext<String, Object> started(boolean whenAsked) {
        StreamsSettings settings =
                StreamsSettings.exactlyOnce(
                        LogConnection.embedded("127.0.0.1:1"), "counting", folder);
        Properties properties = (whenAsked ? settings.commitsWhenAsked() : settings).toProperties();
        properties.putAll(pace.asSetting());
        MockProcessorContext<String, Object> context =
                new MockProcessorContext<>(properties, new TaskId(0, 0), folder.toFile());
        context.setCurrentSystemTimeMs(NOW);
        KeyValueStore<String, byte[]> store =
                EntityStore.builder(CountingApp.STORE, EntityStore.Medium.MEMORY)
                        .withCachingDisabled()
                        .withLoggingDisabled()
                        .build();
        store.init(context.getStateStoreContext(), store);
        context.addStateStore(store);
        processor.init(context);
        return context;
    }

    private void take(String... inputs) {
        for (String input : inputs) {
            processor.process(new Record<>("ns/a", input, NOW));
        }
    }

    /** The timers of this length; those of the core are others. */
    private static List<CapturedPunctuator> scheduledIn(
            MockProcessorContext<String, Object> context, int millis) {
        return context.scheduledPunctuators().stream()
                .filter(p -> p.getInterval().equals(Duration.ofMillis(millis)))
                .toList();
    }
}
