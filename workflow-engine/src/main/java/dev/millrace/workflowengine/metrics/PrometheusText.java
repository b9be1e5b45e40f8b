package dev.millrace.workflowengine.metrics;

import dev.millrace.schemas.record.MetricChange.Follow;
import dev.millrace.schemas.record.MetricSeries;
import dev.millrace.schemas.record.MetricValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;

/** Series as Prometheus reads them (text format 0.0.4). */
public final class PrometheusText {
    /** Under which dashboards of the field look for them. */
    public static final String PREFIX = "argo_workflows_";

    private PrometheusText() {}

    /**
     * Writes all series, those of several partitions put together, in the order of names and
     * labels. Of a name that has series of several types, only those of the type that changed last
     * are there, since the format knows one.
     *
     * @param duration the seconds that something has been running; empty if it is gone, and then
     *     its series is left out
     */
    public static String of(
            Collection<MetricSeries> series, Function<Follow, OptionalDouble> duration) {
        Map<String, MetricSeries> whole = new TreeMap<>();
        series.forEach(
                s ->
                        whole.merge(
                                SeriesMachine.id(s.name(), s.labels()),
                                s,
                                SeriesMachine::together));
        Map<String, List<MetricSeries>> families = new TreeMap<>();
        whole.values()
                .forEach(s -> families.computeIfAbsent(s.name(), _ -> new ArrayList<>()).add(s));
        StringBuilder text = new StringBuilder();
        families.values().forEach(family -> family(text, family, duration));
        return text.toString();
    }

    private static void family(
            StringBuilder text,
            List<MetricSeries> family,
            Function<Follow, OptionalDouble> duration) {
        MetricSeries newest =
                family.stream().max(Comparator.comparing(MetricSeries::at)).orElseThrow();
        StringBuilder samples = new StringBuilder();
        for (MetricSeries s : family) {
            if (type(s.value()).equals(type(newest.value()))) {
                samples(samples, s, duration);
            }
        }
        if (!samples.isEmpty()) {
            String name = PREFIX + newest.name();
            text.append("# HELP ").append(name).append(' ').append(help(newest.help()));
            text.append("\n# TYPE ").append(name).append(' ').append(type(newest.value()));
            text.append('\n').append(samples);
        }
    }

    private static String type(MetricValue value) {
        return switch (value) {
            case MetricValue.Counter _ -> "counter";
            case MetricValue.Gauge _ -> "gauge";
            case MetricValue.Histogram _ -> "histogram";
        };
    }

    private static void samples(
            StringBuilder text, MetricSeries s, Function<Follow, OptionalDouble> duration) {
        String name = PREFIX + s.name();
        switch (s.value()) {
            case MetricValue.Counter(var total) -> line(text, name, s.labels(), number(total));
            case MetricValue.Gauge(var value, _, var following) -> {
                OptionalDouble now =
                        following == null ? OptionalDouble.of(value) : duration.apply(following);
                now.ifPresent(v -> line(text, name, s.labels(), number(v)));
            }
            case MetricValue.Histogram(var buckets, var counts, var sum) -> {
                for (int i = 0; i < counts.size(); i++) {
                    Map<String, String> labels = new TreeMap<>(s.labels());
                    labels.put("le", i < buckets.size() ? number(buckets.get(i)) : "+Inf");
                    line(text, name + "_bucket", labels, counts.get(i).toString());
                }
                line(text, name + "_sum", s.labels(), number(sum));
                line(text, name + "_count", s.labels(), counts.getLast().toString());
            }
        }
    }

    private static void line(
            StringBuilder text, String name, Map<String, String> labels, String value) {
        text.append(name);
        if (!labels.isEmpty()) {
            String separator = "{";
            for (Map.Entry<String, String> label : new TreeMap<>(labels).entrySet()) {
                text.append(separator).append(label.getKey()).append("=\"");
                text.append(help(label.getValue()).replace("\"", "\\\"")).append('"');
                separator = ",";
            }
            text.append('}');
        }
        text.append(' ').append(value).append('\n');
    }

    private static String help(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String number(double value) {
        return Double.toString(value);
    }
}
