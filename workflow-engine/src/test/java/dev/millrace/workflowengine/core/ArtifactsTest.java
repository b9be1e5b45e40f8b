package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Stored.input;
import static dev.millrace.workflowengine.core.Stored.key;
import static dev.millrace.workflowengine.core.Stored.names;
import static dev.millrace.workflowengine.core.Stored.outputOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.workflow.Artifact;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How artifacts go from node to node. */
final class ArtifactsTest {
    private static final String MAKE =
            """
            - name: make
              container: {image: busybox, command: [run]}
              outputs: {artifacts: [{name: out, path: /tmp/out.txt}]}
            """;
    private static final String USE =
            """
            - name: use
              inputs: {artifacts: [{name: in, path: /tmp/in}]}
              container: {image: busybox, command: [run, "{{inputs.artifacts.in.path}}"]}
            """;

    @Test
    void anArtifactGoesFromStepToStepWithItsPlace() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: make}
                          - - name: b
                              template: use
                              arguments: {artifacts: [{name: in, from: "{{steps.a.outputs.artifacts.out}}"}]}
                        """
                                + MAKE
                                + USE);
        s.succeeds("wf[0].a");
        String key =
                "wf/wf-make-"
                        + NodeNames.podName("wf", "wf[0].a", "make").substring(8)
                        + "/out.tgz";
        Artifact in = input(s, "wf[1].b", "in");
        assertThat(in.path()).isEqualTo("/tmp/in");
        assertThat(key(in)).isEqualTo(key);
        assertThat(in.from()).isNull();
        assertThat(s.requested("wf[1].b").template().container().command())
                .containsExactly("run", "/tmp/in");
        s.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(names(s.node("wf[0].a"))).containsExactly("out");
    }

    @Test
    void templatesInBetweenPassArtifactsOn() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        arguments: {artifacts: [{name: seed, raw: {data: hello}}]}
                        templates:
                        - name: main
                          inputs: {artifacts: [{name: seed}]}
                          dag:
                            tasks:
                            - name: a
                              template: inner
                              arguments: {artifacts: [{name: given, from: "{{inputs.artifacts.seed}}"}]}
                            - name: b
                              depends: a
                              template: use
                              arguments: {artifacts: [{name: in, from: "{{tasks.a.outputs.artifacts.result}}"}]}
                        - name: inner
                          inputs: {artifacts: [{name: given}]}
                          outputs: {artifacts: [{name: result, from: "{{steps.m.outputs.artifacts.out}}"}]}
                          steps:
                          - - name: u
                              template: use
                              arguments: {artifacts: [{name: in, from: "{{inputs.artifacts.given}}"}]}
                            - {name: m, template: make}
                        """
                                + MAKE
                                + USE);
        assertThat(Json.tree(input(s, "wf.a[0].u", "in")).path("raw").path("data").asString())
                .isEqualTo("hello");
        s.succeeds("wf.a[0].u").succeeds("wf.a[0].m");
        assertThat(names(s.node("wf.a"))).containsExactly("result");
        assertThat(key(input(s, "wf.b", "in"))).endsWith("/out.tgz");
    }

    @Test
    void aConditionChoosesAmongArtifactsOfStepsThatRanAndOthers() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          outputs:
                            artifacts:
                            - name: result
                              fromExpression: "steps.flip.outputs.result == 'heads' ? steps.heads.outputs.artifacts.out : steps.tails.outputs.artifacts.out"
                          steps:
                          - - {name: flip, template: flip}
                          - - {name: heads, template: make, when: "{{steps.flip.outputs.result}} == heads"}
                            - {name: tails, template: make, when: "{{steps.flip.outputs.result}} == tails"}
                        - name: flip
                          script: {image: busybox, command: [sh], source: "echo heads"}
                        """
                                + MAKE);
        s.gives("wf[0].flip", "heads", Map.of()).succeeds("wf[1].heads");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(key(outputOf(s.node("wf"), "result")))
                .isEqualTo(key(outputOf(s.node("wf[1].heads"), "out")));
    }

    @Test
    void aSubPathLeadsIntoAFolderAndMayHoldTags() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: make}
                          - - name: b
                              template: use
                              withItems: [u, v]
                              arguments:
                                artifacts:
                                - {name: in, from: "{{steps.a.outputs.artifacts.out}}", subPath: "{{steps.a.outputs.result}}/{{item}}.txt"}
                        """
                                + MAKE
                                + USE);
        s.gives("wf[0].a", "sub", Map.of());
        assertThat(
                        List.of("wf[1].b(0:u)", "wf[1].b(1:v)").stream()
                                .map(n -> key(input(s, n, "in"))))
                .allMatch(k -> k.startsWith("wf/wf-make-"))
                .satisfiesExactly(
                        k -> assertThat(k).endsWith("/out.tgz/sub/u.txt"),
                        k -> assertThat(k).endsWith("/out.tgz/sub/v.txt"));
    }

    @Test
    void aTemplateMayTakeAPartOfWhatItIsGiven() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: use
                        arguments: {artifacts: [{name: in, s3: {key: folder/}}]}
                        templates:
                        - name: use
                          inputs: {artifacts: [{name: in, path: /tmp/in, subPath: part}]}
                          container: {image: busybox, command: [run]}
                        """);
        assertThat(key(input(s, "wf", "in"))).isEqualTo("folder/part");
        // Who looks at the node sees where it came from.
        assertThat(s.node("wf").inputs().artifacts()).containsExactly(input(s, "wf", "in"));
        s.succeeds("wf").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void itemsOfALoopMayNameArtifacts() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: two}
                            - name: b
                              depends: a
                              template: use
                              withItems: [one, two]
                              arguments: {artifacts: [{name: in, from: "{{tasks.a.outputs.artifacts.{{item}}}}"}]}
                            - name: c
                              depends: a
                              template: use
                              withItems: [k1, k2]
                              arguments: {artifacts: [{name: in, s3: {key: "{{item}}"}}]}
                        - name: two
                          container: {image: busybox, command: [run]}
                          outputs: {artifacts: [{name: one, path: /1}, {name: two, path: /2}]}
                        """
                                + USE);
        s.succeeds("wf.a");
        assertThat(
                        List.of("wf.b(0:one)", "wf.b(1:two)", "wf.c(0:k1)", "wf.c(1:k2)").stream()
                                .map(n -> key(input(s, n, "in"))))
                .satisfiesExactly(
                        k -> assertThat(k).endsWith("/one.tgz"),
                        k -> assertThat(k).endsWith("/two.tgz"),
                        k -> assertThat(k).isEqualTo("k1"),
                        k -> assertThat(k).isEqualTo("k2"));
    }

    @Test
    void aLoopGivesNoArtifacts() {
        Scenario s = consumerOf("withItems: [1, 2]", "");
        s.succeeds("wf[0].a(0:1)").succeeds("wf[0].a(1:2)");
        s.isFinished(
                WorkflowPhase.FAILED,
                "failed to resolve references: failed to resolve {{steps.a.outputs.artifacts.out}}");
    }

    @Test
    void anInputThatIsNotSuppliedIsAnErrorUnlessItIsOptional() {
        Scenario s = Scenario.given("entrypoint: use\ntemplates:\n" + USE);
        s.isFinished(
                WorkflowPhase.ERROR,
                "error in entry template execution: inputs.artifacts.in was not supplied");
        Scenario optional =
                Scenario.given(
                        "entrypoint: use\ntemplates:\n"
                                + USE.replace("name: in,", "name: in, optional: true,"));
        assertThat(input(optional, "wf", "in").optional()).isTrue();
        assertThat(Locations.located(Json.tree(input(optional, "wf", "in")))).isFalse();
        optional.succeeds("wf").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void anOptionalOutputThatIsMissingIsNotThere() {
        Scenario s = consumerOf("", "");
        s.stores("wf[0].a");
        s.isFinished(
                WorkflowPhase.FAILED,
                "failed to resolve references: failed to resolve {{steps.a.outputs.artifacts.out}}");

        Scenario tolerant = consumerOf("", "optional: true");
        tolerant.stores("wf[0].a");
        assertThat(Locations.located(Json.tree(input(tolerant, "wf[1].b", "in")))).isFalse();
        tolerant.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aSkippedStepHasNoPlaceForItsArtifacts() {
        Scenario s = consumerOf("when: \"1 == 2\"", "");
        assertThat(s.node("wf[1].b").message())
                .isEqualTo("inputs.artifacts.in missing location information");
        Scenario tolerant = consumerOf("when: \"1 == 2\"", "optional: true");
        tolerant.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aSkippedTaskHasNoArtifacts() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: make, when: "1 == 2"}
                            - name: b
                              depends: a
                              template: use
                              arguments: {artifacts: [{name: in, from: "{{tasks.a.outputs.artifacts.out}}"}]}
                        """
                                + MAKE
                                + USE);
        assertThat(s.node("wf.b").message())
                .isEqualTo(
                        "task 'wf.b' errored: failed to resolve {{tasks.a.outputs.artifacts.out}}");
    }

    @Test
    void anArgumentThatIsAnAbsentOutputSaysSo() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: gives, when: "1 == 2"}
                            - name: b
                              depends: a
                              template: takes
                              arguments: {parameters: [{name: p, value: "{{tasks.a.outputs.parameters.p}}"}]}
                        - name: gives
                          container: {image: busybox, command: [run]}
                          outputs: {parameters: [{name: p, valueFrom: {path: /p}}]}
                        - name: takes
                          inputs: {parameters: [{name: p}]}
                          container: {image: busybox, command: [run]}
                        """);
        assertThat(s.node("wf.b").message())
                .isEqualTo(
                        "task 'wf.b' errored: inputs.parameters.p: argument references an absent optional (skipped/omitted node output with no default)");
    }

    @Test
    void exportedArtifactsAreKnownEverywhere() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        onExit: last
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: export}
                          - - name: b
                              template: use
                              arguments: {artifacts: [{name: in, from: "{{workflow.outputs.artifacts.all}}"}]}
                        - name: last
                          steps:
                          - - name: c
                              template: use
                              arguments:
                                artifacts: [{name: in, fromExpression: "workflow.outputs.artifacts.all"}]
                        - name: export
                          container: {image: busybox, command: [run]}
                          outputs: {artifacts: [{name: out, path: /o, globalName: all}]}
                        """
                                + USE);
        s.succeeds("wf[0].a");
        String key = key(outputOf(s.node("wf[0].a"), "out"));
        assertThat(key(input(s, "wf[1].b", "in"))).isEqualTo(key);
        s.succeeds("wf[1].b");
        assertThat(key(input(s, "wf.onExit[0].c", "in"))).isEqualTo(key);
        assertThat(s.head().artifacts()).hasSize(1);
        assertThat(s.head().artifacts().getFirst().name()).isEqualTo("all");
        assertThat(s.head().artifacts().getFirst().path()).isNull();
    }

    @Test
    void anExitHandlerOfAStepGetsItsArtifactsAlsoThroughRetries() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - name: a
                              template: retried
                              hooks:
                                exit:
                                  template: use
                                  arguments: {artifacts: [{name: in, from: "{{steps.a.outputs.artifacts.out}}"}]}
                        - name: retried
                          retryStrategy: {limit: 1}
                          container: {image: busybox, command: [run]}
                          outputs: {artifacts: [{name: out, path: /tmp/out.txt}]}
                        """
                                + USE);
        s.fails("wf[0].a(0)", 1).succeeds("wf[0].a(1)");
        assertThat(outputOf(s.node("wf[0].a"), "out"))
                .isEqualTo(outputOf(s.node("wf[0].a(1)"), "out"));
        assertThat(Json.tree(input(s, "wf[0].a.onExit", "in")).path("local"))
                .isEqualTo(Json.tree(outputOf(s.node("wf[0].a(1)"), "out")).path("local"));
    }

    /** Step a makes an artifact in some way, step b takes it in some way. */
    private static Scenario consumerOf(String how, String takes) {
        return Scenario.given(
                """
                entrypoint: main
                templates:
                - name: main
                  steps:
                  - - {name: a, template: maybe%s}
                  - - name: b
                      template: takes
                      arguments: {artifacts: [{name: in, from: "{{steps.a.outputs.artifacts.out}}"%s}]}
                - name: maybe
                  container: {image: busybox, command: [run]}
                  outputs: {artifacts: [{name: out, path: /out, optional: true}]}
                - name: takes
                  inputs: {artifacts: [{name: in, path: /in%s}]}
                  container: {image: busybox, command: [run]}
                """
                        .formatted(
                                how.isEmpty() ? "" : ", " + how,
                                takes.isEmpty() ? "" : ", " + takes,
                                takes.isEmpty() ? "" : ", " + takes));
    }
}
