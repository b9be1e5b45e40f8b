package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.MetricChange;
import dev.millrace.schemas.record.MetricSample;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EmissionsTest {

    private static List<MetricSample> samples(Scenario scenario) {
        return scenario.history().stream()
                .flatMap(d -> d.events().stream())
                .filter(WorkflowEvent.MetricEmitted.class::isInstance)
                .map(e -> ((WorkflowEvent.MetricEmitted) e).sample())
                .toList();
    }

    private static List<String> told(Scenario scenario) {
        return samples(scenario).stream()
                .map(s -> s.name() + " " + s.labels() + " " + Json.tree(s.change()))
                .toList();
    }

    private static Scenario given(String metrics) {
        return Scenario.given(
                """
                entrypoint: main
                templates:
                - name: main
                  inputs: {parameters: [{name: p, value: in}]}
                  outputs: {parameters: [{name: o, valueFrom: {path: /o}}]}
                  container: {image: a}
                  metrics: {prometheus: [%s]}
                """
                        .formatted(metrics));
    }

    @Test
    void aStepSaysAtItsEndWhatItDid() {
        Scenario ended =
                given(
                                """
                                {name: c, help: h, labels: [{key: s, value: "{{status}}"}, {key: p, value: "{{inputs.parameters.p}}"}],
                                 counter: {value: "{{outputs.parameters.o}}"}},
                                {name: g, help: h, gauge: {value: "{{duration}}"}},
                                {name: up, help: h, gauge: {value: "1.5", operation: Add}},
                                {name: down, help: h, gauge: {value: "2", operation: Sub}},
                                {name: h, help: h, histogram: {value: "{{exitCode}}", buckets: [10, 2.5]}},
                                {name: e, help: h, gauge: {value: "{{=status == 'Succeeded' ? 7 : 8}}"}},
                                {name: w, help: h, gauge: {value: "{{workflow.duration}}"}}
                                """)
                        .after(Duration.ofMillis(1_500))
                        .gives("wf", "", Map.of("o", "3"));
        assertThat(told(ended))
                .containsExactly(
                        "c {p=in, s=Succeeded} {\"kind\":\"Count\",\"by\":3.0}",
                        "g {} {\"kind\":\"Put\",\"value\":1.5}",
                        "up {} {\"kind\":\"Move\",\"by\":1.5}",
                        "down {} {\"kind\":\"Move\",\"by\":-2.0}",
                        "h {} {\"kind\":\"Observe\",\"value\":0.0,\"buckets\":[2.5,10.0]}",
                        "e {} {\"kind\":\"Put\",\"value\":7.0}",
                        "w {} {\"kind\":\"Put\",\"value\":1.5}");
        assertThat(ended.head().metricsError()).isNull();
    }

    @Test
    void aMetricWhoseConditionDoesNotHoldSaysNothingAndMayLackItsValue() {
        Scenario failed =
                given(
                                """
                                {name: a, help: h, when: "{{status}} == Succeeded", counter: {value: "{{outputs.parameters.o}}"}},
                                {name: b, help: h, when: "{{status}} == Failed", counter: {value: "1"}}
                                """)
                        .fails("wf", 1);
        assertThat(told(failed)).containsExactly("b {} {\"kind\":\"Count\",\"by\":1.0}");
        assertThat(failed.head().metricsError()).isNull();
    }

    @Test
    void whatIsWrongIsAConditionAndChangesNothingElse() {
        Scenario ended =
                given(
                                """
                                {name: "a b", help: h, counter: {value: "1"}},
                                {name: b, counter: {value: "1"}},
                                {name: c, help: h, counter: {value: "many"}},
                                {name: d, help: h, counter: {value: "-1"}},
                                {name: e, help: h, labels: [{key: l, value: "{{nothing}}"}], counter: {value: "1"}},
                                {name: f, help: h, labels: [{key: "l-l", value: "x"}], counter: {value: "1"}},
                                {name: g, help: h, when: "{{status}} ==", counter: {value: "1"}},
                                {name: h, help: h, gauge: {realtime: true, value: "{{status}}"}},
                                {name: i, help: h, gauge: {realtime: true, value: "3"}},
                                {name: ok, help: h, counter: {value: "1"}}
                                """)
                        .gives("wf", "", Map.of("o", "3"))
                        .isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(told(ended)).containsExactly("ok {} {\"kind\":\"Count\",\"by\":1.0}");
        assertThat(ended.head().metricsError())
                .contains("metric 'a b': the name 'a b' is invalid")
                .contains("metric 'b': it must contain a help string")
                .contains("metric 'c': 'many' is not a number")
                .contains("metric 'd': a counter cannot change by -1.0")
                .contains("metric 'e': failed to resolve {{nothing}}")
                .contains("metric 'f': the label 'l-l' is invalid")
                .contains("metric 'g': ")
                .contains("metric 'h': 'status' is not available as a real time metric")
                .contains("metric 'i': real time metrics can only be used with metric variables");
    }

    @Test
    void gaugesInRealTimeFollowWhatRuns() {
        Scenario running =
                Scenario.given(
                        """
                        entrypoint: main
                        metrics: {prometheus: [{name: w, help: h, gauge: {realtime: true, value: "{{workflow.duration}}"}}]}
                        templates:
                        - name: main
                          steps: [[{name: a, template: leaf}]]
                          metrics: {prometheus: [{name: s, help: h, gauge: {realtime: true, value: "{{duration}}"}}]}
                        - name: leaf
                          container: {image: a}
                          metrics: {prometheus: [{name: l, help: h, gauge: {realtime: true, value: "{{duration}}"}},
                            {name: t, help: h, gauge: {realtime: true, value: "{{workflow.duration}}"}}]}
                        """);
        String leaf = running.node("wf[0].a").id();
        assertThat(samples(running))
                .extracting(MetricSample::name)
                .containsExactlyInAnyOrder("w", "s", "l", "t");
        assertThat(samples(running))
                .filteredOn(s -> s.change() instanceof MetricChange.Follow f && f.nodeId() != null)
                .extracting(s -> ((MetricChange.Follow) s.change()).nodeId())
                .containsExactlyInAnyOrder("wf", leaf);
        running.succeeds("wf[0].a").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(samples(running)).hasSize(4);
    }

    @Test
    void theWorkflowSaysAtItsEndHowItEnded() {
        Scenario ended =
                Scenario.given(
                                """
                                entrypoint: main
                                onExit: bye
                                metrics: {prometheus: [{name: w, help: h, labels: [{key: s, value: "{{workflow.status}}"}],
                                  counter: {value: "1"}}]}
                                templates:
                                - {name: main, container: {image: a}}
                                - {name: bye, container: {image: a}}
                                """)
                        .fails("wf", 1);
        assertThat(told(ended)).isEmpty();
        ended.succeeds("wf.onExit");
        assertThat(told(ended)).containsExactly("w {s=Failed} {\"kind\":\"Count\",\"by\":1.0}");
    }

    @Test
    void eachAttemptCountsOnceAndTheLastAsItsRetryNode() {
        Scenario ended =
                Scenario.given(
                                """
                                entrypoint: main
                                templates:
                                - name: main
                                  retryStrategy: {limit: 2}
                                  container: {image: a}
                                  metrics: {prometheus: [{name: runs, help: h,
                                    labels: [{key: code, value: "{{exitCode}}"}, {key: nth, value: "{{retries}}"}],
                                    counter: {value: "1"}}]}
                                """)
                        .fails("wf(0)", 1)
                        .fails("wf(1)", 2)
                        .succeeds("wf(2)");
        assertThat(told(ended))
                .containsExactly(
                        "runs {code=1, nth=0} {\"kind\":\"Count\",\"by\":1.0}",
                        "runs {code=2, nth=1} {\"kind\":\"Count\",\"by\":1.0}",
                        "runs {code=0, nth=2} {\"kind\":\"Count\",\"by\":1.0}");
    }

    @Test
    void eachRunOfARetriedWorkflowSaysHowItEnded() {
        Scenario retried =
                Scenario.given(
                                """
                                entrypoint: main
                                metrics: {prometheus: [
                                  {name: w, help: h, labels: [{key: s, value: "{{workflow.status}}"}], counter: {value: "1"}},
                                  {name: odd, help: h, counter: {value: x}},
                                  {name: d, help: h, gauge: {realtime: true, value: "{{workflow.duration}}"}}]}
                                templates:
                                - name: main
                                  steps: [[{name: a, template: leaf}], [{name: b, template: leaf}]]
                                - name: leaf
                                  container: {image: a}
                                  metrics: {prometheus: [{name: l, help: h, labels: [{key: s, value: "{{status}}"}], counter: {value: "1"}}]}
                                """)
                        .succeeds("wf[0].a")
                        .fails("wf[1].b", 1);
        assertThat(retried.head().metricsError()).contains("'x' is not a number");
        retried.after(Duration.ofSeconds(5)).retry();
        assertThat(retried.head().metricsError()).isNull();
        retried.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(samples(retried))
                .extracting(s -> s.name() + s.labels().values())
                .containsExactly(
                        "d[]",
                        "l[Succeeded]",
                        "l[Failed]",
                        "w[Failed]",
                        "d[]",
                        "l[Succeeded]",
                        "w[Succeeded]");
        assertThat(samples(retried).stream().map(MetricSample::change))
                .filteredOn(MetricChange.Follow.class::isInstance)
                .doesNotHaveDuplicates()
                .hasSize(2);
    }

    @Test
    void whatNeverRanSaysNothing() {
        Scenario ended =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag: {tasks: [{name: a, template: leaf, when: "1 == 2"}, {name: b, depends: a.Failed, template: leaf}]}
                        - name: leaf
                          container: {image: a}
                          metrics: {prometheus: [{name: c, help: h, counter: {value: "1"}}]}
                        """);
        ended.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(told(ended)).isEmpty();
    }
}
