package dev.millrace.log.plain;

import dev.millrace.log.DeadLetters;
import dev.millrace.log.LogRecord;
import dev.millrace.log.serde.RecordDecoder;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the handler over the records of a lane, one after the other, each until it is done. */
final class RecordProcessing<V> {

    private static final Logger LOG = LoggerFactory.getLogger(RecordProcessing.class);

    private final String groupId;
    private final RecordDecoder<V> decoder;
    private final RecordHandler<V> handler;
    private final DeadLetters deadLetters;
    private final WorkerOptions options;
    private final WorkerHealth health;
    private final Semaphore permits;
    private final ExecutorService threads;

    RecordProcessing(
            String groupId,
            RecordDecoder<V> decoder,
            RecordHandler<V> handler,
            DeadLetters deadLetters,
            WorkerOptions options,
            WorkerHealth health) {
        this.groupId = groupId;
        this.decoder = decoder;
        this.handler = handler;
        this.deadLetters = deadLetters;
        this.options = options;
        this.health = health;
        this.permits = new Semaphore(options.concurrency(), true);
        this.threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name(groupId + "-", 0).factory());
    }

    /** Handles the lane on a thread of its own until it is empty. */
    void drain(AssignedPartition partition, String lane) {
        threads.execute(
                () -> {
                    ConsumerRecord<String, byte[]> record;
                    while ((record = partition.begin(lane)) != null) {
                        boolean done = false;
                        try {
                            done = untilDone(partition, record);
                        } catch (InterruptedException e) {
                            // The close is over and did not wait for us: the record comes again.
                            Thread.currentThread().interrupt();
                        } finally {
                            partition.end(record, done);
                        }
                    }
                });
    }

    /** Interrupts the handlers that a close did not wait for. */
    void close() {
        threads.shutdownNow();
    }

    private boolean untilDone(AssignedPartition partition, ConsumerRecord<String, byte[]> record)
            throws InterruptedException {
        String place = record.topic() + "-" + record.partition() + "@" + record.offset();
        for (int failures = 1; ; failures++) {
            try {
                boolean done = attempt(partition, record);
                health.recovered(place);
                return done;
            } catch (InterruptedException e) {
                health.recovered(place);
                throw e;
            } catch (Throwable e) {
                if (Thread.currentThread().isInterrupted()) {
                    health.recovered(place);
                    throw new InterruptedException();
                }
                if (InfrastructureException.isInfrastructure(e)) {
                    LOG.warn(
                            "{}: {} failed, will be tried again: {}", groupId, place, e.toString());
                    health.failed(place, e);
                    partition.pause(options.backoff().after(failures));
                } else {
                    LOG.error("{}: {} goes to the dead letters", groupId, place, e);
                    health.recovered(place);
                    return bury(partition, record, e);
                }
            }
        }
    }

    /** False if the partition was dropped before the handler began. */
    private boolean attempt(AssignedPartition partition, ConsumerRecord<String, byte[]> record)
            throws Exception {
        V value = record.value() == null ? null : decoder.decode(record);
        LogRecord<V> decoded =
                new LogRecord<>(
                        record.topic(),
                        record.partition(),
                        record.offset(),
                        Instant.ofEpochMilli(record.timestamp()),
                        record.key(),
                        value,
                        record.headers());
        permits.acquire();
        try {
            if (partition.isDropped()) {
                return false;
            }
            handler.handle(decoded);
            return true;
        } finally {
            permits.release();
        }
    }

    private boolean bury(
            AssignedPartition partition, ConsumerRecord<String, byte[]> record, Throwable cause)
            throws InterruptedException {
        String reason =
                cause instanceof SerializationException
                        ? String.valueOf(cause.getMessage())
                        : groupId + ": " + cause;
        for (int failures = 1; !partition.isDropped(); failures++) {
            try {
                deadLetters
                        .send(
                                DeadLetters.of(
                                        record.topic(),
                                        record.partition(),
                                        record.offset(),
                                        record.key(),
                                        record.value(),
                                        reason,
                                        Instant.ofEpochMilli(record.timestamp())))
                        .get();
                health.recovered("dead letters");
                return true;
            } catch (ExecutionException | org.apache.kafka.common.KafkaException e) {
                LOG.warn("{}: the dead letter is not written yet: {}", groupId, e.toString());
                health.failed("dead letters", e);
                partition.pause(options.backoff().after(failures));
            }
        }
        return false;
    }
}
