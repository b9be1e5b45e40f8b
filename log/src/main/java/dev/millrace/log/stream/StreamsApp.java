package dev.millrace.log.stream;

import dev.millrace.log.Health;
import dev.millrace.log.serde.StreamsSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running Kafka Streams application that never gives up, and says how it is doing. */
public final class StreamsApp implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StreamsApp.class);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final String id;
    private final KafkaStreams streams;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final AtomicInteger failures = new AtomicInteger();
    private final Health.@Nullable LostRecords lost;
    private volatile Health.@Nullable Retrying failing;
    private volatile long runningSince = Long.MAX_VALUE;

    private StreamsApp(String id, KafkaStreams streams, Health.@Nullable LostRecords lost) {
        this.id = id;
        this.streams = streams;
        this.lost = lost;
    }

    /**
     * Starts an application.
     *
     * @throws KafkaException if Kafka cannot be asked for its offsets
     */
    public static StreamsApp start(Topology topology, StreamsSettings settings) {
        Properties properties = settings.toProperties();
        String id = properties.getProperty(StreamsConfig.APPLICATION_ID_CONFIG);
        Health.LostRecords lost = lost(id, properties);
        Pace pace = new Pace();
        properties.putIfAbsent(StreamsConfig.POLL_MS_CONFIG, Pace.IDLE.toMillis());
        properties.putAll(pace.asSetting());
        KafkaStreams streams = new KafkaStreams(topology, properties, new PacedClients(pace));
        StreamsApp app = new StreamsApp(id, streams, lost);
        app.streams.setUncaughtExceptionHandler(app::failed);
        app.streams.setStateListener((now, _) -> app.state(now));
        app.streams.start();
        return app;
    }

    /** How it is doing, now. */
    public Health health() {
        Health.Retrying retrying = failing;
        if (lost != null) {
            return lost;
        }
        if (retrying != null) {
            return retrying;
        }
        return streams.state() == KafkaStreams.State.RUNNING
                ? new Health.Ready()
                : new Health.Starting(id + " is " + streams.state());
    }

    /** For metrics and queries. */
    public KafkaStreams streams() {
        return streams;
    }

    /** Commits and stops; waits 10 s at most. */
    @Override
    public void close() {
        closing.countDown();
        if (!streams.close(Duration.ofSeconds(10))) {
            LOG.warn("{} did not stop within 10 s", id);
        }
    }

    private void state(KafkaStreams.State now) {
        if (now == KafkaStreams.State.RUNNING) {
            failing = null;
            runningSince = System.nanoTime();
        }
    }

    /**
     * What comes here is of the infrastructure (or a bug of a shell, which a person must see): the
     * task is tried again for ever, with pauses that grow, so that it does not fill the log.
     */
    private StreamThreadExceptionResponse failed(Throwable e) {
        LOG.error("{}: a stream thread failed and is replaced", id, e);
        boolean ranForLong = System.nanoTime() - runningSince > TimeUnit.MINUTES.toNanos(1);
        int inARow = ranForLong ? setOne() : failures.incrementAndGet();
        failing = new Health.Retrying(id + ": " + e, Instant.now());
        Duration pause = Duration.ofMillis(100L << Math.min(inARow - 1, 10));
        pause(pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause);
        return StreamThreadExceptionResponse.REPLACE_THREAD;
    }

    private int setOne() {
        failures.set(1);
        return 1;
    }

    private void pause(Duration pause) {
        try {
            if (closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.debug("{} closes while it waits to try again", id);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Streams goes on with the oldest record when its offset is gone, and says nothing. So the
     * offsets are compared before it starts.
     */
    private static Health.@Nullable LostRecords lost(String id, Properties properties) {
        Map<String, Object> client = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (!name.startsWith("producer.") && !name.contains("consumer.")) {
                client.put(name, properties.getProperty(name));
            }
        }
        try (Admin admin = Admin.create(client)) {
            Map<TopicPartition, OffsetAndMetadata> committed =
                    new HashMap<>(
                            admin.listConsumerGroupOffsets(id)
                                    .partitionsToOffsetAndMetadata()
                                    .get());
            committed.values().removeIf(Objects::isNull);
            Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
            committed.keySet().forEach(tp -> asked.put(tp, OffsetSpec.earliest()));
            var earliest = admin.listOffsets(asked).all().get();
            List<String> gaps = new ArrayList<>();
            committed.forEach(
                    (tp, next) -> {
                        var oldest = earliest.get(tp);
                        long first = oldest == null ? 0 : oldest.offset();
                        // A repartition topic is purged up to what was committed, never beyond.
                        if (next.offset() < first) {
                            gaps.add("%s from %d to %d".formatted(tp, next.offset(), first - 1));
                        }
                    });
            if (gaps.isEmpty()) {
                return null;
            }
            String what =
                    id + ": records were deleted before they were read: " + String.join(", ", gaps);
            LOG.error(what);
            return new Health.LostRecords(what, Instant.now());
        } catch (ExecutionException e) {
            throw new KafkaException("the offsets of " + id + " cannot be read", e.getCause());
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }
}
