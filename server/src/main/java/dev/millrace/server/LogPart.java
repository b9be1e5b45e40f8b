package dev.millrace.server;

import dev.millrace.log.LogConnection;
import dev.millrace.log.TopicSpec;
import dev.millrace.log.Topics;
import dev.millrace.log.TopicsAdmin;
import dev.millrace.log.embedded.BrokerOptions;
import dev.millrace.log.embedded.DataFolder;
import dev.millrace.log.embedded.EmbeddedBroker;
import dev.millrace.server.configuration.Configuration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InterruptException;

/**
 * The log of this process, with its topics.
 *
 * @param id identity of the Kafka cluster
 */
record LogPart(EmbeddedBroker broker, LogConnection connection, String id)
        implements AutoCloseable {

    static LogPart start(DataFolder folder, Configuration configuration) {
        EmbeddedBroker broker =
                EmbeddedBroker.start(
                        folder.folder("broker"),
                        new BrokerOptions(configuration.fsync(), configuration.brokerPort()));
        LogConnection connection = LogConnection.embedded(broker.bootstrapServers());
        try (Admin admin = Admin.create(connection.clientSettings())) {
            TopicsAdmin.ensure(admin, configuration.partitions(), topics(configuration));
            return new LogPart(broker, connection, admin.describeCluster().clusterId().get());
        } catch (ExecutionException e) {
            broker.close();
            throw new KafkaException(
                    "the embedded broker does not say its cluster id", e.getCause());
        } catch (InterruptedException e) {
            broker.close();
            throw new InterruptException(e);
        } catch (RuntimeException e) {
            broker.close();
            throw e;
        }
    }

    @Override
    public void close() {
        broker.close();
    }

    private static List<TopicSpec> topics(Configuration configuration) {
        return Topics.all().stream()
                .map(
                        spec -> {
                            if (!spec.name().equals(Topics.EVENTS)) {
                                return spec;
                            }
                            Map<String, String> config = new HashMap<>(spec.config());
                            config.put(
                                    TopicConfig.RETENTION_MS_CONFIG,
                                    Long.toString(configuration.eventRetention().toMillis()));
                            return new TopicSpec(spec.name(), spec.partitions(), config);
                        })
                .toList();
    }
}
