package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.MetricSeries;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The metrics that workflows declare, as each partition of the engine has them. */
final class MetricProjection implements TopicProjection<MetricSeries> {

    private static final JsonSerde<MetricSeries> SERDE = JsonSerde.of(MetricSeries.class);

    @Override
    public String topic() {
        return Topics.WORKFLOW_METRICS;
    }

    @Override
    public RecordDecoder<MetricSeries> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<MetricSeries>> records) {
        for (LogRecord<MetricSeries> record : records) {
            MetricSeries series = record.value();
            if (series == null) {
                handle.execute("DELETE FROM metrics WHERE id = ?", record.key());
            } else {
                handle.execute(
                        "INSERT OR REPLACE INTO metrics (id, series) VALUES (?, ?)",
                        record.key(),
                        Json.mapper().writeValueAsString(series));
            }
        }
    }
}
