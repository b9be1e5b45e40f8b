package dev.millrace.log.stream;

import org.apache.kafka.common.header.Headers;

/**
 * A record for a core.
 *
 * @param entity key of the record
 * @param offset -1 if the topology made the record itself
 */
public record Input<I>(
        String entity, I value, String topic, int partition, long offset, Headers headers) {

    /** {@code topic/partition/offset}: where it came from. */
    public String origin() {
        return topic + "/" + partition + "/" + offset;
    }
}
