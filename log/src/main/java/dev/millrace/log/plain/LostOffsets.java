package dev.millrace.log.plain;

import dev.millrace.log.DeadLetters;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.DeadLetter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a worker does when its offset is not in the log any more. Standing still would only lose
 * more, so it goes on, but never silently: health, log, and a dead letter that outlives the
 * process.
 */
final class LostOffsets {

    private static final Logger LOG = LoggerFactory.getLogger(LostOffsets.class);

    private final String groupId;
    private final DeadLetters deadLetters;
    private final WorkerHealth health;

    LostOffsets(String groupId, DeadLetters deadLetters, WorkerHealth health) {
        this.groupId = groupId;
        this.deadLetters = deadLetters;
        this.health = health;
    }

    void goOn(Consumer<String, byte[]> consumer, OffsetOutOfRangeException e) {
        Map<TopicPartition, Long> wanted = e.offsetOutOfRangePartitions();
        Map<TopicPartition, Long> begin = consumer.beginningOffsets(wanted.keySet());
        Map<TopicPartition, Long> end = consumer.endOffsets(wanted.keySet());
        wanted.forEach(
                (tp, offset) -> {
                    long first = begin.getOrDefault(tp, 0L);
                    if (offset < first) {
                        report(
                                tp,
                                offset,
                                "records %d to %d of %s were deleted before they were read (retention)"
                                        .formatted(offset, first - 1, tp));
                        consumer.seek(tp, first);
                    } else {
                        long resume = resume(e, tp, end.getOrDefault(tp, first));
                        report(
                                tp,
                                offset,
                                "%s ends before offset %d that was read already: its tail was lost (power cut, or another data folder); going on at %d"
                                        .formatted(tp, offset, resume));
                        consumer.seek(tp, resume);
                    }
                });
    }

    /**
     * Where the log that we read and the log that is there part; without that knowledge its end.
     */
    private static long resume(OffsetOutOfRangeException e, TopicPartition tp, long end) {
        if (e instanceof LogTruncationException truncated) {
            OffsetAndMetadata divergent = truncated.divergentOffsets().get(tp);
            if (divergent != null) {
                return divergent.offset();
            }
        }
        return end;
    }

    private void report(TopicPartition tp, long offset, String what) {
        LOG.error("{}: {}", groupId, what);
        health.lost(what);
        String origin = "%s/%d/%d/%s".formatted(tp.topic(), tp.partition(), offset, groupId);
        var _ =
                deadLetters
                        .send(
                                new DeadLetter(
                                        origin,
                                        origin,
                                        null,
                                        groupId + ": " + what,
                                        Json.mapper().nullNode(),
                                        List.of(),
                                        Instant.now()))
                        .whenComplete(
                                (_, failure) -> {
                                    if (failure != null) {
                                        LOG.error("{}: no dead letter about it", groupId, failure);
                                    }
                                });
    }
}
