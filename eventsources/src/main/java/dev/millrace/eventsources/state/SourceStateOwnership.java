package dev.millrace.eventsources.state;

import dev.millrace.eventsources.EntryKey;
import dev.millrace.eventsources.RetryPause;
import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.log.serde.Consumers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which partitions of {@code source-state} this process owns: its membership in a consumer group
 * that reads nothing. One process owns them all.
 */
public final class SourceStateOwnership implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SourceStateOwnership.class);
    private static final String GROUP = "millrace-eventsources";
    private static final Duration POLL = Duration.ofMillis(500);

    private final LogConnection log;
    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread loop;
    private int partitions;
    private volatile @Nullable Consumer<String, byte[]> current;

    private SourceStateOwnership(LogConnection log) {
        this.log = log;
        this.loop = Thread.ofPlatform().name("source-state-ownership").unstarted(this::run);
    }

    /** Joins the group. */
    public static SourceStateOwnership start(LogConnection log) {
        SourceStateOwnership ownership = new SourceStateOwnership(log);
        ownership.loop.start();
        return ownership;
    }

    /** Whether this process owns the partition of an entry now. */
    public synchronized boolean owns(EntryKey key) {
        return find(key) != null;
    }

    /** Waits until this process owns the partition of an entry. */
    public synchronized OwnedPartition await(EntryKey key) throws InterruptedException {
        while (true) {
            OwnedPartition mine = find(key);
            if (mine != null) {
                return mine;
            }
            wait();
        }
    }

    /** Removes the position of an entry that is gone, if it is this process's to do. */
    public void forget(EntryKey key) {
        OwnedPartition mine;
        synchronized (this) {
            mine = find(key);
        }
        if (mine != null) {
            mine.forget(key);
        }
    }

    /** Leaves the group, so that others take over at once. */
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
        loseAll();
    }

    private @Nullable OwnedPartition find(EntryKey key) {
        if (partitions == 0) {
            return null;
        }
        // As the default partitioner of producers does it.
        int hash = Utils.murmur2(key.toString().getBytes(StandardCharsets.UTF_8));
        return owned.get(Utils.toPositive(hash) % partitions);
    }

    private void run() {
        for (int failures = 1; !isClosed(); failures++) {
            try (Consumer<String, byte[]> consumer = Consumers.group(log, GROUP, 1)) {
                current = consumer;
                learnPartitions(consumer.partitionsFor(Topics.SOURCE_STATE).size());
                consumer.subscribe(List.of(Topics.SOURCE_STATE), new Membership(consumer));
                while (!isClosed()) {
                    consumer.poll(POLL);
                }
            } catch (WakeupException | InterruptException e) {
                LOG.debug("The ownership of source state was woken");
            } catch (RuntimeException e) {
                LOG.error("The membership for source state failed and is begun anew", e);
                pause(failures);
            } finally {
                loseAll();
            }
        }
    }

    private boolean isClosed() {
        return closed.getCount() == 0;
    }

    @SuppressWarnings("ReturnValueIgnored") // both ends of the wait lead to another look
    private void pause(int failures) {
        try {
            Duration pause = RetryPause.DEFAULT.after(failures, RandomGenerator.getDefault());
            closed.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void learnPartitions(int count) {
        if (count == 0) {
            throw new InfrastructureException(
                    "topic " + Topics.SOURCE_STATE + " does not exist", null);
        }
        partitions = count;
    }

    private synchronized void own(Collection<TopicPartition> assigned) {
        assigned.forEach(p -> owned.put(p.partition(), new OwnedPartition(log, p.partition())));
        notifyAll();
    }

    private void lose(Collection<Integer> partitionNumbers) {
        for (Integer number : partitionNumbers) {
            OwnedPartition gone;
            synchronized (this) {
                gone = owned.remove(number);
            }
            if (gone != null) {
                gone.lose();
            }
        }
    }

    private void loseAll() {
        List<Integer> all;
        synchronized (this) {
            all = List.copyOf(owned.keySet());
        }
        lose(all);
    }

    private final class Membership implements ConsumerRebalanceListener {

        private final Consumer<String, byte[]> consumer;

        Membership(Consumer<String, byte[]> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
            // The records are read elsewhere; a position of any kind is needed, else poll fails.
            consumer.seekToBeginning(assigned);
            consumer.pause(assigned);
            own(assigned);
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
            lose(revoked.stream().map(TopicPartition::partition).toList());
        }

        @Override
        public void onPartitionsLost(Collection<TopicPartition> gone) {
            onPartitionsRevoked(gone);
        }
    }
}
