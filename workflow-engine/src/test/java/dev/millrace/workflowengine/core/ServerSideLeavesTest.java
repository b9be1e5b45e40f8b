package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Parameter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Leaves without a program: data and plugin templates. */
final class ServerSideLeavesTest {

    private static Scenario listing(String place) {
        return Scenario.given(
                """
                entrypoint: main
                archiveLogs: true
                templates:
                - name: main
                  steps:
                  - - name: list
                      template: list
                      arguments: {parameters: [{name: end, value: .log}]}
                  - - name: use
                      template: use
                      withParam: "{{steps.list.outputs.result}}"
                      arguments: {parameters: [{name: key, value: "{{item}}"}]}
                - name: list
                  inputs: {parameters: [{name: end}]}
                  data:
                    source: {artifactPaths: {name: files%s}}
                    transformation: [{expression: "filter(data, {# endsWith '{{inputs.parameters.end}}'})"}]
                - name: use
                  inputs: {parameters: [{name: key}]}
                  container: {image: busybox, command: [echo, "{{inputs.parameters.key}}"]}
                """
                        .formatted(place));
    }

    private static Artifact listed(Scenario s) {
        var data = Objects.requireNonNull(s.requested("wf[0].list").template().data());
        return Objects.requireNonNull(Objects.requireNonNull(data.source()).artifactPaths());
    }

