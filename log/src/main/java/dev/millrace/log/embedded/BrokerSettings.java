package dev.millrace.log.embedded;

import dev.millrace.log.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The settings of a broker that is alone, lives in our process and may be killed at any time. */
final class BrokerSettings {

    static final int NODE_ID = 1;
    static final String CONTROLLER_LISTENER = "CONTROLLER";

    private BrokerSettings() {}

    static Map<String, String> of(Path folder, BrokerOptions options, int clients, int controller) {
        Map<String, String> s = new HashMap<>();
        s.put("process.roles", "broker,controller");
        s.put("node.id", Integer.toString(NODE_ID));
        s.put("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controller);
        s.put(
                "listeners",
                "PLAINTEXT://127.0.0.1:%d,%s://127.0.0.1:%d"
                        .formatted(clients, CONTROLLER_LISTENER, controller));
        s.put("advertised.listeners", "PLAINTEXT://127.0.0.1:" + clients);
        s.put("controller.listener.names", CONTROLLER_LISTENER);
        s.put(
                "listener.security.protocol.map",
                CONTROLLER_LISTENER + ":PLAINTEXT,PLAINTEXT:PLAINTEXT");
        s.put("inter.broker.listener.name", "PLAINTEXT");
        s.put("log.dirs", folder.toString());
        // All topics are created with their settings; a typing error must not make one.
        s.put("auto.create.topics.enable", "false");
        s.put("message.max.bytes", Integer.toString(Topics.MAX_RECORD_BYTES));
        s.put("replica.fetch.max.bytes", Integer.toString(Topics.MAX_RECORD_BYTES));
        if (options.fsync()) {
            s.put("log.flush.interval.messages", "1");
        }
        alone(s);
        quickRestart(s);
        small(s);
        return s;
    }

    /** A controller without a broker, on the same folder. */
    static Map<String, String> ofController(Path folder, BrokerOptions options, int controller) {
        Map<String, String> s = of(folder, options, 0, controller);
        s.put("process.roles", "controller");
        s.put("listeners", "%s://127.0.0.1:%d".formatted(CONTROLLER_LISTENER, controller));
        s.remove("advertised.listeners");
        s.remove("inter.broker.listener.name");
        return s;
    }

    private static void alone(Map<String, String> s) {
        for (String topic :
                new String[] {
                    "offsets.topic", "transaction.state.log", "share.coordinator.state.topic"
                }) {
            s.put(topic + ".replication.factor", "1");
            // The default of 50 makes the first start slow and costs 150 files.
            s.put(topic + ".num.partitions", "1");
        }
        s.put("transaction.state.log.min.isr", "1");
        s.put("share.coordinator.state.topic.min.isr", "1");
        s.put("default.replication.factor", "1");
        s.put("min.insync.replicas", "1");
        // A laptop may stay closed for weeks: a group that lost its offsets would start all over.
        s.put("offsets.retention.minutes", Long.toString(Duration.ofDays(3650).toMinutes()));
        // Ids of idempotent and transactional producers likewise.
        s.put("transactional.id.expiration.ms", Long.toString(Duration.ofDays(24).toMillis()));
    }

    /** At their defaults these make a restart after a crash wait for 10 to 50 s. */
    private static void quickRestart(Map<String, String> s) {
        // The registration of the killed broker has to expire before the new one may register.
        s.put("broker.session.timeout.ms", "2000");
        s.put("broker.heartbeat.interval.ms", "500");
        s.put("controlled.shutdown.enable", "true");
        s.put("initial.broker.registration.timeout.ms", "60000");
        // A killed member keeps its partitions for the length of its session.
        s.put("group.min.session.timeout.ms", "1000");
        s.put("group.initial.rebalance.delay.ms", "0");
        for (String group : new String[] {"group.streams", "group.consumer"}) {
            s.put(group + ".session.timeout.ms", "3000");
            s.put(group + ".min.session.timeout.ms", "1000");
            s.put(group + ".heartbeat.interval.ms", "300");
            s.put(group + ".min.heartbeat.interval.ms", "100");
        }
        s.put("group.streams.initial.rebalance.delay.ms", "0");
        // Read-committed readers wait behind the open transaction of a killed producer.
        s.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "500");
        // A transaction that follows the last one at once finds its partitions still closing;
        // 20 ms, the default wait, is longer than all the rest of a hop.
        s.put("add.partitions.to.txn.retry.backoff.ms", "1");
    }

    private static void small(Map<String, String> s) {
        s.put("num.network.threads", "1");
        s.put("num.io.threads", "2");
        s.put("num.recovery.threads.per.data.dir", "2");
        s.put("background.threads", "2");
        s.put("log.cleaner.dedupe.buffer.size", Integer.toString(8 * 1024 * 1024));
        // Two sparse, mapped index files a segment: 10 MiB each by default.
        s.put("log.index.size.max.bytes", Integer.toString(1024 * 1024));
        s.put("metadata.log.segment.bytes", Integer.toString(16 * 1024 * 1024));
        // Deleted segments and logs leave the disk soon, since the disk may be small.
        s.put("log.segment.delete.delay.ms", "5000");
        s.put("log.retention.check.interval.ms", "30000");
    }
}
