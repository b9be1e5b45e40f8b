package dev.millrace.log.plain;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.Health;
import dev.millrace.log.LogConnection;
import dev.millrace.log.serde.Consumers;
import dev.millrace.log.serde.RecordDecoder;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a consumer group whose work leaves the log: one loop reads, virtual threads handle,
 * and an offset is committed when everything below it is done. It never gives up; how it is doing
 * stands in {@link #health()}.
 */
public final class GroupWorker<V> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupWorker.class);

    /** Handlers end outside of the loop; it looks as often as this what is to be committed. */
    private static final Duration POLL = Duration.ofMillis(100);

    /** While nothing runs and all is committed. */
    private static final Duration IDLE_POLL = Duration.ofMillis(500);

    private final LogConnection log;
    private final String groupId;
    private final List<String> topics;
    private final WorkerOptions options;
    private final WorkerHealth health;
    private final RecordProcessing<V> processing;
    private final LostOffsets lostOffsets;
    private final Map<TopicPartition, AssignedPartition> assigned = new ConcurrentHashMap<>();
    private final Thread loop;
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Consumer<String, byte[]> current;

    private GroupWorker(
            LogConnection log,
            String groupId,
            Collection<String> topics,
            RecordDecoder<V> decoder,
            RecordHandler<V> handler,
            DeadLetters deadLetters,
            WorkerOptions options) {
        this.log = log;
        this.groupId = groupId;
        this.topics = List.copyOf(topics);
        this.options = options;
        this.health = new WorkerHealth(groupId);
        this.processing =
                new RecordProcessing<>(groupId, decoder, handler, deadLetters, options, health);
        this.lostOffsets = new LostOffsets(groupId, deadLetters, health);
        this.loop = Thread.ofPlatform().name(groupId).unstarted(this::run);
    }

    /**
     * Starts a worker. A new group begins with the oldest records.
     *
     * @param decoder makes values; records it cannot read go to the dead letters
     * @param deadLetters on a producer that never gives up; closed by the caller, after this worker
     */
    public static <V> GroupWorker<V> start(
            LogConnection log,
            String groupId,
            Collection<String> topics,
            RecordDecoder<V> decoder,
            RecordHandler<V> handler,
            DeadLetters deadLetters,
            WorkerOptions options) {
        GroupWorker<V> worker =
                new GroupWorker<>(log, groupId, topics, decoder, handler, deadLetters, options);
        worker.loop.start();
        return worker;
    }

    /** How it is doing, now. */
    public Health health() {
        return health.now();
    }

    /** Records taken up and not done. */
    public int inFlight() {
        return assigned.values().stream().mapToInt(AssignedPartition::inFlight).sum();
    }

    /**
     * Begins nothing new, waits for handlers that run (as long as the options say, then interrupts
     * them), commits what is done and leaves the group.
     */
    @Override
    public void close() {
        closing.countDown();
        Consumer<String, byte[]> consumer = current;
        if (consumer != null) {
            consumer.wakeup();
        }
        boolean interrupted = false;
        while (true) {
            try {
                loop.join();
                break;
            } catch (InterruptedException e) {
                // The close itself is bounded; the caller's interrupt is given back below.
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        int failures = 0;
        while (!isClosing()) {
            long since = System.nanoTime();
            try (Consumer<String, byte[]> consumer =
                    Consumers.group(log, groupId, Math.min(500, options.maxInFlight()))) {
                current = consumer;
                consumeUntilClosed(consumer);
            } catch (RuntimeException e) {
                if (isClosing()) {
                    LOG.warn("{}: the close was not clean: {}", groupId, e.toString());
                    break;
                }
                // A session that lasted for a while is a success: the next failure is a first one.
                failures = System.nanoTime() - since > 60_000_000_000L ? 1 : failures + 1;
                LOG.error("{}: the consumer failed and is made anew", groupId, e);
                health.failed("consumer", e);
                pause(options.backoff().after(failures));
            } finally {
                drop(List.copyOf(assigned.keySet()), Duration.ZERO);
            }
        }
        processing.close();
    }

    private void consumeUntilClosed(Consumer<String, byte[]> consumer) {
        consumer.subscribe(topics, new Rebalance(consumer));
        long nextCommit = System.nanoTime() + options.commitInterval().toNanos();
        try {
            while (!isClosing()) {
                throttle(consumer);
                poll(consumer);
                if (System.nanoTime() - nextCommit >= 0) {
                    commit(consumer, assigned.keySet());
                    nextCommit = System.nanoTime() + options.commitInterval().toNanos();
                }
            }
        } catch (WakeupException e) {
            LOG.debug("{} was woken to close", groupId);
        }
        List<TopicPartition> mine = List.copyOf(assigned.keySet());
        idle(mine, options.closeTimeout());
        try {
            commit(consumer, mine);
        } catch (WakeupException e) {
            // The loop saw the flag before the wake-up came; it comes once.
            commit(consumer, mine);
        }
    }

    private void throttle(Consumer<String, byte[]> consumer) {
        if (inFlight() >= options.maxInFlight()) {
            consumer.pause(consumer.assignment());
        } else if (!consumer.paused().isEmpty()) {
            consumer.resume(consumer.paused());
        }
    }

    private void poll(Consumer<String, byte[]> consumer) {
        try {
            ConsumerRecords<String, byte[]> records =
                    consumer.poll(isIdle() ? IDLE_POLL : shorter(POLL, options.commitInterval()));
            health.recovered("consumer");
            for (ConsumerRecord<String, byte[]> record : records) {
                AssignedPartition partition = partition(topicPartition(record));
                String lane = partition.add(record);
                if (lane != null) {
                    processing.drain(partition, lane);
                }
            }
            records.nextOffsets().forEach((tp, next) -> partition(tp).passed(next.offset()));
        } catch (NoOffsetForPartitionException e) {
            // A new group: everything that is still there is work for it.
            consumer.seekToBeginning(e.partitions());
        } catch (OffsetOutOfRangeException e) {
            lostOffsets.goOn(consumer, e);
        }
    }

    private boolean isIdle() {
        return assigned.values().stream().allMatch(p -> p.inFlight() == 0 && p.committable() < 0);
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private AssignedPartition partition(TopicPartition tp) {
        return assigned.computeIfAbsent(tp, _ -> new AssignedPartition(options.keepKeyOrder()));
    }

    private void commit(Consumer<String, byte[]> consumer, Collection<TopicPartition> which) {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        for (TopicPartition tp : which) {
            AssignedPartition partition = assigned.get(tp);
            long offset = partition == null ? -1 : partition.committable();
            if (offset >= 0) {
                offsets.put(tp, new OffsetAndMetadata(offset));
            }
        }
        if (offsets.isEmpty()) {
            return;
        }
        try {
            consumer.commitSync(offsets);
            offsets.forEach((tp, offset) -> partition(tp).committed(offset.offset()));
            health.recovered("commit");
        } catch (CommitFailedException | RebalanceInProgressException e) {
            // The partitions are on their way to others, who repeat what is not committed.
            LOG.info("{}: offsets not committed, the group is rebalancing", groupId);
        } catch (RetriableException e) {
            LOG.warn("{}: offsets not committed, will be with the next: {}", groupId, e.toString());
            health.failed("commit", e);
        }
    }

    private void idle(Collection<TopicPartition> which, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (TopicPartition tp : which) {
            AssignedPartition partition = assigned.get(tp);
            if (partition != null) {
                partition.drop();
            }
        }
        for (TopicPartition tp : which) {
            AssignedPartition partition = assigned.get(tp);
            try {
                if (partition != null && !partition.awaitIdle(deadline)) {
                    LOG.warn("{}: handlers of {} still run; others will repeat them", groupId, tp);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void drop(Collection<TopicPartition> which, Duration atMost) {
        idle(which, atMost);
        which.forEach(assigned::remove);
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** Sleeps, but not beyond a close. */
    private void pause(Duration pause) {
        try {
            if (closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.debug("{} was woken to close", groupId);
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private static TopicPartition topicPartition(ConsumerRecord<?, ?> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    private final class Rebalance implements ConsumerRebalanceListener {

        private final Consumer<String, byte[]> consumer;

        Rebalance(Consumer<String, byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            health.started();
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            // A close has waited already.
            idle(partitions, isClosing() ? Duration.ZERO : options.closeTimeout());
            commit(consumer, partitions);
            partitions.forEach(assigned::remove);
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> partitions) {
            drop(partitions, Duration.ZERO);
        }
    }
}
