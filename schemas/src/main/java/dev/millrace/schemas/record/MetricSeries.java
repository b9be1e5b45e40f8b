package dev.millrace.schemas.record;

import java.time.Instant;
import java.util.Map;

/**
 * A record of {@code workflow-metrics}: where a metric stands with these labels, as far as the
 * workflows of one partition changed it. Keyed by partition, name and labels.
 *
 * @param name as declared, without the prefix under which it is shown
 * @param at the instant of the last change
 */
public record MetricSeries(
        String name, String help, Map<String, String> labels, Instant at, MetricValue value) {
    public MetricSeries {
        labels = labels == null ? Map.of() : labels;
    }
}
