package dev.millrace.workflowengine.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.MetricChange;
import dev.millrace.schemas.record.MetricSample;
import dev.millrace.schemas.record.MetricSeries;
import dev.millrace.schemas.record.WorkflowRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /** Series by partition and id, as the engine has them. */
    private final Map<String, MetricSeries> series = new LinkedHashMap<>();

    private int seconds;

    private void told(int partition, String name, Map<String, String> labels, MetricChange change) {
        MetricSample sample = new MetricSample(name, "about " + name, labels, change);
        series.compute(
                partition + "/" + SeriesMachine.id(name, labels),
                (_, before) -> SeriesMachine.after(before, sample, START.plusSeconds(seconds++)));
    }

    private String text() {
        return PrometheusText.of(series.values(), _ -> OptionalDouble.of(2.5));
    }

    @Test
    void countersOfAllPartitionsAreOne() {
        told(0, "c", Map.of("status", "Failed"), new MetricChange.Count(1));
        told(1, "c", Map.of("status", "Failed"), new MetricChange.Count(2));
        told(1, "c", Map.of("status", "Succeeded"), new MetricChange.Count(4));
        assertThat(text())
                .isEqualTo(
                        """
                        # HELP argo_workflows_c about c
                        # TYPE argo_workflows_c counter
                        argo_workflows_c{status="Failed"} 3.0
                        argo_workflows_c{status="Succeeded"} 4.0
                        """);
    }

    @Test
    void aGaugeIsWhatWasSetLastAndWhatWasAddedSince() {
        told(0, "g", Map.of(), new MetricChange.Put(5));
        told(1, "g", Map.of(), new MetricChange.Put(7));
        told(1, "g", Map.of(), new MetricChange.Move(-1));
        told(0, "sum", Map.of(), new MetricChange.Move(2));
        told(1, "sum", Map.of(), new MetricChange.Move(3));
        assertThat(text()).contains("argo_workflows_g 6.0\n").contains("argo_workflows_sum 5.0\n");
    }

    @Test
    void aHistogramCountsEachValueInAllBucketsAboveIt() {
        List<Double> buckets = List.of(1.0, 2.0);
        told(0, "h", Map.of("a", "b"), new MetricChange.Observe(1, buckets));
        told(1, "h", Map.of("a", "b"), new MetricChange.Observe(1.5, buckets));
        told(1, "h", Map.of("a", "b"), new MetricChange.Observe(9, buckets));
        assertThat(text())
                .isEqualTo(
                        """
                        # HELP argo_workflows_h about h
                        # TYPE argo_workflows_h histogram
                        argo_workflows_h_bucket{a="b",le="1.0"} 1
                        argo_workflows_h_bucket{a="b",le="2.0"} 2
                        argo_workflows_h_bucket{a="b",le="+Inf"} 3
                        argo_workflows_h_sum{a="b"} 11.5
                        argo_workflows_h_count{a="b"} 3
                        """);
    }

    @Test
    void aGaugeInRealTimeShowsHowLongItLastsAndGoesWithWhatItFollows() {
        told(
                0,
                "d",
                Map.of(),
                new MetricChange.Follow(new WorkflowRef("n", "w", "u"), null, START));
        assertThat(text()).contains("argo_workflows_d 2.5\n");
        assertThat(PrometheusText.of(series.values(), _ -> OptionalDouble.empty())).isEmpty();
    }

    @Test
    void ofANameWithTwoTypesTheLaterOneIsThere() {
        told(0, "x", Map.of("a", "1"), new MetricChange.Count(1));
        told(0, "x", Map.of("a", "2"), new MetricChange.Put(2));
        assertThat(text())
                .isEqualTo(
                        """
                        # HELP argo_workflows_x about x
                        # TYPE argo_workflows_x gauge
                        argo_workflows_x{a="2"} 2.0
                        """);
    }

    @Test
    void textsAreEscaped() {
        told(0, "t", Map.of("a", "q\"b\\c\nd"), new MetricChange.Count(1));
        assertThat(text()).contains("argo_workflows_t{a=\"q\\\"b\\\\c\\nd\"} 1.0\n");
    }

    @Test
    void itMakesNoDifferenceInHowManyPartitionsSamplesOfAKindCame() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<MetricChange> changes = new ArrayList<>();
            int kind = random.nextInt(3);
            for (int i = 0; i < 20; i++) {
                changes.add(
                        switch (kind) {
                            case 0 -> new MetricChange.Count(random.nextInt(9));
                            case 1 -> new MetricChange.Move(random.nextInt(9) - 4);
                            default ->
                                    new MetricChange.Observe(
                                            random.nextInt(9), List.of(2.0, 4.0, 6.0));
                        });
            }
            series.clear();
            changes.forEach(c -> told(0, "m", Map.of(), c));
            String one = text();
            series.clear();
            changes.forEach(c -> told(random.nextInt(4), "m", Map.of(), c));
            assertThat(text()).as("seed %d", seed).isEqualTo(one);
        }
    }
}
