package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Carried;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.submission.DoneSteps;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What comes to a workflow from outside: ConfigMaps, outputs by hand, steps of an earlier one. */
final class SuppliedTest {

    @Test
    void parametersComeFromConfigMapsAlsoByNamesWithTags() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        arguments:
                          parameters:
                          - {name: stage, value: prod}
                          - {name: region, valueFrom: {configMapKeyRef: {name: "{{workflow.parameters.stage}}", key: region}}}
                        templates:
                        - name: main
                          steps:
                          - - name: a
                              template: run
                              arguments:
                                parameters:
                                - {name: size, valueFrom: {configMapKeyRef: {name: prod, key: size}}}
                        - name: run
                          inputs:
                            parameters:
                            - {name: size}
                            - {name: zone, valueFrom: {configMapKeyRef: {name: zones, key: "{{workflow.parameters.region}}-{{inputs.parameters.size}}"}}}
                            - {name: none, valueFrom: {default: d, configMapKeyRef: {name: absent, key: k}}}
                            - {name: maybe, default: m, valueFrom: {configMapKeyRef: {name: prod, key: k, optional: true}}}
                          container: {image: busybox, command: [run]}
                        """,
                        Map.of(
                                "prod", Map.of("region", "eu", "size", "big"),
                                "zones", Map.of("eu-big", "zone 7")),
                        Map.of());
        assertThat(s.input("wf[0].a", "size")).isEqualTo("big");
        assertThat(s.input("wf[0].a", "zone")).isEqualTo("zone 7");
        assertThat(s.input("wf[0].a", "none")).isEqualTo("d");
        assertThat(s.input("wf[0].a", "maybe")).isEqualTo("m");
    }

    @Test
    void aConfigMapThatIsMissingIsNamed() {
        String spec =
                """
                entrypoint: main
                arguments: {parameters: [{name: p, valueFrom: {configMapKeyRef: {name: c, key: k}}}]}
                templates:
                - {name: main, container: {image: busybox, command: [run]}}
                """;
        Scenario s = Scenario.given(spec, Map.of(), Map.of());
        s.isFinished(
                WorkflowPhase.FAILED,
                "failed to set global parameters: ConfigMap 'c' does not exist or lacks the label workflows.argoproj.io/configmap-type: Parameter");
        Scenario key = Scenario.given(spec, Map.of("c", Map.of()), Map.of());
        assertThat(key.head().message()).endsWith("ConfigMap 'c' does not have the key 'k'");
    }

    private static final String APPROVAL =
            """
            entrypoint: main
            templates:
            - name: main
              suspend: {}
              outputs: {parameters: [{name: answer, valueFrom: {supplied: {}}}, {name: why, valueFrom: {supplied: {}, default: none}}]}
            """;

    @Test
    void outputsThatAreNotDeclaredAreRefusedByName() {
        Scenario s = Scenario.given(APPROVAL).set(Map.of("answer", "yes", "other", "1"), null);
        assertThat(s.lastAnswer().code()).isEqualTo(CommandAnswer.INVALID_ARGUMENT);
        assertThat(s.lastAnswer().message())
                .isEqualTo(
                        "node wf has no output parameter other; its template declares answer, why");
        assertThat(Json.tree(s.node("wf").outputs()).toString()).contains("supplied");
        s.resume(null);
        assertThat(s.lastAnswer().message())
                .isEqualTo(
                        "raw output parameter 'answer' has not been set and does not have a default value");
        s.set(Map.of("answer", "yes"), null).resume(null);
        s.isFinished(WorkflowPhase.SUCCEEDED, "Resumed by: map[User:ann]");
        assertThat(s.node("wf").outputs().parameters().toString()).contains("yes").contains("none");
    }

    @Test
    void aPhaseEndsTheNode() {
        Scenario s = Scenario.given(APPROVAL).set(Map.of(), NodePhase.FAILED);
        s.isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void stepsThatAnEarlierWorkflowDidAreSkippedAndGiveWhatTheyGave() {
        String spec =
                """
                entrypoint: main
                templates:
                - name: main
                  steps:
                  - - {name: a, template: run, withItems: [1, 2]}
                  - - {name: b, template: next, arguments: {parameters: [{name: in, value: "{{steps.a.outputs.parameters.out}}"}]}}
                - name: run
                  retryStrategy: {limit: 1}
                  container: {image: busybox, command: [run]}
                  outputs: {parameters: [{name: out, valueFrom: {path: /out}}]}
                - name: next
                  inputs: {parameters: [{name: in}]}
                  container: {image: busybox, command: [run]}
                """;
        Scenario old = Scenario.given(spec);
        old.gives("wf[0].a(0:1)(0)", "", Map.of("out", "one"));
        old.fails("wf[0].a(1:2)(0)", 1).gives("wf[0].a(1:2)(1)", "", Map.of("out", "two"));
        old.fails("wf[1].b", 1);
        Map<String, Carried> done = DoneSteps.of(old.state());
        assertThat(done.keySet()).containsExactly("[0].a(0:1)(0)", "[0].a(1:2)(0)");

        Scenario s = Scenario.given(spec, Map.of(), done);
        assertThat(s.running()).containsExactly("wf[1].b");
        assertThat(s.input("wf[1].b", "in")).isEqualTo("[\"one\",\"two\"]");
        assertThat(s.node("wf[0].a(1:2)(0)").type()).isEqualTo(NodeType.SKIPPED);
        assertThat(s.node("wf[0].a(1:2)(0)").message()).startsWith("original pod: wf-run-");
        s.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
    }
}
