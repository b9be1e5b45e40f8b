package dev.millrace.log.plain;

import dev.millrace.log.LogRecord;
import dev.millrace.log.serde.UndecodableRecordException;
import java.util.List;

/** What follows a topic; called by one thread. */
@FunctionalInterface
public interface TailHandler<V> {

    /**
     * Records in the order of their partitions, and the positions once they are taken in. An
     * exception means that nothing of the batch counts: the same batch comes again, for ever.
     */
    void batch(List<LogRecord<V>> records, Positions after) throws Exception;

    /** A record that cannot be read; it is skipped. It is logged already. */
    default void undecodable(UndecodableRecordException e) {}

    /** Records from (inclusive) to (exclusive) were deleted before they were read. */
    default void lost(int partition, long from, long to) {}
}
