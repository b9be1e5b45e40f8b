package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.MetricChange;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.view.WorkflowView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class ResourceUseTest {

    private static final String TREE =
            """
            entrypoint: main
            metrics: {prometheus: [{name: all, help: h, gauge: {value: "{{resourcesDuration.cpu}}"}}]}
            templates:
            - name: main
              metrics: {prometheus: [{name: main, help: h, gauge: {value: "{{resourcesDuration.memory}}"}}]}
              steps:
              - - {name: a, template: big}
                - {name: d, template: dag}
              - - {name: b, template: big, hooks: {exit: {template: big}}}
            - name: dag
              metrics: {prometheus: [{name: dag, help: h, gauge: {value: "{{resourcesDuration.cpu}}"}}]}
              dag: {tasks: [{name: x, template: again, withItems: [1, 2]}]}
            - name: again
              retryStrategy: {limit: 1}
              metrics: {prometheus: [{name: again, help: h, gauge: {value: "{{resourcesDuration.cpu}}"}}]}
              container: {image: a, resources: {requests: {cpu: 500m}}}
            - name: big
              sidecars: [{name: s, image: b}]
              container: {image: a, resources: {limits: {cpu: "2", memory: 1Gi, nvidia.com/gpu: 1}, requests: {cpu: 1}}}
            """;

    private static JsonNode status(Scenario s) {
        return WorkflowView.render(s.state(), "1").path("status");
    }

    private static List<String> values(Scenario scenario) {
        return scenario.history().stream()
                .flatMap(d -> d.events().stream())
                .filter(WorkflowEvent.MetricEmitted.class::isInstance)
                .map(e -> ((WorkflowEvent.MetricEmitted) e).sample())
                .map(s -> s.name() + " " + ((MetricChange.Put) s.change()).value())
                .toList();
    }

    private static Scenario ran(Scenario scenario, String node, boolean well) {
        scenario.starts(node).after(Duration.ofSeconds(20));
        return well ? scenario.succeeds(node) : scenario.fails(node, 1);
    }

    @Test
    void aStepUsesWhatItsContainersRequestForAsLongAsItRuns() {
        Scenario s = Scenario.given(TREE);
        ran(s, "wf[0].a", true);
        // 20 s of 1 core and 0.1 of the sidecar; of 1 GiB and 100 MiB in units of 100 MiB.
        assertThat(s.node("wf[0].a").resourcesDuration())
                .isEqualTo(Map.of("cpu", 22L, "memory", 224L, "nvidia.com/gpu", 20L));
    }

    @Test
    void whatIsRequestedMayComeFromInputs() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          inputs: {parameters: [{name: cores, value: "3"}]}
                          script: {image: a, source: x, resources: {requests: {cpu: "{{inputs.parameters.cores}}"}}}
                        """);
        assertThat(ran(s, "wf", true).node("wf").resourcesDuration())
                .isEqualTo(Map.of("cpu", 60L, "memory", 20L));
    }

    @Test
    void whatStepsUsedAddsUpAlongTheTree() {
        Scenario s = Scenario.given(TREE);
        ran(s, "wf[0].a", true);
        s.succeeds("wf[0].d.x(0:1)(0)").fails("wf[0].d.x(1:2)(0)", 1);
        ran(s, "wf[0].d.x(1:2)(1)", true);
        ran(s, "wf[1].b", true);
        ran(s, "wf[1].b.onExit", true).isFinished(WorkflowPhase.SUCCEEDED, null);
        JsonNode nodes = status(s).path("nodes");
        long cpu = 0;
        for (JsonNode node : nodes) {
            if (node.path("type").asString("").equals("Pod")) {
                cpu += node.at("/resourcesDuration/cpu").asLong();
            }
        }
        assertThat(cpu).isEqualTo(76);
        assertThat(status(s).at("/resourcesDuration/cpu").asLong()).isEqualTo(cpu);
        assertThat(nodes.path("wf").at("/resourcesDuration/cpu").asLong()).isEqualTo(cpu);
        assertThat(s.node("wf").resourcesDuration().get("cpu")).isEqualTo(cpu);
        assertThat(s.node("wf[0].d.x(1:2)").resourcesDuration().get("cpu"))
                .isEqualTo(
                        s.node("wf[0].d.x(1:2)(0)").resourcesDuration().get("cpu")
                                + s.node("wf[0].d.x(1:2)(1)").resourcesDuration().get("cpu"));
        assertThat(values(s)).contains("all 76.0", "dag 10.0", "again 10.0").hasSize(6);
    }

    @Test
    void whatNeverRanUsedNothing() {
        Scenario s = Scenario.given(TREE).after(Duration.ofSeconds(5)).terminate();
        assertThat(status(s).has("resourcesDuration")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1",
        "100m, 0.1",
        "1.5, 1.5",
        "1k, 1000",
        "1Ki, 1024",
        "64Mi, 67108864",
        "1Gi, 1073741824",
        "2e3, 2000",
        ".5, 0.5"
    })
    void quantitiesAreThoseOfKubernetes(String text, double value) {
        assertThat(ResourceUse.quantity(text)).isEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({"''", "{{a}}", "1 Gi", "Gi", "1Xi", "--1"})
    void whatIsNoQuantityIsNone(String text) {
        assertThat(ResourceUse.quantity(text)).isNull();
    }

    @Test
    void progressIsWholeOnceAStepSucceeded() {
        Scenario s =
                Scenario.given("{entrypoint: a, templates: [{name: a, container: {image: a}}]}");
        s.starts("wf").progresses("wf", "3/10");
        assertThat(status(s).path("progress").asString("")).isEqualTo("3/10");
        assertThat(status(s.succeeds("wf")).path("progress").asString("")).isEqualTo("10/10");
    }

    @Test
    void theSpecSeesTheLabelsThatTheWorkflowGets() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        arguments: {parameters: [{name: p, value: x}]}
                        workflowMetadata:
                          labels: {plain: "{{workflow.parameters.p}}"}
                          labelsFrom: {computed: {expression: "workflow.parameters.p + 'y'"}}
                        priority: 1
                        podMetadata: {labels: {copy: "{{workflow.labels.computed}}-{{workflow.labels.plain}}"}}
                        templates: [{name: main, container: {image: "{{workflow.labels.computed}}"}}]
                        """);
        assertThat(s.head().labels()).containsEntry("plain", "x").containsEntry("computed", "xy");
        assertThat(s.state().source().spec().at("/podMetadata/labels/copy").asString(""))
                .isEqualTo("xy-x");
        assertThat(s.requested("wf").template().container().image()).isEqualTo("xy");
    }
}
