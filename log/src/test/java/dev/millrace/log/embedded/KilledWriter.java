package dev.millrace.log.embedded;

import dev.millrace.log.BrokerFixture;
import dev.millrace.log.ChildJvm;
import dev.millrace.log.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A process with a broker that acknowledges records and waits to be killed. */
final class KilledWriter {

    static final int RECORDS = 5_000;

    private KilledWriter() {}

    public static void main(String[] args) throws Exception {
        ChildJvm.endOnFailure();
        var fixture = new BrokerFixture(Path.of(args[0]), 4);
        List<Future<?>> sent = new ArrayList<>();
        for (int i = 0; i < RECORDS; i++) {
            byte[] value = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
            sent.add(fixture.producer.send(new ProducerRecord<>(Topics.EVENTS, "key" + i, value)));
        }
        for (Future<?> record : sent) {
            record.get();
        }
        System.out.println("acked");
        Thread.sleep(Long.MAX_VALUE);
    }
}
