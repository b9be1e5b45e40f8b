package dev.millrace.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

class TestBrokerIT {

    @RegisterExtension static final TestBroker BROKER = new TestBroker(new Partitions(2));

    private record Greeting(String to) {}

    @Test
    void whatWasWrittenIsReadAlsoAfterARestart() {
        try (TestRecords records = BROKER.records()) {
            records.send(Topics.STEPS, "a", new Greeting("world"));
        }
        BROKER.restart();
        try (TestRecords records = BROKER.records()) {
            var read = records.read(Topics.STEPS, Greeting.class, seen -> seen.size() == 1);
            assertThat(read.getFirst().requiredValue()).isEqualTo(new Greeting("world"));
        }
    }

    @Test
    void waitingInVainSaysWhatWasThere() {
        try (TestRecords records = BROKER.records()) {
            records.send(Topics.STATUS, "a", new Greeting("nobody"));
            assertThatThrownBy(
                            () ->
                                    records.read(
                                            Topics.STATUS,
                                            dev.millrace.log.serde.JsonSerde.of(JsonNode.class),
                                            Duration.ofMillis(500),
                                            seen -> seen.size() == 2))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("nobody");
        }
    }
}