    @Test
    void aListingIsAPodWhoseResultIsAlwaysWantedAndLoopedOver() {
        Scenario s = listing(", s3: {bucket: b, key: \"in/{{workflow.name}}\"}");
        assertThat(s.node("wf[0].list").type()).isEqualTo(NodeType.POD);
        var spec = s.requested("wf[0].list");
        assertThat(spec.captureResult()).isTrue();
        assertThat(spec.template().outputs()).isNull();
        assertThat(Objects.requireNonNull(spec.template().data()).transformation())
                .singleElement()
                .extracting("expression")
                .isEqualTo("filter(data, {# endsWith '.log'})");
        assertThat(Json.tree(listed(s)).path("s3").path("key").asString()).isEqualTo("in/wf");
        s.ends(
                "wf[0].list",
                new StepOutcome(
                        NodePhase.SUCCEEDED,
                        null,
                        0,
                        "[\"in/wf/a.log\",\"in/wf/b.log\"]",
                        Map.of()));
        assertThat(Objects.requireNonNull(s.node("wf[0].list").outputs()).exitCode())
                .isEqualTo("0");
        s.succeeds("wf[1].use(0:in/wf/a.log)").succeeds("wf[1].use(1:in/wf/b.log)");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aListingWithoutABucketIsOfTheRepository() {
        JsonNode keyOnly = Json.tree(listed(listing(", s3: {key: in}")));
        assertThat(keyOnly.has("s3")).isFalse();
        assertThat(keyOnly.path("local").path("key").asString("")).isEqualTo("in");
        JsonNode whole = Json.tree(listed(listing("")));
        assertThat(whole.path("local").path("key").asString("none")).isEmpty();
    }

    @Test
    void aListingWhoseKeyCannotBeResolvedIsAnError() {
        Scenario s = listing(", s3: {key: \"{{nobody}}\"}");
        assertThat(s.node("wf[0].list").phase()).isEqualTo(NodePhase.ERROR);
        assertThat(s.node("wf[0].list").message()).contains("failed to resolve {{nobody}}");
    }

    private static final String PLUGIN =
            """
            entrypoint: main
            templates:
            - name: main
              steps:
              - - {name: a, template: ask}
              - - name: b
                  template: use
                  arguments: {parameters: [{name: p, value: "{{steps.a.outputs.parameters.said}} {{steps.a.outputs.result}}"}]}
            - name: ask
              plugin: {hello: {to: you}}
              outputs: {parameters: [{name: said, globalName: heard, valueFrom: {supplied: {}}}]}
            - name: use
              inputs: {parameters: [{name: p}]}
              container: {image: busybox, command: [echo, "{{inputs.parameters.p}}"]}
            """;

    @Test
    void aPluginSaysHowFarItIsAndWhatItGives() {
        Scenario s = Scenario.given(PLUGIN).starts("wf[0].a");
        assertThat(s.node("wf[0].a").type()).isEqualTo(NodeType.PLUGIN);
        s.progresses("wf[0].a", "1/2", "half of it").progresses("wf[0].a", null, null);
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.RUNNING);
        assertThat(s.node("wf[0].a").progress()).isEqualTo("1/2");
        assertThat(s.node("wf[0].a").message()).isEqualTo("half of it");
        s.ends(
                "wf[0].a",
                new StepOutcome(
                        NodePhase.SUCCEEDED,
                        "Hello!",
                        null,
                        "r",
                        Map.of("said", "hi", "more", "x")));
        assertThat(s.node("wf[0].a").message()).isEqualTo("Hello!");
        assertThat(Objects.requireNonNull(s.node("wf[0].a").outputs()).parameters())
                .extracting(Parameter::name)
                .containsExactly("said", "more");
        assertThat(s.requested("wf[1].b").template().container().command())
                .containsExactly("echo", "hi r");
        s.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.head().outputs()).singleElement().extracting("name").isEqualTo("heard");
    }

    @Test
    void aReportThatSaysNothingNewChangesNothing() {
        Scenario s = Scenario.given(PLUGIN).starts("wf[0].a");
        s.progresses("wf[0].a", "1/2", "half of it");
        s.progresses("wf[0].a", "1/2", "half of it");
        assertThat(s.history().getLast().events()).isEmpty();
    }

    private static Scenario asking(String type, String output) {
        return Scenario.given(
                """
                entrypoint: main
                arguments: {parameters: [{name: unit, value: ms}]}
                templates:
                - name: main
                  steps:
                  - - name: a
                      template: ask
                      arguments: {parameters: [{name: key, value: took}]}
                - name: ask
                  inputs: {parameters: [{name: key}]}
                  %s
                  outputs: {parameters: [%s]}
                """
                        .formatted(type, output));
    }

    private static final String HTTP = "http: {url: \"http://localhost/\"}";
    private static final String ANY_PLUGIN = "plugin: {hello: {}}";

    @ParameterizedTest
    @ValueSource(strings = {HTTP, ANY_PLUGIN})
    void anOutputOfAnAnswerIsComputedFromItAndFromTheInputs(String type) {
        Scenario s =
                asking(
                        type,
                        """
                        {name: took, globalName: took, valueFrom: {expression: "string(fromJSON(outputs.result)[inputs.parameters.key]) + workflow.parameters.unit"}},
                        {name: same, valueFrom: {parameter: "{{inputs.parameters.key}}: {{outputs.result}}"}},
                        {name: fixed, value: "{{inputs.parameters.key}}!"}
                        """);
        s.gives("wf[0].a", "{\"took\":12}", Map.of());
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(outputs(s))
                .containsExactly("took=12ms", "same=took: {\"took\":12}", "fixed=took!");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.head().outputs())
                .singleElement()
                .extracting("name", "value.text")
                .containsExactly("took", "12ms");
    }

    @Test
    void whatAPluginSaysItselfIsNotComputed() {
        Scenario s =
                asking(
                        ANY_PLUGIN,
                        """
                        {name: said, valueFrom: {expression: "'computed'"}},
                        {name: length, valueFrom: {expression: "len(outputs.parameters.said)"}}
                        """);
        s.ends(
                "wf[0].a",
                new StepOutcome(NodePhase.SUCCEEDED, null, null, null, Map.of("said", "hello")));
        assertThat(outputs(s)).containsExactly("said=hello", "length=5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "expression: \"nil\"",
                "expression: \"fromJSON(outputs.result).nothing\"",
                "expression: \"fromJSON(inputs.parameters.key)\"",
                "parameter: \"{{outputs.parameters.nobody}}\""
            })
    void anOutputThatCannotBeHadIsItsDefaultOrAnError(String source) {
        for (String type : List.of(HTTP, ANY_PLUGIN)) {
            Scenario without = asking(type, "{name: x, valueFrom: {%s}}".formatted(source));
            without.gives("wf[0].a", "{}", Map.of());
            assertThat(without.node("wf[0].a").phase()).isEqualTo(NodePhase.ERROR);
            assertThat(without.node("wf[0].a").message()).isNotEmpty();
            Scenario with =
                    asking(type, "{name: x, valueFrom: {%s, default: none}}".formatted(source));
            with.gives("wf[0].a", "{}", Map.of());
            assertThat(outputs(with)).containsExactly("x=none");
        }
    }

    @Test
    void whatNobodySuppliesIsItsDefault() {
        Scenario s = asking(ANY_PLUGIN, "{name: x, valueFrom: {supplied: {}, default: none}}");
        s.gives("wf[0].a", "", Map.of());
        assertThat(outputs(s)).containsExactly("x=none");
    }

    @Test
    void theOutputsOfAnAnswerThatIsAFailureAreNotComputed() {
        Scenario s = asking(HTTP, "{name: x, valueFrom: {expression: \"nil\"}}");
        s.ends(
                "wf[0].a",
                new StepOutcome(NodePhase.FAILED, "received 500", null, "oops", Map.of()));
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.FAILED);
        assertThat(s.node("wf[0].a").message()).isEqualTo("received 500");
    }

    private static List<String> outputs(Scenario s) {
        return Objects.requireNonNull(s.node("wf[0].a").outputs()).parameters().stream()
                .map(p -> p.name() + "=" + Objects.requireNonNull(p.value()).text())
                .toList();
    }
}
