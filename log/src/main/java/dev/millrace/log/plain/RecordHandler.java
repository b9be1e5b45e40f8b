package dev.millrace.log.plain;

import dev.millrace.log.LogRecord;

/** What a {@link GroupWorker} does with a record, on a virtual thread of its own. */
@FunctionalInterface
public interface RecordHandler<V> {

    /**
     * Returning means done or durably handed over: the record may never be seen again. It may be
     * seen twice (after a crash), so what it does must bear a repeat.
     *
     * @throws Exception of the infrastructure ({@link InfrastructureException}, {@code
     *     IOException}, {@code SQLException}, {@code KafkaException} …): the record is tried again
     *     for ever; any other: it goes to the dead letters
     */
    void handle(LogRecord<V> record) throws Exception;
}
