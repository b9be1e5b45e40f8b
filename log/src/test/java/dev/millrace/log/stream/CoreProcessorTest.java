package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.Properties;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TestOutputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CoreProcessorTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final TopologyTestDriver driver =
            new TopologyTestDriver(
                    CountingApp.topology(EntityStore.Medium.MEMORY, Duration.ofSeconds(10)),
                    settings(),
                    START);
    private final TestInputTopic<String, String> in =
            driver.createInputTopic(
                    Topics.WORKFLOW_COMMANDS,
                    new StringSerializer(),
                    JsonSerde.of(String.class).serializer(),
                    START,
                    Duration.ZERO);
    private final TestOutputTopic<String, String> out =
            driver.createOutputTopic(
                    Topics.STEPS,
                    new StringDeserializer(),
                    JsonSerde.of(String.class).deserializer());
    private final TestOutputTopic<String, DeadLetter> dead =
            driver.createOutputTopic(
                    Topics.DEAD_LETTERS,
                    new StringDeserializer(),
                    JsonSerde.of(DeadLetter.class).deserializer());

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void entitiesCountApartAndRepeatsAreTold() {
        in.pipeInput("ns/a", "x");
        in.pipeInput("ns/ab", "x");
        in.pipeInput("ns/a", "y");
        in.pipeInput("ns/a", "x");
        assertThat(out.readValuesToList()).containsExactly("x 1", "x 1", "y 2", "repeat x");
    }

    @Test
    void anIdIsForgottenAfterADay() {
        in.pipeInput("ns/a", "x");
        driver.advanceWallClockTime(Duration.ofHours(24).plusMillis(100));
        in.pipeInput("ns/a", "x", START.plus(Duration.ofHours(25)).toEpochMilli());
        assertThat(out.readValuesToList()).containsExactly("x 1", "x 2");
        long left = 0;
        try (var all = driver.getKeyValueStore(CountingApp.STORE).all()) {
            while (all.hasNext()) {
                if (all.next().key.toString().startsWith("~seen-until/")) {
                    left++;
                }
            }
        }
        assertThat(left).isEqualTo(1);
    }

    @Test
    void aCoreThatThrowsHasChangedNothingAndItsEntityIsEnded() {
        in.pipeInput("ns/a", "x");
        in.pipeInput("ns/a", "bug");
        in.pipeInput("ns/a", "deep");
        in.pipeInput("ns/a", "y");
        assertThat(out.readValuesToList())
                .containsExactly(
                        "x 1",
                        "failed " + Topics.WORKFLOW_COMMANDS + "/0/1",
                        "failed " + Topics.WORKFLOW_COMMANDS + "/0/2",
                        "y 2");
        var letters = dead.readValuesToList();
        assertThat(letters).hasSize(2);
        assertThat(letters.getFirst().reason()).contains("this core has a bug");
        assertThat(letters.getFirst().value().stringValue()).isEqualTo("bug");
        assertThat(letters.getFirst().at()).isEqualTo(START);
    }

    @Test
    void aTimerFiresOnceWhenItIsDueAndNotBefore() {
        in.pipeInput("ns/a", "later");
        driver.advanceWallClockTime(Duration.ofMillis(9_900));
        assertThat(out.readValuesToList()).containsExactly("later 1");
        driver.advanceWallClockTime(Duration.ofMillis(200));
        driver.advanceWallClockTime(Duration.ofSeconds(60));
        assertThat(out.readValuesToList()).containsExactly("fired later");
    }

    @Test
    void timeNeverGoesBackForAnEntity() {
        in.pipeInput("ns/a", "x", START.plusSeconds(100).toEpochMilli());
        in.pipeInput("ns/a", "y", START.toEpochMilli());
        in.pipeInput("ns/b", "y", START.toEpochMilli());
        assertThat(out.readRecordsToList().stream().map(r -> r.getRecordTime()))
                .containsExactly(START.plusSeconds(100), START.plusSeconds(100), START);
    }

    private static Properties settings() {
        Properties properties = new Properties();
        properties.put("application.id", "counting");
        properties.put("bootstrap.servers", "none:1");
        return properties;
    }
}
