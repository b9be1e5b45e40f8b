package dev.millrace.server.history;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.log.serde.Consumers;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the transitions of one workflow from {@code workflow-events}, with a consumer of its own.
 */
public final class WorkflowHistory {

    private static final JsonSerde<WorkflowTransition> SERDE =
            JsonSerde.of(WorkflowTransition.class);
    private static final Duration POLL = Duration.ofMillis(200);

    /** A log that does not move for so long is not there. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Between the time of a record and what the engine took for the time of the submission. */
    private static final Duration SLACK = Duration.ofMinutes(1);

    private final LogConnection log;
    private final AtomicLong readers = new AtomicLong();

    public WorkflowHistory(LogConnection log) {
        this.log = log;
    }

    /** Takes transitions, in order. */
    public interface Reader {
        void next(LogRecord<WorkflowTransition> transition);
    }

    /**
     * Reads the transitions of one life of a workflow, from its submission to the last one that the
     * row holds.
     *
     * @return whether the submission was found; a workflow that is deleted meanwhile loses it
     * @throws InfrastructureException if the log does not answer
     */
    public boolean read(Row row, Reader reader) {
        Map.Entry<Integer, Long> version = row.version().next().entrySet().iterator().next();
        TopicPartition partition = new TopicPartition(Topics.WORKFLOW_EVENTS, version.getKey());
        try (Consumer<String, byte[]> consumer =
                Consumers.tail(log, "history-" + readers.incrementAndGet())) {
            consumer.assign(List.of(partition));
            long beginning = offset(consumer.beginningOffsets(List.of(partition)), partition);
            long likely = Math.max(beginning, near(consumer, partition, row.created()));
            return new Scan(row, reader).run(consumer, partition, likely, version.getValue())
                    // Times in the log are a guess of where to begin, no more.
                    || (likely > beginning
                            && new Scan(row, reader)
                                    .run(consumer, partition, beginning, version.getValue()));
        }
    }

    private static long near(
            Consumer<String, byte[]> consumer, TopicPartition partition, Instant created) {
        OffsetAndTimestamp found =
                consumer.offsetsForTimes(Map.of(partition, created.minus(SLACK).toEpochMilli()))
                        .get(partition);
        return found == null ? 0 : found.offset();
    }

    private static long offset(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return Objects.requireNonNull(offsets.get(partition), "the broker knows the partition");
    }

    /** One pass over a part of the partition. */
    private static final class Scan {

        private final Row row;
        private final Reader reader;
        private final String prefix;
        private boolean begun;

        Scan(Row row, Reader reader) {
            this.row = row;
            this.reader = reader;
            this.prefix = WorkflowRef.key(row.namespace(), row.name()) + "/";
        }

        /** Whether the submission lies between the offsets; only then was anything handed on. */
        boolean run(
                Consumer<String, byte[]> consumer, TopicPartition partition, long from, long to) {
            consumer.seek(partition, from);
            long at = from;
            Duration idle = Duration.ZERO;
            while (at < to) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(POLL)) {
                    if (record.offset() < to && record.value() != null && isOurs(record.key())) {
                        take(record);
                    }
                }
                long next = consumer.position(partition);
                idle = next > at ? Duration.ZERO : idle.plus(POLL);
                at = next;
                if (idle.compareTo(PATIENCE) > 0) {
                    throw new InfrastructureException(
                            "%s does not go on at offset %d".formatted(partition, at), null);
                }
            }
            return begun;
        }

        private boolean isOurs(String key) {
            return key.startsWith(prefix);
        }

        private void take(ConsumerRecord<String, byte[]> record) {
            WorkflowTransition transition = SERDE.decode(record);
            if (!transition.uid().equals(row.uid())) {
                return;
            }
            begun |=
                    transition.events().stream()
                            .anyMatch(WorkflowEvent.Submitted.class::isInstance);
            if (begun) {
                reader.next(
                        new LogRecord<>(
                                record.topic(),
                                record.partition(),
                                record.offset(),
                                Instant.ofEpochMilli(record.timestamp()),
                                record.key(),
                                transition,
                                record.headers()));
            }
        }
    }
}
