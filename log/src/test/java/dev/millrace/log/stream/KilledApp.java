package dev.millrace.log.stream;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.ChildJvm;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A process with a broker and an application, and some work, that waits to be killed. */
final class KilledApp {

    private KilledApp() {}

    public static void main(String[] args) throws Exception {
        ChildJvm.endOnFailure();
        Path folder = Path.of(args[0]);
        boolean instance = args[1].equals("instance");
        var fixture = new BrokerFixture(folder, 2);
        CountingApp.start(
                log(fixture, instance),
                folder,
                EntityStore.Medium.valueOf(args[2]),
                Duration.ofSeconds(3),
                Boolean.parseBoolean(args[3]));
        var text = JsonSerde.of(String.class);
        for (int i = 0; i < 50; i++) {
            fixture.producer
                    .send(
                            new ProducerRecord<>(
                                    Topics.WORKFLOW_COMMANDS, "ns/e" + i, text.encode("later")))
                    .get();
        }
        fixture.read(Topics.STEPS, seen -> seen.size() >= 50);
        System.out.println("worked");
        // Records in flight, so that the kill finds an open transaction.
        for (int i = 0; ; i++) {
            fixture.producer
                    .send(
                            new ProducerRecord<>(
                                    Topics.WORKFLOW_COMMANDS,
                                    "ns/busy" + i % 50,
                                    text.encode("n" + i)))
                    .get();
        }
    }

    static LogConnection log(BrokerFixture fixture, boolean instance) {
        return instance ? LogConnection.embedded(fixture.broker.bootstrapServers()) : fixture.log;
    }
}
