package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamsAppIT {

    @TempDir Path folder;

    @Test
    void garbageAndOutputsThatAreTooLargeAreBuriedAndThePartitionGoesOn() {
        try (var fixture = new BrokerFixture(folder, 1);
                var app =
                        CountingApp.start(
                                fixture.log,
                                folder,
                                EntityStore.Medium.MEMORY,
                                Duration.ofSeconds(1),
                                false)) {
            var text = JsonSerde.of(String.class);
            send(fixture, "{".getBytes(StandardCharsets.UTF_8));
            send(fixture, text.encode("huge"));
            send(fixture, text.encode("fine"));
            fixture.read(
                    Topics.STEPS,
                    seen -> seen.stream().anyMatch(r -> "\"fine 1\"".equals(r.value())));
            var letters = fixture.read(Topics.DEAD_LETTERS, seen -> seen.size() == 2);
            assertThat(letters.get(0).value()).contains("is not readable");
            assertThat(letters.get(1).value())
                    .contains("an output to out")
                    .contains(Topics.WORKFLOW_COMMANDS + "/0/1");
            assertThat(app.health().isReady()).isTrue();
        }
    }

    private static void send(BrokerFixture fixture, byte[] value) {
        fixture.producer.send(new ProducerRecord<>(Topics.WORKFLOW_COMMANDS, "ns/a", value));
    }
}
