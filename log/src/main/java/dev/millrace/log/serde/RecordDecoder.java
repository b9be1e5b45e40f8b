package dev.millrace.log.serde;

import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Makes a value from a record; never asked about tombstones. */
@FunctionalInterface
public interface RecordDecoder<V> {

    /**
     * @throws UndecodableRecordException with the place of the record
     */
    V decode(ConsumerRecord<String, byte[]> record);
}
