package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.serde.RecordDecoder;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** How the records of one topic become rows. */
interface TopicProjection<V> {

    String topic();

    RecordDecoder<V> decoder();

    /** Writes the rows of a batch, inside the transaction that also keeps the positions. */
    void apply(Handle handle, List<LogRecord<V>> records);

    /** The transaction of the last {@link #apply} is committed; others may be told. */
    default void committed() {}

    /** The transaction of the last {@link #apply} failed; the same batch comes again. */
    default void rolledBack() {}
}
