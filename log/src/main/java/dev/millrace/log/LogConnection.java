package dev.millrace.log;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the log is and how this process speaks to it.
 *
 * @param bootstrapServers {@code host:port,…}
 * @param sessionTimeout how long a killed member of a group keeps its partitions. The broker has a
 *     lower bound: 6 s unless it is ours
 * @param instance a name of this process that is the same after a restart and that no other process
 *     has, or null. With it a restarted process takes its partitions back at once, without waiting
 *     for the session of its predecessor
 * @param security further client settings: TLS, SASL
 */
public record LogConnection(
        String bootstrapServers,
        Duration sessionTimeout,
        @Nullable String instance,
        Map<String, String> security) {

    public LogConnection {
        security = Map.copyOf(security);
    }

    /** The broker in this process: the data folder has one owner, so the name is unique. */
    public static LogConnection embedded(String bootstrapServers) {
        return new LogConnection(bootstrapServers, Duration.ofSeconds(3), "embedded", Map.of());
    }

    /** A Kafka that others run. */
    public static LogConnection cluster(String bootstrapServers, Map<String, String> security) {
        return new LogConnection(bootstrapServers, Duration.ofSeconds(10), null, security);
    }

    /** The settings that every client, also an admin client, begins with. */
    public Map<String, Object> clientSettings() {
        Map<String, Object> settings = new HashMap<>(security);
        settings.put("bootstrap.servers", bootstrapServers);
        // An embedded broker comes back within seconds: look for it often.
        settings.put("reconnect.backoff.ms", 50);
        settings.put("reconnect.backoff.max.ms", 1_000);
        return settings;
    }
}
