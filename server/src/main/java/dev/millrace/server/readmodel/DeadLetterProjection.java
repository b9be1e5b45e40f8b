package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.DeadLetter;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** What could not be processed. */
final class DeadLetterProjection implements TopicProjection<DeadLetter> {

    private static final JsonSerde<DeadLetter> SERDE = JsonSerde.of(DeadLetter.class);

    @Override
    public String topic() {
        return Topics.DEAD_LETTERS;
    }

    @Override
    public RecordDecoder<DeadLetter> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<DeadLetter>> records) {
        for (LogRecord<DeadLetter> record : records) {
            DeadLetter letter = record.value();
            if (letter == null) {
                handle.execute("DELETE FROM dead_letters WHERE origin = ?", record.key());
            } else {
                handle.execute(
                        "INSERT OR REPLACE INTO dead_letters (origin, at, letter) VALUES (?, ?, ?)",
                        letter.origin(),
                        letter.at().toEpochMilli(),
                        Json.mapper().writeValueAsString(letter));
            }
        }
    }
}
