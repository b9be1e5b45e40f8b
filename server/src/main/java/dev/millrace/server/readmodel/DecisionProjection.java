package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Decision;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** What became of events. */
final class DecisionProjection implements TopicProjection<Decision> {

    private static final JsonSerde<Decision> SERDE = JsonSerde.of(Decision.class);

    private final EventAnswers answers;
    private List<Decision> last = List.of();

    DecisionProjection(EventAnswers answers) {
        this.answers = answers;
    }

    @Override
    public String topic() {
        return Topics.DECISIONS;
    }

    @Override
    public RecordDecoder<Decision> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<Decision>> records) {
        last = records.stream().map(LogRecord::requiredValue).toList();
        for (LogRecord<Decision> record : records) {
            Decision decision = record.requiredValue();
            handle.execute(
                    "INSERT OR REPLACE INTO decisions (part, position, event, at, decision) VALUES (?, ?, ?, ?, ?)",
                    record.partition(),
                    record.offset(),
                    decision.eventId(),
                    decision.at().toEpochMilli(),
                    Json.mapper().writeValueAsString(decision));
        }
    }

    @Override
    public void committed() {
        answers.told(last);
        last = List.of();
    }
}
