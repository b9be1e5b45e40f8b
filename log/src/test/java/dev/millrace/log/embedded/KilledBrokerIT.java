package dev.millrace.log.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.ChildJvm;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledBrokerIT {

    @TempDir Path folder;

    @Test
    void everyAcknowledgedRecordIsThereAfterAKill() throws Exception {
        try (var writer = new ChildJvm(KilledWriter.class, folder.toString())) {
            writer.awaitLine("acked");
            writer.kill();
        }
        long start = System.nanoTime();
        try (var fixture = new BrokerFixture(folder, 4)) {
            Duration restart = Duration.ofNanos(System.nanoTime() - start);
            System.out.println("restart after a kill: " + restart);
            var read = fixture.read(Topics.EVENTS, seen -> seen.size() >= KilledWriter.RECORDS);
            assertThat(read.stream().map(LogRecord::requiredValue).collect(Collectors.toSet()))
                    .hasSize(KilledWriter.RECORDS);
            assertThat(read).hasSize(KilledWriter.RECORDS);
            assertThat(restart).isLessThan(Duration.ofSeconds(15));
        }
    }
}
