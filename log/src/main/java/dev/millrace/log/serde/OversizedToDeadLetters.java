package dev.millrace.log.serde;

import dev.millrace.log.DeadLetters;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.streams.errors.ErrorHandlerContext;
import org.apache.kafka.streams.errors.ProductionExceptionHandler;

/**
 * An output that is too large for the log would fail for ever and hold its partition up; a dead
 * letter says so in its place. For applications without transactions: an open transaction cannot go
 * on after such a failure, so cores are refused before ({@code Turn.emit}). Whatever else fails to
 * be written is tried again. Made by Kafka Streams by name.
 */
public final class OversizedToDeadLetters implements ProductionExceptionHandler {

    @Override
    public Response handleError(
            ErrorHandlerContext context,
            ProducerRecord<byte[], byte[]> record,
            Exception exception) {
        if (!(exception instanceof RecordTooLargeException)) {
            return Response.fail();
        }
        return Response.resume(
                List.of(
                        DeadLetters.oversized(
                                context.topic(),
                                context.partition(),
                                context.offset(),
                                context.timestamp(),
                                record)));
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Nothing to configure: the topic is fixed.
    }
}
