package dev.millrace.workflowengine.metrics;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.MetricChange;
import dev.millrace.schemas.record.MetricSample;
import dev.millrace.schemas.record.MetricSeries;
import dev.millrace.schemas.record.MetricValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What samples make of a series. Each partition of the engine has its own series, so that a sample
 * is counted in the transaction that made it; readers put them together.
 */
public final class SeriesMachine {

    private SeriesMachine() {}

    /** What series with the same name and labels have in common. */
    public static String id(String name, Map<String, String> labels) {
        return name + "/" + Json.tree(new TreeMap<>(labels));
    }

    /**
     * The series after a sample. One of another type, or a histogram with other buckets, begins
     * anew.
     *
     * @param before null if there is none yet
     */
    public static MetricSeries after(
            @Nullable MetricSeries before, MetricSample sample, Instant at) {
        return new MetricSeries(
                sample.name(),
                sample.help(),
                sample.labels(),
                at,
                value(before == null ? null : before.value(), sample.change()));
    }

    private static MetricValue value(@Nullable MetricValue before, MetricChange change) {
        return switch (change) {
            case MetricChange.Count(var by) ->
                    new MetricValue.Counter(
                            by + (before instanceof MetricValue.Counter(var total) ? total : 0));
            case MetricChange.Put(var value) -> new MetricValue.Gauge(value, true, null);
            case MetricChange.Move(var by) ->
                    before instanceof MetricValue.Gauge(var value, var absolute, var following)
                                    && following == null
                            ? new MetricValue.Gauge(value + by, absolute, null)
                            : new MetricValue.Gauge(by, false, null);
            case MetricChange.Follow follow -> new MetricValue.Gauge(0, true, follow);
            case MetricChange.Observe(var value, var buckets) -> {
                MetricValue.Histogram known =
                        before instanceof MetricValue.Histogram h && h.buckets().equals(buckets)
                                ? h
                                : new MetricValue.Histogram(
                                        buckets, Collections.nCopies(buckets.size() + 1, 0L), 0);
                yield observed(known, value);
            }
        };
    }

    private static MetricValue.Histogram observed(MetricValue.Histogram before, double value) {
        List<Long> counts = new ArrayList<>(before.counts());
        for (int i = 0; i < counts.size(); i++) {
            if (i == counts.size() - 1 || value <= before.buckets().get(i)) {
                counts.set(i, counts.get(i) + 1);
            }
        }
        return new MetricValue.Histogram(before.buckets(), counts, before.sum() + value);
    }

    /**
     * What two partitions have of a series together. Where they do not agree on what it is, or
     * where a gauge was set, the later one counts.
     */
    static MetricSeries together(MetricSeries a, MetricSeries b) {
        MetricSeries last = a.at().isBefore(b.at()) ? b : a;
        MetricSeries first = last == a ? b : a;
        return new MetricSeries(
                last.name(),
                last.help(),
                last.labels(),
                last.at(),
                together(first.value(), last.value()));
    }

    private static MetricValue together(MetricValue first, MetricValue last) {
        return switch (last) {
            case MetricValue.Counter(var total) ->
                    new MetricValue.Counter(
                            total + (first instanceof MetricValue.Counter(var other) ? other : 0));
            case MetricValue.Gauge gauge ->
                    first instanceof MetricValue.Gauge other ? together(other, gauge) : gauge;
            case MetricValue.Histogram histogram ->
                    first instanceof MetricValue.Histogram other
                                    && other.buckets().equals(histogram.buckets())
                            ? sum(other, histogram)
                            : histogram;
        };
    }

    private static MetricValue together(MetricValue.Gauge first, MetricValue.Gauge last) {
        if (last.absolute()) {
            return last;
        }
        return first.following() != null
                ? last
                : new MetricValue.Gauge(first.value() + last.value(), first.absolute(), null);
    }

    private static MetricValue sum(MetricValue.Histogram a, MetricValue.Histogram b) {
        List<Long> counts = new ArrayList<>();
        for (int i = 0; i < a.counts().size(); i++) {
            counts.add(a.counts().get(i) + b.counts().get(i));
        }
        return new MetricValue.Histogram(a.buckets(), counts, a.sum() + b.sum());
    }
}
