package dev.millrace.server.readmodel;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Drops rows of events, decisions and activations when the log has dropped their records. */
public final class Retention implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final ScheduledExecutorService schedule =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("retention").factory());

    /** Drops what is older, now and once an hour. */
    public static Retention start(ReadModel model, InstantSource clock, Duration events) {
        Retention retention = new Retention();
        retention.schedule.scheduleWithFixedDelay(
                () -> {
                    try {
                        drop(model, clock.millis(), events);
                    } catch (RuntimeException e) {
                        // The next turn tries again; an exception would end the schedule.
                        LOG.error("Old rows of the read model were not dropped", e);
                    }
                },
                1,
                60,
                TimeUnit.MINUTES);
        return retention;
    }

    static void drop(ReadModel model, long now, Duration events) {
        model.write(
                handle -> {
                    long oldest = now - events.toMillis();
                    handle.execute("DELETE FROM events WHERE at < ?", oldest);
                    handle.execute("DELETE FROM decisions WHERE at < ?", oldest);
                    handle.execute(
                            "DELETE FROM activations WHERE at < ?",
                            now - Duration.ofDays(30).toMillis());
                });
    }

    @Override
    public void close() {
        schedule.shutdownNow();
    }
}
