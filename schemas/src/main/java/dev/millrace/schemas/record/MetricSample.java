package dev.millrace.schemas.record;

import java.util.Map;

/**
 * What a workflow says once about a metric that it declares.
 *
 * @param name as declared, without the prefix under which it is shown
 * @param labels by name
 */
public record MetricSample(
        String name, String help, Map<String, String> labels, MetricChange change) {
    public MetricSample {
        labels = labels == null ? Map.of() : labels;
    }
}
