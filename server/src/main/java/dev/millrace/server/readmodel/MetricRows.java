package dev.millrace.server.readmodel;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.MetricChange.Follow;
import dev.millrace.schemas.record.MetricSeries;
import dev.millrace.schemas.record.Node;
import dev.millrace.workflowengine.metrics.PrometheusText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The metrics that workflows declare, as they are read. */
public final class MetricRows {

    private MetricRows() {}

    /**
     * All of them for Prometheus, within the given transaction.
     *
     * @param now for the durations of what runs
     */
    public static String text(Handle handle, Instant now) {
        List<MetricSeries> series =
                handle.createQuery("SELECT series FROM metrics ORDER BY id")
                        .mapTo(String.class)
                        .map(json -> Json.mapper().readValue(json, MetricSeries.class))
                        .list();
        return PrometheusText.of(series, follow -> duration(handle, follow, now));
    }

    private static OptionalDouble duration(Handle handle, Follow follow, Instant now) {
        WorkflowRows rows = WorkflowRows.in(handle);
        Optional<WorkflowRows.Row> workflow =
                rows.row(follow.workflow().namespace(), follow.workflow().name())
                        .filter(row -> row.uid().equals(follow.workflow().uid()));
        if (workflow.isEmpty()) {
            return OptionalDouble.empty();
        }
        if (follow.nodeId() == null) {
            return seconds(follow.since(), workflow.get().finished(), now);
        }
        Optional<Node> node =
                rows.node(follow.workflow().namespace(), follow.workflow().name(), follow.nodeId());
        return node.isEmpty()
                ? OptionalDouble.empty()
                : seconds(follow.since(), node.get().finishedAt(), now);
    }

    private static OptionalDouble seconds(Instant since, @Nullable Instant until, Instant now) {
        Duration duration = Duration.between(since, until == null ? now : until);
        return OptionalDouble.of(Math.max(0, duration.toNanos() / 1e9));
    }
}
