package dev.millrace.workflowengine.topology;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.EntryType;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.record.MetricSample;
import dev.millrace.schemas.record.MetricSeries;
import dev.millrace.workflowengine.metrics.SeriesMachine;

/**
 * The metrics of the workflows of one partition. They change in the transaction of what they tell
 * of, so nothing is counted twice or forgotten, whatever is killed.
 */
final class MetricTotals {
    /** No workflow: those have a slash in their name. */
    private static final String ENTITY = "~metrics";

    private static final EntryType<MetricSeries> SERIES =
            EntryType.of("series", MetricSeries.class);
    private static final JsonSerde<MetricSeries> SERDE = JsonSerde.of(MetricSeries.class);

    private final int partition;

    MetricTotals(int partition) {
        this.partition = partition;
    }

    void change(MetricSample sample, Turn turn) {
        String id = SeriesMachine.id(sample.name(), sample.labels());
        MetricSeries before = turn.store().get(ENTITY, SERIES, id).orElse(null);
        MetricSeries after = SeriesMachine.after(before, sample, turn.now());
        turn.store().put(ENTITY, SERIES, id, after);
        turn.emit(EngineTopology.METRICS, partition + "/" + id, SERDE, after);
    }
}
