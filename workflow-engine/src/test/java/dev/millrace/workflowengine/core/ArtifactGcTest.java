package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Stored.outputOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.workflowengine.view.WorkflowView;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Artifacts that go when the workflow ends or is deleted. */
final class ArtifactGcTest {
    private static final String THREE =
            """
            entrypoint: make
            artifactGC: {strategy: OnWorkflowDeletion}
            templates:
            - name: make
              container: {image: busybox, command: [run]}
              outputs:
                artifacts:
                - {name: early, path: /e, artifactGC: {strategy: OnWorkflowCompletion}}
                - {name: late, path: /l}
                - {name: kept, path: /k, artifactGC: {strategy: Never}}
            """;

    @Test
    void eachGoesInItsTimeAndOnce() {
        Scenario s = Scenario.given(THREE);
        assertThat(s.discarded()).isEmpty();
        s.succeeds("wf").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(given(s)).containsExactly("early");
        s.discards("wf", null);
        assertThat(outputOf(s.node("wf"), "early").deleted()).isTrue();
        assertThat(outputOf(s.node("wf"), "late").deleted()).isNull();
        s.delete();
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.DELETED);
        assertThat(given(s)).containsExactly("early", "late");
    }

    @Test
    void aWorkflowThatIsDeletedWhileItRunsGivesUpBoth() {
        Scenario s =
                Scenario.given(
                        THREE.replace("entrypoint: make", "entrypoint: main")
                                + """
                                - name: main
                                  steps: [[{name: a, template: make}], [{name: b, template: make}]]
                                """);
        s.succeeds("wf[0].a").delete();
        assertThat(given(s)).containsExactly("early", "late");
        assertThat(s.stopped()).hasSize(1);
    }

    @Test
    void whatCouldNotBeDeletedIsSaidAndTriedAgainAtTheDeletion() {
        Scenario s = Scenario.given(THREE);
        s.succeeds("wf").discards("wf", "the store does not answer");
        assertThat(outputOf(s.node("wf"), "early").deleted()).isNull();
        JsonNode condition =
                WorkflowView.render(s.state(), "1")
                        .path("status")
                        .path("conditions")
                        .valueStream()
                        .filter(c -> c.path("type").asString("").equals("ArtifactGCError"))
                        .findFirst()
                        .orElseThrow();
        assertThat(condition.path("status").asString()).isEqualTo("True");
        assertThat(condition.path("message").asString()).isEqualTo("the store does not answer");
        s.delete();
        assertThat(given(s)).containsExactly("early", "early", "late");
    }

    @Test
    void onlyWhatALeafStoredGoesAndNothingThatIsSomebodyElses() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        artifactGC: {strategy: OnWorkflowCompletion}
                        arguments: {artifacts: [{name: given, s3: {key: input}}]}
                        templates:
                        - name: main
                          inputs: {artifacts: [{name: given}]}
                          outputs: {artifacts: [{name: out, from: "{{steps.a.outputs.artifacts.out}}"}]}
                          steps:
                          - - name: a
                              template: make
                              arguments: {artifacts: [{name: in, from: "{{inputs.artifacts.given}}"}]}
                        - name: make
                          retryStrategy: {limit: 1}
                          inputs: {artifacts: [{name: in, path: /in}]}
                          container: {image: busybox, command: [run]}
                          outputs:
                            artifacts:
                            - {name: out, path: /o}
                            - {name: sent, path: /s, http: {url: "http://somewhere"}}
                        """);
        s.succeeds("wf[0].a(0)").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.discarded()).containsOnlyKeys(NodeNames.id("wf", "wf[0].a(0)"));
        assertThat(given(s)).containsExactly("out");
    }

    @Test
    void aLargeWorkflowGivesUpItsArtifactsInPortionsAlsoWhenItIsSuspended() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        artifactGC: {strategy: OnWorkflowCompletion}
                        templates:
                        - name: main
                          steps:
                          - - {name: a, template: make, withSequence: {count: 500}}
                        - name: make
                          container: {image: busybox, command: [run]}
                          outputs: {artifacts: [{name: out, path: /o}]}
                        """);
        List<String> steps = s.running();
        assertThat(steps).hasSize(500);
        steps.subList(0, 499).forEach(s::succeeds);
        s.suspend();
        s.succeeds(steps.getLast());
        s.resume(null);
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(given(s)).hasSize(500);
        assertThat(s.discarded()).hasSize(500);
        assertThat(s.history().stream().mapToLong(d -> d.events().size()).max().orElse(0))
                .isLessThan(1_000);
    }

    @Test
    void clientsSeeWhatBecameOfArtifacts() {
        Scenario plain =
                Scenario.given(THREE.replaceAll("artifactGC: \\{[^}]*}", "").replace(", }", "}"));
        plain.succeeds("wf");
        JsonNode status = WorkflowView.render(plain.state(), "1").path("status");
        assertThat(status.path("artifactGCStatus").path("notSpecified").asBoolean()).isTrue();
        assertThat(status.path("artifactRepositoryRef").path("default").asBoolean()).isTrue();
        assertThat(status.path("artifactRepositoryRef").path("artifactRepository"))
                .isEqualTo(Scenario.REPOSITORY);
        Scenario s = Scenario.given(THREE);
        s.succeeds("wf").discards("wf", null);
        JsonNode view = WorkflowView.render(s.state(), "1").path("status");
        assertThat(
                        view.path("artifactGCStatus")
                                .path("strategiesProcessed")
                                .path("OnWorkflowCompletion")
                                .asBoolean())
                .isTrue();
        JsonNode early = view.path("nodes").path("wf").path("outputs").path("artifacts").path(0);
        assertThat(early.path("name").asString()).isEqualTo("early");
        assertThat(early.path("deleted").asBoolean()).isTrue();
    }

    private static List<String> given(Scenario s) {
        return s.discarded().values().stream()
                .flatMap(List::stream)
                .map(Artifact::name)
                .filter(Objects::nonNull)
                .toList();
    }
}
