package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a sample does to its metric. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = MetricChange.Count.class, name = "Count"),
    @JsonSubTypes.Type(value = MetricChange.Put.class, name = "Put"),
    @JsonSubTypes.Type(value = MetricChange.Move.class, name = "Move"),
    @JsonSubTypes.Type(value = MetricChange.Follow.class, name = "Follow"),
    @JsonSubTypes.Type(value = MetricChange.Observe.class, name = "Observe")
})
public sealed interface MetricChange {

    /** A counter grows; {@code by} is not negative. */
    record Count(double by) implements MetricChange {}

    /** A gauge has this value from now on. */
    record Put(double value) implements MetricChange {}

    /** A gauge changes by so much. */
    record Move(double by) implements MetricChange {}

    /**
     * A gauge is the duration, in seconds, of a node (of the workflow, if there is none) that runs
     * since then.
     */
    record Follow(WorkflowRef workflow, @Nullable String nodeId, Instant since)
            implements MetricChange {}

    /** A histogram gets one more value; {@code buckets} are their upper bounds, rising. */
    record Observe(double value, List<Double> buckets) implements MetricChange {
        public Observe {
            buckets = buckets == null ? List.of() : buckets;
        }
    }
}
