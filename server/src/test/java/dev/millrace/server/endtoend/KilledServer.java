package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.LogConnection;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A server that is killed and started again on the same folder and ports. */
final class KilledServer implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** A time in which nobody could act. */
    private record Outage(Instant from, Instant to) {}

    private final ServerProcess.Place place;
    private final ApiClient api;
    private final List<Outage> outages = new ArrayList<>();
    private ServerProcess process;
    private @Nullable Instant downSince;
    private int kills;

    private KilledServer(ServerProcess.Place place) {
        this.place = place;
        this.api = new ApiClient(URI.create("http://localhost:" + place.port()));
        this.process = ServerProcess.start(place);
    }

    /** Starts one; returns when it is ready. */
    static KilledServer start(Path folder, String webhooks)
            throws IOException, InterruptedException {
        KilledServer server =
                new KilledServer(
                        new ServerProcess.Place(
                                folder.resolve("data"),
                                webhooks,
                                freePort(),
                                freePort(),
                                folder.resolve("server.log")));
        try {
            server.awaitReady();
            return server;
        } catch (AssertionError e) {
            server.process.kill();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    ApiClient api() {
        return api;
    }

    ServerProcess.Place place() {
        return place;
    }

    /** How often it was killed. */
    int kills() {
        return kills;
    }

    /**
     * Kills the server and starts it again; returns when it is ready. One that is killed while it
     * starts must find everything too, so now and then that happens as well.
     *
     * @param most kills that are allowed in all
     */
    void killAndRestart(Random random, int most) throws InterruptedException {
        kill();
        process = ServerProcess.start(place);
        if (kills < most && random.nextInt(3) == 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(6_000)));
            kill();
            process = ServerProcess.start(place);
        }
        awaitReady();
    }

    private void kill() throws InterruptedException {
        assertThat(process.isAlive()).as("the server runs until it is killed").isTrue();
        process.kill();
        if (downSince == null) {
            downSince = Instant.now();
        }
        kills++;
    }

    private void awaitReady() {
        Await.until(
                "the server is ready",
                PATIENCE,
                () -> !process.isAlive() || api.get("/readyz").status() == 200);
        assertThat(process.isAlive()).as("the server runs until it is killed").isTrue();
        if (downSince != null) {
            Outage outage = new Outage(downSince, Instant.now());
            downSince = null;
            outages.add(outage);
            System.out.printf(
                    "  ready %d ms after kill %d%n",
                    Duration.between(outage.from(), outage.to()).toMillis(), kills);
        }
    }

    /** When it was killed, but for kills while it started. */
    List<Instant> killedAt() {
        return outages.stream().map(Outage::from).toList();
    }

    /**
     * When at the latest the server must have done what is due then: it has this much time, once it
     * is at work.
     */
    Instant latest(Instant due, Duration within) {
        Instant latest = due.plus(within);
        for (Outage outage : outages) {
            if (outage.from().isBefore(latest) && outage.to().isAfter(due)) {
                latest = outage.to().plus(within);
            }
        }
        return latest;
    }

    /** Ends the server in order; nothing of it or of its steps may stay. */
    void stopInOrder(Path folder) throws InterruptedException {
        assertThat(process.stop(60)).as("the server stops in order").isTrue();
        Await.asserted(() -> assertThat(ServerProcess.processesOf(folder)).isEmpty());
    }

    /** All that a topic holds. */
    <T> List<T> records(String topic, Class<T> type) {
        List<T> all = new ArrayList<>();
        try (TailReader<T> reader =
                TailReader.start(
                        LogConnection.embedded("127.0.0.1:" + place.brokerPort()),
                        "killed-server",
                        topic,
                        Positions.START,
                        JsonSerde.of(type),
                        (batch, _) -> batch.forEach(r -> all.add(r.value())))) {
            reader.caughtUp().join();
        }
        return all;
    }

    /** The temporary folder goes; what the servers said stays with the build. */
    void keepEvidence(long seed) {
        try {
            Path kept =
                    Files.createDirectories(Path.of("target"))
                            .resolve("killed-server-" + seed + ".log");
            Files.copy(place.output(), kept, StandardCopyOption.REPLACE_EXISTING);
            System.out.println("  what the servers said: " + kept.toAbsolutePath());
        } catch (IOException e) {
            System.out.println("  what the servers said could not be kept: " + e);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.kill();
    }
}
