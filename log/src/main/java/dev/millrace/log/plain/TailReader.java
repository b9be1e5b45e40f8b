package dev.millrace.log.plain;

import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.serde.Consumers;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.log.serde.UndecodableRecordException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows all partitions of a topic for ever, without a group: from the beginning, or from
 * positions that its owner kept. What a transaction has not committed is not seen.
 */
public final class TailReader<V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TailReader.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private record Waiter(Positions until, CompletableFuture<@Nullable Void> future) {}

    private final LogConnection log;
    private final String name;
    private final String topic;
    private final RecordDecoder<V> decoder;
    private final TailHandler<V> handler;
    private final WorkerHealth health;
    private final List<Waiter> waiters = new ArrayList<>();
    private final CompletableFuture<@Nullable Void> caughtUp = new CompletableFuture<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread loop;
    private volatile Positions positions;
    private volatile @Nullable Consumer<String, byte[]> current;

    private TailReader(
            LogConnection log,
            String name,
            String topic,
            Positions from,
            RecordDecoder<V> decoder,
            TailHandler<V> handler) {
        this.log = log;
        this.name = name;
        this.topic = topic;
        this.positions = from;
        this.decoder = decoder;
        this.handler = handler;
        this.health = new WorkerHealth(name);
        this.loop = Thread.ofPlatform().name(name).unstarted(this::run);
    }

    /**
     * Starts a reader on a thread of its own.
     *
     * @param name of the thread and client
     * @param from where it goes on; {@link Positions#START} for the beginning
     */
    public static <V> TailReader<V> start(
            LogConnection log,
            String name,
            String topic,
            Positions from,
            RecordDecoder<V> decoder,
            TailHandler<V> handler) {
        TailReader<V> reader = new TailReader<>(log, name, topic, from, decoder, handler);
        reader.loop.start();
        return reader;
    }

    /** How far it is: everything below was handled. */
    public Positions positions() {
        return positions;
    }

    /** How it is doing; ready once it has caught up. */
    public Health health() {
        return health.now();
    }

    /** Completes once all was handled that stood in the topic when the reader started. */
    public CompletableFuture<@Nullable Void> caughtUp() {
        return caughtUp.copy();
    }

    /** Completes once the record at that place was handled. Bound it with {@code orTimeout}. */
    public CompletableFuture<@Nullable Void> seen(int partition, long offset) {
        return seen(new Positions(Map.of(partition, offset + 1)));
    }

    /** Completes once everything below the given positions was handled. */
    public CompletableFuture<@Nullable Void> seen(Positions until) {
        CompletableFuture<@Nullable Void> future = new CompletableFuture<>();
        synchronized (waiters) {
            if (positions.covers(until)) {
                future.complete(null);
            } else if (isClosed()) {
                future.completeExceptionally(new IllegalStateException(name + " is closed"));
            } else {
                // Those who gave up leave here, so that a reader that stands still keeps none.
                waiters.removeIf(w -> w.future().isDone());
                waiters.add(new Waiter(until, future));
            }
        }
        return future;
    }

    /** Stops after the batch at hand. */
    @Override
    public void close() {
        closed.countDown();
        Consumer<String, byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        try {
            loop.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        List<Waiter> left;
        synchronized (waiters) {
            left = List.copyOf(waiters);
            waiters.clear();
        }
        IllegalStateException reason = new IllegalStateException(name + " is closed");
        left.forEach(w -> w.future().completeExceptionally(reason));
        caughtUp.completeExceptionally(reason);
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    private void run() {
        for (int failures = 1; !isClosed(); failures++) {
            try (Consumer<String, byte[]> consumer = Consumers.tail(log, name)) {
                current = consumer;
                follow(consumer);
            } catch (WakeupException | InterruptException e) {
                LOG.debug("{} was woken", name);
            } catch (RuntimeException e) {
                LOG.error("{}: the consumer failed and is made anew", name, e);
                health.failed("consumer", e);
                pause(Backoff.DEFAULT.after(failures));
            }
        }
    }

    private void follow(Consumer<String, byte[]> consumer) {
        List<TopicPartition> partitions = assign(consumer);
        Positions goal = caughtUp.isDone() ? Positions.START : ends(consumer, partitions);
        while (!isClosed()) {
            advance(partitions, goal);
            List<LogRecord<V>> batch = poll(consumer);
            Positions after = positions(consumer, partitions);
            if (after == null) {
                continue;
            }
            if (!batch.isEmpty()) {
                hand(batch, after);
            }
            positions = after;
        }
    }

    private List<TopicPartition> assign(Consumer<String, byte[]> consumer) {
        var known = consumer.partitionsFor(topic);
        if (known == null || known.isEmpty()) {
            throw new InfrastructureException("topic " + topic + " does not exist", null);
        }
        List<TopicPartition> partitions =
                known.stream().map(p -> new TopicPartition(topic, p.partition())).toList();
        consumer.assign(partitions);
        for (TopicPartition tp : partitions) {
            Long next = positions.next().get(tp.partition());
            if (next == null) {
                consumer.seekToBeginning(List.of(tp));
            } else {
                consumer.seek(tp, next);
            }
        }
        return partitions;
    }

    private static Positions ends(
            Consumer<String, byte[]> consumer, List<TopicPartition> partitions) {
        Map<Integer, Long> ends = new HashMap<>();
        consumer.endOffsets(partitions).forEach((tp, end) -> ends.put(tp.partition(), end));
        return new Positions(ends);
    }

    /** Tells those who wait for the positions that stand now. */
    private void advance(List<TopicPartition> partitions, Positions goal) {
        Positions now = positions;
        if (!caughtUp.isDone() && now.covers(goal)) {
            LOG.info("{} has caught up with {} ({} partitions)", name, topic, partitions.size());
            health.started();
            caughtUp.completeAsync(() -> null);
        }
        synchronized (waiters) {
            for (Iterator<Waiter> i = waiters.iterator(); i.hasNext(); ) {
                Waiter waiter = i.next();
                if (waiter.future().isDone() || now.covers(waiter.until())) {
                    i.remove();
                    // Not on this thread: what depends on it may block.
                    waiter.future().completeAsync(() -> null);
                }
            }
        }
    }

    private List<LogRecord<V>> poll(Consumer<String, byte[]> consumer) {
        List<LogRecord<V>> batch = new ArrayList<>();
        try {
            for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                decode(record, batch);
            }
            health.recovered("consumer");
        } catch (OffsetOutOfRangeException e) {
            goOnAfterLoss(consumer, e);
        }
        return batch;
    }

    private void decode(ConsumerRecord<String, byte[]> record, List<LogRecord<V>> batch) {
        try {
            V value = record.value() == null ? null : decoder.decode(record);
            batch.add(
                    new LogRecord<>(
                            record.topic(),
                            record.partition(),
                            record.offset(),
                            Instant.ofEpochMilli(record.timestamp()),
                            record.key(),
                            value,
                            record.headers()));
        } catch (UndecodableRecordException e) {
            LOG.error("{} skips a record: {}", name, e.getMessage());
            handler.undecodable(e);
        }
    }

    /**
     * Local knowledge of the consumer; it counts the ends of transactions, which no batch holds.
     */
    private @Nullable Positions positions(
            Consumer<String, byte[]> consumer, List<TopicPartition> partitions) {
        Map<Integer, Long> next = new HashMap<>();
        try {
            for (TopicPartition tp : partitions) {
                next.put(tp.partition(), consumer.position(tp));
            }
        } catch (OffsetOutOfRangeException e) {
            goOnAfterLoss(consumer, e);
            return null;
        }
        return new Positions(next);
    }

    private void hand(List<LogRecord<V>> batch, Positions after) {
        for (int failures = 1; ; failures++) {
            try {
                handler.batch(batch, after);
                health.recovered("handler");
                return;
            } catch (Exception e) {
                LOG.error("{}: a batch of {} failed and is tried again", name, batch.size(), e);
                health.failed("handler", e);
                if (pause(Backoff.DEFAULT.after(failures))) {
                    throw new WakeupException();
                }
            }
        }
    }

    private void goOnAfterLoss(Consumer<String, byte[]> consumer, OffsetOutOfRangeException e) {
        Map<TopicPartition, Long> wanted = e.offsetOutOfRangePartitions();
        Map<TopicPartition, Long> begin = consumer.beginningOffsets(wanted.keySet());
        wanted.forEach(
                (tp, offset) -> {
                    long first = begin.getOrDefault(tp, 0L);
                    String what =
                            offset < first
                                    ? "records %d to %d of %s are gone"
                                            .formatted(offset, first - 1, tp)
                                    : "%s ends before offset %d: it is not the log that was read"
                                            .formatted(tp, offset);
                    LOG.error("{}: {}; going on at {}", name, what, first);
                    health.lost(what);
                    handler.lost(tp.partition(), offset, Math.max(first, offset));
                    consumer.seek(tp, first);
                });
    }

    /** True if the reader was closed meanwhile. */
    private boolean pause(Duration pause) {
        try {
            return closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
