package dev.millrace.sensors.joining;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.SensorMatch;
import java.time.Instant;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JoinerTopologyTest {

    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

    private TopologyTestDriver driver;
    private TestInputTopic<String, SensorMatch> matches;
    private TestOutputTopic<String, Activation> activations;
    private TestOutputTopic<String, Decision> decisions;
    private TestOutputTopic<String, DeadLetter> deadLetters;

    @BeforeEach
    void start() {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        driver = new TopologyTestDriver(Joiner.topology(), properties, NOON);
        matches =
                driver.createInputTopic(
                        Topics.SENSOR_MATCHES,
                        new StringSerializer(),
                        JsonSerde.of(SensorMatch.class).serializer());
        activations =
                driver.createOutputTopic(
                        Topics.JOINED_ACTIVATIONS,
                        new StringDeserializer(),
                        JsonSerde.of(Activation.class).deserializer());
        decisions =
                driver.createOutputTopic(
                        Topics.DECISIONS,
                        new StringDeserializer(),
                        JsonSerde.of(Decision.class).deserializer());
        deadLetters =
                driver.createOutputTopic(
                        Topics.DEAD_LETTERS,
                        new StringDeserializer(),
                        JsonSerde.of(DeadLetter.class).deserializer());
    }

    @AfterEach
    void stop() {
        driver.close();
    }

    @Test
    void itSaysWhatBecameOfEachEvent() {
        send("a", "1", null);
        send("a", "2", null);
        send("a", "2", null);
        send("b", "3", null);
        assertThat(decisions.readValuesToList())
                .extracting(d -> d.eventId() + " " + d.outcome())
                .containsExactly(
                        "1 pending",
                        "1 filtered",
                        "2 pending",
                        "2 duplicate",
                        "2 fired",
                        "3 fired");
        assertThat(activations.readKeyValuesToList())
                .singleElement()
                .satisfies(
                        record -> {
                            assertThat(record.key).isEqualTo("ns/s/t");
                            assertThat(record.value.events()).containsOnlyKeys("a", "b");
                        });
    }

    @Test
    void aReplayDoesNotMeetWhatIsLive() {
        send("a", "1", null);
        send("b", "2", "run");
        assertThat(activations.isEmpty()).isTrue();
        send("a", "1", "run");
        send("b", "2", null);
        assertThat(activations.readValuesToList())
                .extracting(Activation::id)
                .hasSize(2)
                .doesNotHaveDuplicates();
    }

    @Test
    void eventsThatAreTooLargeTogetherAreADeadLetterAndTheNextOnesFire() {
        String large = "\"" + "x".repeat(9_000_000) + "\"";
        send("a", "1", null, large);
        send("b", "2", null, large);

        assertThat(activations.isEmpty()).isTrue();
        assertThat(deadLetters.readValuesToList())
                .singleElement()
                .satisfies(
                        letter ->
                                assertThat(letter.reason())
                                        .contains("an output to joined-activations has"));
        assertThat(decisions.readValuesToList())
                .extracting(d -> d.eventId() + " " + d.outcome())
                .containsExactly("1 pending", "2 failed");

        send("b", "3", null);
        assertThat(activations.readValuesToList()).hasSize(1);
    }

    private void send(String dependency, String id, String replay) {
        send(dependency, id, replay, "{}");
    }

    private void send(String dependency, String id, String replay, String data) {
        EventRef event =
                new EventRef(id, "ns", "es", dependency, "webhook", "1.0", null, NOON, data);
        matches.pipeInput(
                "ns/s/t",
                new SensorMatch(
                        "ns",
                        "s",
                        "t",
                        dependency,
                        1,
                        event,
                        replay,
                        List.of("a", "b"),
                        Json.mapper().readTree("{\"template\":{\"name\":\"t\"}}"),
                        0),
                NOON);
    }
}
