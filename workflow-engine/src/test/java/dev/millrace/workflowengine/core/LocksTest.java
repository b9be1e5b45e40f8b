package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Scenario.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.view.WorkflowView;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Workflows and nodes that take locks. */
final class LocksTest {
    private static final String MUTEX = "default/Mutex/m";
    private static final String WAITING = "Waiting for default/Mutex/m lock. Lock status: 0/1";

    private static final String WORKFLOW =
            """
            entrypoint: main
            onExit: bye
            synchronization:
              mutexes: [{name: "m"}]
              semaphores: [{configMapKeyRef: {name: limits, key: "{{workflow.parameters.key}}"}, namespace: shared}]
            arguments: {parameters: [{name: key, value: small}]}
            templates:
            - name: main
              container: {image: busybox, command: [run]}
            - name: bye
              container: {image: busybox, command: [bye]}
            """;

    private static String step(String template) {
        return """
        entrypoint: main
        templates:
        - name: main
          steps:
          - - {name: a, template: leaf, arguments: {parameters: [{name: lock, value: m}]}}
        - name: leaf
          inputs: {parameters: [{name: lock}]}
          synchronization: {mutexes: [{name: "{{inputs.parameters.lock}}"}]}
        """
                + template.indent(2)
                + "- name: plain\n  container: {image: busybox, command: [run]}\n";
    }

    private static final String POD = step("container: {image: busybox, command: [run]}");

    private static JsonNode view(Scenario s) {
        return WorkflowView.render(s.state(), "1");
    }

