package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The value of a series, by the type of its metric. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = MetricValue.Counter.class, name = "Counter"),
    @JsonSubTypes.Type(value = MetricValue.Gauge.class, name = "Gauge"),
    @JsonSubTypes.Type(value = MetricValue.Histogram.class, name = "Histogram")
})
public sealed interface MetricValue {

    record Counter(double total) implements MetricValue {}

    /**
     * @param absolute whether {@code value} was ever set; else it is the sum of what was added
     * @param following what runs, if the gauge shows a duration; {@code value} means nothing then
     */
    record Gauge(double value, boolean absolute, MetricChange.@Nullable Follow following)
            implements MetricValue {}

    /**
     * @param buckets upper bounds, rising
     * @param counts values up to each bound, and all values as the last
     */
    record Histogram(List<Double> buckets, List<Long> counts, double sum) implements MetricValue {
        public Histogram {
            buckets = buckets == null ? List.of() : buckets;
            counts = counts == null ? List.of() : counts;
        }
    }
}
