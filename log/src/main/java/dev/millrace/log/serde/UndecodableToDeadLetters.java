package dev.millrace.log.serde;

import dev.millrace.log.DeadLetters;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.errors.DeserializationExceptionHandler;
import org.apache.kafka.streams.errors.ErrorHandlerContext;

/**
 * A record that cannot be read goes to the dead letters, in the same transaction as everything
 * else, and the partition goes on. Made by Kafka Streams by name.
 */
public final class UndecodableToDeadLetters implements DeserializationExceptionHandler {

    @Override
    public Response handleError(
            ErrorHandlerContext context,
            ConsumerRecord<byte[], byte[]> record,
            Exception exception) {
        return Response.resume(List.of(DeadLetters.undecodable(record, exception)));
    }

    @Override
    public void configure(Map<String, ?> configs) {
        // Nothing to configure: the topic is fixed.
    }
}
