package dev.millrace.testkit;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Partitions;
import dev.millrace.log.TopicsAdmin;
import dev.millrace.log.embedded.BrokerOptions;
import dev.millrace.log.embedded.EmbeddedBroker;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker in this JVM for one test class, with all topics of an installation. It starts in about
 * half a second, so classes do not share one and cannot meet each other's records:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TestBroker BROKER = new TestBroker(new Partitions(2));
 * }</pre>
 */
public final class TestBroker implements BeforeAllCallback, AfterAllCallback, AutoCloseable {

    private final Partitions partitions;
    private @Nullable Path folder;
    private @Nullable EmbeddedBroker broker;

    /** Two partitions. */
    public TestBroker() {
        this(new Partitions(2));
    }

    public TestBroker(Partitions partitions) {
        this.partitions = partitions;
    }

    /** For use without JUnit's registration; {@link #close()} it. */
    public static TestBroker started(Partitions partitions) {
        TestBroker broker = new TestBroker(partitions);
        broker.start();
        return broker;
    }

    /** How to reach it. No instance name: several members of a group may live in one test. */
    public LogConnection log() {
        return new LogConnection(
                running().bootstrapServers(), Duration.ofSeconds(3), null, Map.of());
    }

    /** {@code host:port}. */
    public String bootstrapServers() {
        return running().bootstrapServers();
    }

    /** A new client to write and read with; the caller closes it. */
    public TestRecords records() {
        return new TestRecords(log());
    }

    /** Makes another topic, with the broker's settings. */
    public void createTopic(String name, int partitions) {
        try (Admin admin = Admin.create(log().clientSettings())) {
            admin.createTopics(
                            java.util.List.of(
                                    new NewTopic(name, Optional.of(partitions), Optional.empty())))
                    .all()
                    .get();
        } catch (Exception e) {
            throw new AssertionError("topic " + name + " was not made", e);
        }
    }

    /** Stops the broker and starts it on the same files, on another port. */
    public void restart() {
        running().close();
        broker = null;
        broker = EmbeddedBroker.start(files(), BrokerOptions.DEFAULT);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    @Override
    public void close() {
        if (broker != null) {
            broker.close();
            broker = null;
        }
        if (folder != null) {
            delete(folder);
            folder = null;
        }
    }

    private void start() {
        try {
            folder = Files.createTempDirectory("millrace-test-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        broker = EmbeddedBroker.start(files(), BrokerOptions.DEFAULT);
        try (Admin admin = Admin.create(log().clientSettings())) {
            TopicsAdmin.ensure(admin, partitions);
        }
    }

    private Path files() {
        if (folder == null) {
            throw new IllegalStateException("the broker is not started");
        }
        return folder.resolve("broker");
    }

    private EmbeddedBroker running() {
        if (broker == null) {
            throw new IllegalStateException("the broker is not started");
        }
        return broker;
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("test folder " + folder + " was not deleted", e);
        }
    }
}
