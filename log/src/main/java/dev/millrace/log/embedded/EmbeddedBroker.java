package dev.millrace.log.embedded;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.Feature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker and controller in this process, reachable on 127.0.0.1 only. It survives
 * being killed: what it acknowledged is there after the next start, and that start takes seconds.
 */
public final class EmbeddedBroker implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);
    private static final int BIND_ATTEMPTS = 3;

    private final KafkaRaftServer server;
    private final String bootstrapServers;

    private EmbeddedBroker(KafkaRaftServer server, String bootstrapServers) {
        this.server = server;
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Starts the broker on a folder, formatting the folder the first time. The caller owns the
     * folder (see {@link DataFolder}).
     *
     * @param folder where the broker keeps its files; nothing else may be in it
     * @throws BrokerStartException if the folder is unusable or a port is taken
     */
    public static EmbeddedBroker start(Path folder, BrokerOptions options) {
        formatOnce(folder);
        for (int attempt = 1; ; attempt++) {
            int clients = options.port() == 0 ? freePort() : options.port();
            int controller = freePort();
            try {
                return startOn(folder, options, clients, controller);
            } catch (BrokerStartException e) {
                // Between our look and the broker's bind somebody else may have taken a free port.
                if (options.port() != 0
                        || attempt == BIND_ATTEMPTS
                        || !causedBy(e, BindException.class)) {
                    throw e;
                }
                LOG.info("Port {} or {} was taken meanwhile; trying others", clients, controller);
            }
        }
    }

    /** Where clients connect, as {@code host:port}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Stops in good order; takes less than a second once its clients are closed. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    private static EmbeddedBroker startOn(
            Path folder, BrokerOptions options, int clients, int controller) {
        KafkaConfig config =
                new KafkaConfig(BrokerSettings.of(folder, options, clients, controller), false);
        KafkaRaftServer server = null;
        try {
            if (KilledBroker.wasOn(folder)) {
                KilledBroker.bury(BrokerSettings.ofController(folder, options, controller));
            }
            server = new KafkaRaftServer(config, Time.SYSTEM);
            server.startup();
            return new EmbeddedBroker(server, "127.0.0.1:" + clients);
        } catch (BrokerStartException e) {
            throw e;
        } catch (Exception e) {
            if (server != null) {
                server.shutdown();
            }
            throw new BrokerStartException(explain(folder, clients, e), e);
        }
    }

    private static String explain(Path folder, int port, Exception e) {
        String what = "The embedded broker could not start on " + folder + ": " + e.getMessage();
        if (causedBy(e, BindException.class)) {
            return what + ". Port " + port + " of 127.0.0.1 is taken; choose another one.";
        }
        return what
                + ". The log of this process has the details. If the folder was copied, restored or"
                + " edited by hand, restore it whole or start with a new one.";
    }

    private static void formatOnce(Path folder) {
        Path meta = folder.resolve("meta.properties");
        if (Files.exists(meta)) {
            verify(folder, meta);
            return;
        }
        if (hasFiles(folder)) {
            throw new BrokerStartException(
                    "The folder "
                            + folder
                            + " holds files but no meta.properties, so it is not a whole data folder"
                            + " of a broker. Restore that file, or choose an empty folder.",
                    null);
        }
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            Files.createDirectories(folder);
            new Formatter()
                    .setPrintStream(new PrintStream(said, true, StandardCharsets.UTF_8))
                    .setSupportedFeatures(Feature.PRODUCTION_FEATURES)
                    .setNodeId(BrokerSettings.NODE_ID)
                    .setClusterId(Uuid.randomUuid().toString())
                    .setDirectories(List.of(folder.toString()))
                    .setControllerListenerName(BrokerSettings.CONTROLLER_LISTENER)
                    .setMetadataLogDirectory(folder.toString())
                    .run();
        } catch (Exception e) {
            throw new BrokerStartException(
                    "The folder "
                            + folder
                            + " could not be formatted for the broker: "
                            + e.getMessage()
                            + " "
                            + said.toString(StandardCharsets.UTF_8).strip(),
                    e);
        }
    }

    /** Kafka's own words about a foreign folder do not name the folder. */
    private static void verify(Path folder, Path meta) {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(meta)) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(meta + " is not readable", e);
        }
        String node = properties.getProperty("node.id");
        String cluster = properties.getProperty("cluster.id");
        if (cluster == null || !Integer.toString(BrokerSettings.NODE_ID).equals(node)) {
            throw new BrokerStartException(
                    "%s says node.id=%s, cluster.id=%s, but an embedded broker is node %d of a cluster of its own. The folder %s belongs to another Kafka or is damaged; choose another folder."
                            .formatted(meta, node, cluster, BrokerSettings.NODE_ID, folder),
                    null);
        }
    }

    /**
     * A kill between creating files and writing meta.properties leaves only what format rewrites.
     */
    private static boolean hasFiles(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (var children = Files.list(folder)) {
            return children.anyMatch(
                    child -> {
                        String name = child.getFileName().toString();
                        return !name.startsWith("bootstrap.checkpoint")
                                && !name.startsWith("meta.properties");
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(folder + " is not readable", e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException("no free port on the loopback interface", e);
        }
    }

    private static boolean causedBy(Throwable e, Class<? extends Throwable> type) {
        for (Throwable t = e; t != null; t = t.getCause()) {
            if (type.isInstance(t)) {
                return true;
            }
        }
        return false;
    }
}
