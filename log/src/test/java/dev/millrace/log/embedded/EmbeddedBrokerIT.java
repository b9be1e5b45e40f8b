package dev.millrace.log.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.PartitionMismatchException;
import dev.millrace.log.Partitions;
import dev.millrace.log.Topics;
import dev.millrace.log.TopicsAdmin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedBrokerIT {

    @TempDir Path folder;

    @Test
    void startsStopsAndStartsAgainWithTheSameTopicsWithinSeconds() {
        Duration first = timed(() -> startAndEnsure(new Partitions(2)));
        Duration second = timed(() -> startAndEnsure(new Partitions(2)));
        System.out.println("first start " + first + ", clean restart " + second);
        assertThat(second).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void refusesOtherPartitionCountsThanTheInstallationWasMadeWith() {
        startAndEnsure(new Partitions(2));
        assertThatThrownBy(() -> startAndEnsure(new Partitions(3)))
                .isInstanceOf(PartitionMismatchException.class)
                .hasMessageContaining(Topics.EVENTS + " has 2, wanted 3");
    }

    @Test
    void refusesAFolderOfAnotherKafka() throws Exception {
        Files.writeString(
                folder.resolve("meta.properties"), "version=1\nnode.id=7\ncluster.id=abc\n");
        assertThatThrownBy(() -> EmbeddedBroker.start(folder, BrokerOptions.DEFAULT))
                .isInstanceOf(BrokerStartException.class)
                .hasMessageContaining("belongs to another Kafka");
    }

    @Test
    void refusesAFolderThatLostItsFormat() throws Exception {
        Files.createDirectory(folder.resolve("millrace.events-0"));
        assertThatThrownBy(() -> EmbeddedBroker.start(folder, BrokerOptions.DEFAULT))
                .isInstanceOf(BrokerStartException.class)
                .hasMessageContaining("no meta.properties");
    }

    @Test
    void namesTheFolderWhenItsMetadataIsDamaged() {
        try (var broker = EmbeddedBroker.start(folder, BrokerOptions.DEFAULT)) {
            assertThatThrownBy(
                            () ->
                                    EmbeddedBroker.start(
                                            folder.resolveSibling(folder.getFileName() + "-2"),
                                            new BrokerOptions(false, port(broker))))
                    .isInstanceOf(BrokerStartException.class)
                    .hasMessageContaining("is taken");
        }
    }

    private static int port(EmbeddedBroker broker) {
        String servers = broker.bootstrapServers();
        return Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
    }

    private void startAndEnsure(Partitions partitions) {
        try (var broker = EmbeddedBroker.start(folder.resolve("broker"), BrokerOptions.DEFAULT);
                var admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
            TopicsAdmin.ensure(admin, partitions);
        }
    }

    private static Duration timed(Runnable work) {
        long start = System.nanoTime();
        work.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
