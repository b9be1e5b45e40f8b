package dev.millrace.log.embedded;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;

/**
 * Buries the registration of a broker that was killed, before its successor starts.
 *
 * <p>A broker that starts after a kill sees itself in the metadata as it was: alive, and leader of
 * its partitions. Its transaction coordinator goes to work on that and, when the registration of
 * the dead broker then expires, takes the partitions for deleted and leaves out their transaction
 * markers ("Couldn't find leader endpoint … can be skipped"). The transaction is over for the
 * coordinator and open for ever in the partitions: readers stop there, and a committed part may be
 * missing. So a controller alone runs first, until the dead broker is fenced.
 */
final class KilledBroker {

    /** The broker writes it when it stops in order, and removes it when it starts. */
    private static final String STOPPED_IN_ORDER = ".kafka_cleanshutdown";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long LOOK_EVERY_MILLIS = 50;

    private KilledBroker() {}

    /** Whether the last broker on this folder, if there was one, did not stop in order. */
    static boolean wasOn(Path folder) {
        // Without transactions there are no markers that could be left out.
        return Files.exists(folder.resolve("__transaction_state-0"))
                && !Files.exists(folder.resolve(STOPPED_IN_ORDER));
    }

    /**
     * Runs a controller until the dead broker is fenced; takes some seconds.
     *
     * @throws BrokerStartException if that does not happen in time
     */
    static void bury(Map<String, String> controllerSettings) {
        KafkaRaftServer controller =
                new KafkaRaftServer(new KafkaConfig(controllerSettings, false), Time.SYSTEM);
        try {
            controller.startup();
            awaitFenced();
        } finally {
            controller.shutdown();
            controller.awaitShutdown();
        }
    }

    private static void awaitFenced() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        try {
            // Before the metadata is loaded both are 0, then the dead broker counts as active.
            while (brokers("FencedBrokerCount") == 0 || brokers("ActiveBrokerCount") > 0) {
                if (System.nanoTime() - end >= 0) {
                    throw new BrokerStartException(
                            "The registration of the broker that was killed did not expire within "
                                    + PATIENCE.toSeconds()
                                    + " s. Start again; if that does not help, the log of this"
                                    + " process has the details.",
                            null);
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerStartException("interrupted while the broker starts", e);
        }
    }

    /** What the controller counts; a controller answers clients about controllers only. */
    private static int brokers(String metric) {
        try {
            Object value =
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(
                                    new ObjectName(
                                            "kafka.controller:type=KafkaController,name=" + metric),
                                    "Value");
            return ((Number) value).intValue();
        } catch (InstanceNotFoundException e) {
            return 0; // It has not begun to count.
        } catch (JMException e) {
            throw new IllegalStateException("the controller does not tell its " + metric, e);
        }
    }
}