    @Test
    void aWorkflowAsksForAllOfItsLocksAndIsPendingUntilItHasThem() {
        Scenario s = given(WORKFLOW);
        assertThat(s.claimed(null)).containsExactly("shared/ConfigMap/limits/small", MUTEX);
        assertThat(s.running()).isEmpty();
        assertThat(s.head().startedAt()).isNull();
        s.waits(null, MUTEX, WAITING);
        JsonNode status = view(s).path("status");
        assertThat(status.path("phase").asString()).isEqualTo("Pending");
        assertThat(status.path("message").asString()).isEqualTo(WAITING);
        assertThat(status.path("synchronization"))
                .isEqualTo(
                        Json.mapper()
                                .readTree(
                                        "{\"mutex\":{\"waiting\":[{\"mutex\":\"default/Mutex/m\"}]}}"));
        Instant asked = s.head().createdAt();
        s.after(Duration.ofSeconds(7)).granted((String) null);
        assertThat(s.running()).containsExactly("wf");
        assertThat(s.head().startedAt()).isEqualTo(asked.plusSeconds(7));
        JsonNode now = view(s);
        assertThat(now.path("status").path("phase").asString()).isEqualTo("Running");
        assertThat(now.path("status").path("message").isMissingNode()).isTrue();
        assertThat(now.path("status").path("synchronization").path("semaphore").toString())
                .isEqualTo(
                        "{\"holding\":[{\"semaphore\":\"shared/ConfigMap/limits/small\",\"holders\":[\"default/wf\"]}]}");
        assertThat(now.path("metadata").path("annotations").toString())
                .doesNotContain("pod-name-format");
        s.succeeds("wf");
        assertThat(s.released()).as("it holds them over its exit handler").isEmpty();
        s.succeeds("wf.onExit").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.released()).containsExactly(s.holder(null));
        assertThat(view(s).path("status").path("synchronization").isMissingNode()).isTrue();
    }

    @Test
    void aWorkflowThatNeverWaitedLooksLikeAnyOther() {
        Scenario s = given(WORKFLOW).granted((String) null);
        assertThat(view(s).path("metadata").path("annotations").toString())
                .contains("pod-name-format");
    }

    @Test
    void aWorkflowWhoseLimitCannotBeHadFails() {
        given(WORKFLOW)
                .refused(null, "configmaps \"limits\" not found")
                .isFinished(
                        WorkflowPhase.FAILED,
                        "Failed to acquire the synchronization lock. configmaps \"limits\" not found");
    }

    @Test
    void aWorkflowThatIsStoppedWhileItWaitsFailsAndAsksNoMore() {
        Scenario s = given(WORKFLOW).waits(null, MUTEX, WAITING).stop();
        s.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
        assertThat(s.released()).containsExactly(s.holder(null));
        assertThat(given(WORKFLOW).terminate().head().message())
                .isEqualTo("Stopped with strategy 'Terminate'");
    }

    @Test
    void aDeletionGivesTheLocksBack() {
        Scenario s = given(WORKFLOW).granted((String) null).delete();
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.DELETED);
        assertThat(s.claimants()).isEmpty();
        assertThat(given(POD).granted("wf[0].a").delete().claimants()).isEmpty();
    }

    @Test
    void aSuspendedWorkflowKeepsItsLocksAndBeginsWhenItIsResumed() {
        Scenario s = given(WORKFLOW).suspend().granted((String) null);
        assertThat(s.running()).isEmpty();
        s.resume(null);
        assertThat(s.running()).containsExactly("wf");
    }

    @Test
    void aNodeIsPendingUntilItHasItsLocks() {
        Scenario s = given(POD);
        assertThat(s.claimed("wf[0].a")).containsExactly(MUTEX);
        assertThat(s.running()).isEmpty();
        s.waits("wf[0].a", MUTEX, WAITING);
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.PENDING);
        JsonNode node = view(s).path("status").path("nodes").path(s.node("wf[0].a").id());
        assertThat(node.path("message").asString()).isEqualTo(WAITING);
        assertThat(node.path("synchronizationStatus").path("waiting").asString()).isEqualTo(MUTEX);
        s.granted("wf[0].a");
        assertThat(s.running()).containsExactly("wf[0].a");
        node = view(s).path("status").path("nodes").path(s.node("wf[0].a").id());
        assertThat(node.path("message").isMissingNode()).isTrue();
        assertThat(node.path("synchronizationStatus").isMissingNode()).isTrue();
        assertThat(view(s).path("status").path("synchronization").path("mutex").toString())
                .isEqualTo(
                        "{\"holding\":[{\"mutex\":\"default/Mutex/m\",\"holder\":\"default/wf/"
                                + s.node("wf[0].a").id()
                                + "\"}]}");
        s.succeeds("wf[0].a").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.released()).containsExactly(s.holder("wf[0].a"));
    }

    @Test
    void aFailedNodeGivesItsLocksBack() {
        Scenario s = given(POD).granted("wf[0].a").fails("wf[0].a", 1);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(s.claimants()).isEmpty();
    }

    @Test
    void anAnswerThatComesTwiceChangesNothing() {
        Scenario s = given(POD).waits("wf[0].a", MUTEX, WAITING);
        s.waits("wf[0].a", MUTEX, WAITING);
        assertThat(s.history().getLast().events()).isEmpty();
        s.granted("wf[0].a").granted("wf[0].a");
        assertThat(s.history().getLast().events()).isEmpty();
        s.waits("wf[0].a", MUTEX, WAITING);
        assertThat(s.history().getLast().events()).isEmpty();
        assertThat(s.running()).containsExactly("wf[0].a");
    }

    @Test
    void whatIsGrantedToNobodyIsGivenBack() {
        Scenario s = given(POD).granted("wf[0].a").succeeds("wf[0].a");
        LockHolder late = s.holder("wf[0].a");
        LockHolder other = new LockHolder("default", "wf", "another life", null, 0);
        LockHolder laterRun = new LockHolder("default", "wf", late.uid(), late.nodeId(), 1);
        s.released().clear();
        s.granted(late).granted(other).granted(laterRun);
        assertThat(s.released()).containsExactly(late, other, laterRun);
    }

    @Test
    void aStepsTemplateHoldsItsLocksForAllThatIsBelowIt() {
        Scenario s =
                given(
                        step(
                                "steps: [[{name: first, template: plain}], [{name: second, template: plain}]]"));
        assertThat(s.node("wf[0].a").type()).isEqualTo(NodeType.STEPS);
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.PENDING);
        s.granted("wf[0].a");
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.RUNNING);
        s.succeeds("wf[0].a[0].first");
        assertThat(s.released()).isEmpty();
        s.succeeds("wf[0].a[1].second").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.claimants()).isEmpty();
    }

    @Test
    void aDagAndAPauseTakeLocksToo() {
        Scenario dag = given(step("dag: {tasks: [{name: x, template: plain}]}"));
        assertThat(dag.node("wf[0].a").type()).isEqualTo(NodeType.DAG);
        dag.granted("wf[0].a").succeeds("wf[0].a.x").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(dag.claimants()).isEmpty();

        Scenario pause = given(step("suspend: {duration: 10s}"));
        pause.after(Duration.ofSeconds(30));
        assertThat(pause.node("wf[0].a").phase()).isEqualTo(NodePhase.PENDING);
        pause.granted("wf[0].a").after(Duration.ofSeconds(9));
        assertThat(pause.node("wf[0].a").phase()).isEqualTo(NodePhase.RUNNING);
        pause.after(Duration.ofSeconds(1)).isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(pause.claimants()).isEmpty();
    }

    @Test
    void aRetriedTemplateTakesItsLocksOnceForAllAttempts() {
        Scenario s =
                given(
                        step(
                                "retryStrategy: {limit: 2}\ncontainer: {image: busybox, command: [run]}"));
        assertThat(s.node("wf[0].a").type()).isEqualTo(NodeType.RETRY);
        assertThat(s.has("wf[0].a(0)")).isFalse();
        s.granted("wf[0].a").fails("wf[0].a(0)", 1);
        assertThat(s.released()).isEmpty();
        assertThat(s.claimants()).containsExactly(s.holder("wf[0].a"));
        s.succeeds("wf[0].a(1)").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.claimants()).isEmpty();
    }

    @Test
    void aNodeWhoseLimitCannotBeHadIsInError() {
        Scenario s = given(POD).refused("wf[0].a", "no limit");
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.ERROR);
        assertThat(s.node("wf[0].a").message()).isEqualTo("no limit");
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(s.claimants()).isEmpty();
    }

    @Test
    void nodesThatWaitEndWithTheWorkflow() {
        for (String template :
                new String[] {
                    "container: {image: busybox, command: [run]}",
                    "suspend: {}",
                    "steps: [[{name: x, template: plain}]]",
                    "dag: {tasks: [{name: x, template: plain}]}",
                    "retryStrategy: {limit: 2}\ncontainer: {image: busybox, command: [run]}"
                }) {
            Scenario stopped = given(step(template)).waits("wf[0].a", MUTEX, WAITING).stop();
            stopped.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
            assertThat(stopped.node("wf[0].a").message())
                    .as(template)
                    .isEqualTo("Stopped with strategy 'Stop'");
            assertThat(stopped.claimants()).as(template).isEmpty();

            Scenario late = given("activeDeadlineSeconds: 5\n" + step(template));
            late.after(Duration.ofSeconds(6));
            assertThat(late.head().phase()).as(template).isEqualTo(WorkflowPhase.FAILED);
            assertThat(late.node("wf[0].a").message()).isEqualTo("Step exceeded its deadline");
            assertThat(late.claimants()).as(template).isEmpty();
        }
    }

    @Test
    void timeSpentWaitingForALockIsPendingTime() {
        Scenario s =
                given(step("timeout: 10s\ncontainer: {image: busybox, command: [run]}"))
                        .after(Duration.ofSeconds(11));
        assertThat(s.node("wf[0].a").message()).isEqualTo("timeout");
        assertThat(s.claimants()).isEmpty();
        Scenario begun =
                given(step("timeout: 10s\ncontainer: {image: busybox, command: [run]}"))
                        .granted("wf[0].a")
                        .starts("wf[0].a")
                        .after(Duration.ofSeconds(11));
        assertThat(begun.running()).containsExactly("wf[0].a");
    }

    @Test
    void nodesThatWaitForALockTakeNoSlotOfTheWorkflow() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          steps:
                          - - {name: locked, template: locked}
                            - {name: free, template: leaf}
                        - name: locked
                          synchronization: {mutexes: [{name: m}]}
                          container: {image: busybox, command: [run]}
                        - name: leaf
                          container: {image: busybox, command: [run]}
                        """);
        assertThat(s.running()).containsExactly("wf[0].free");
        s.granted("wf[0].locked");
        assertThat(s.running()).as("it has its lock and waits for a slot").hasSize(1);
        s.succeeds("wf[0].free");
        assertThat(s.running()).containsExactly("wf[0].locked");
        s.succeeds("wf[0].locked").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void theFormOfOneLockIsUnderstoodAndTheSameLockIsTakenOnce() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          synchronization:
                            mutex: {name: m}
                            mutexes: [{name: m}, {name: m, namespace: other}]
                            semaphore: {configMapKeyRef: {name: c, key: k}}
                          container: {image: busybox, command: [run]}
                        """);
        assertThat(s.claimed("wf"))
                .containsExactly("default/ConfigMap/c/k", MUTEX, "other/Mutex/m");
    }

    @Test
    void aWorkflowWithoutLocksAsksForNone() {
        Scenario s =
                given(
                        "entrypoint: main\nsynchronization: {mutexes: []}\ntemplates:\n- name: main\n  synchronization: {}\n  container: {image: busybox, command: [run]}\n");
        assertThat(s.claimants()).isEmpty();
        assertThat(s.head().lock()).isNull();
        assertThat(Objects.requireNonNull(s.node("wf")).lock()).isNull();
        assertThat(s.running()).containsExactly("wf");
    }
}
