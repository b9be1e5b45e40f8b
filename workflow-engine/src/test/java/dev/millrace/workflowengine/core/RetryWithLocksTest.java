package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Workflows and nodes that take locks are taken up again: they need their locks again. */
final class RetryWithLocksTest {
    private static final String MUTEX = "default/Mutex/m";
    private static final String WAITING = "Waiting for default/Mutex/m lock. Lock status: 0/1";

    private static final String WORKFLOW =
            """
            entrypoint: main
            activeDeadlineSeconds: 100
            synchronization: {mutexes: [{name: "{{workflow.parameters.lock}}"}]}
            arguments: {parameters: [{name: lock, value: m}]}
            templates:
            - name: main
              steps: [[{name: a, template: run}], [{name: b, template: run}]]
            - name: run
              container: {image: busybox, command: [run]}
            """;

    private static Scenario workflowFailedAtB() {
        return Scenario.given(WORKFLOW)
                .granted((String) null)
                .succeeds("wf[0].a")
                .fails("wf[1].b", 1)
                .endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aWorkflowGetsItsLocksAgainBeforeAnythingIsTouched() {
        Scenario s = workflowFailedAtB();
        LockHolder before = s.holder(null);
        assertThat(s.released()).containsExactly(before);
        s.retry();
        assertThat(s.holder(null)).isNotEqualTo(before);
        assertThat(s.asking()).containsExactly(s.holder(null));
        assertThat(s.claimed(null)).containsExactly(MUTEX);
        assertThat(s.running()).isEmpty();
        assertThat(s.node("wf[1].b").phase()).isEqualTo(NodePhase.FAILED);
        s.waits((String) null, MUTEX, WAITING);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        assertThat(s.head().message()).isEqualTo(WAITING);
        s.granted((String) null);
        assertThat(s.head().message()).isNull();
        assertThat(s.running()).containsExactly("wf[1].b");
        s.granted((String) null);
        assertThat(s.running()).as("a repeat changes nothing").containsExactly("wf[1].b");
        s.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.claimants()).isEmpty();
    }

    @Test
    void whatTheEarlierRunAskedForIsGivenBack() {
        Scenario s = workflowFailedAtB();
        LockHolder before = s.holder(null);
        s.retry().granted(before);
        assertThat(s.released()).containsExactly(before, before);
        assertThat(s.running()).isEmpty();
        assertThat(s.asking()).containsExactly(s.holder(null));
    }

    @Test
    void changedParametersMayNameAnotherLock() {
        Scenario s = workflowFailedAtB().retry(false, null, Map.of("lock", "other"));
        assertThat(s.claimed(null)).containsExactly("default/Mutex/other");
        s.granted((String) null).succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.SUCCEEDED);
    }

    @Test
    void aRetryThatWaitsForItsLocksCanBeStoppedAndRetriedAgain() {
        Scenario s = workflowFailedAtB().retry().stop();
        s.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
        assertThat(s.claimants()).isEmpty();
        s.retry().granted((String) null);
        assertThat(s.running()).containsExactly("wf[1].b");
        s.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aRetryThatWaitsForItsLocksCanBeRefusedThemDeletedOrRunOutOfTime() {
        Scenario refused = workflowFailedAtB().retry().refused((String) null, "no limit");
        refused.isFinished(
                WorkflowPhase.FAILED, "Failed to acquire the synchronization lock. no limit");
        Scenario deleted = workflowFailedAtB().retry().delete();
        assertThat(deleted.head().stage()).isEqualTo(WorkflowStage.DELETED);
        assertThat(deleted.claimants()).isEmpty();
        Scenario late = workflowFailedAtB().retry().after(Duration.ofSeconds(200));
        assertThat(late.head().stage()).isEqualTo(WorkflowStage.MAIN);
        late.granted((String) null);
        assertThat(late.head().stage()).isEqualTo(WorkflowStage.DONE);
        assertThat(late.running()).isEmpty();
        assertThat(late.claimants()).isEmpty();
        assertThat(late.state().openNodes()).isEmpty();
    }

    @Test
    void aWorkflowThatEndedBeforeItBeganBeginsWhenItHasItsLocks() {
        Scenario s = Scenario.given(WORKFLOW).stop();
        s.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
        s.retry().waits((String) null, MUTEX, WAITING);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.PENDING);
        s.granted((String) null);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        s.succeeds("wf[0].a").succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    private static final String TEMPLATES =
            """
            entrypoint: main
            templates:
            - name: main
              dag:
                tasks:
                - {name: leaf, template: leaf}
                - {name: group, template: group}
            - name: leaf
              synchronization: {mutexes: [{name: l}]}
              container: {image: busybox, command: [run]}
            - name: group
              synchronization: {mutexes: [{name: "m"}]}
              steps: [[{name: a, template: run}], [{name: b, template: inner}]]
            - name: inner
              dag: {tasks: [{name: c, template: run}, {name: d, template: run}]}
            - name: run
              container: {image: busybox, command: [run]}
            """;

    private static Scenario templatesFailed() {
        return Scenario.given(TEMPLATES)
                .granted("wf.leaf")
                .granted("wf.group")
                .fails("wf.leaf", 1)
                .succeeds("wf.group[0].a")
                .succeeds("wf.group[1].b.c")
                .fails("wf.group[1].b.d", 1)
                .isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void aLeafIsMadeAnewAndAGroupGoesOnWithTheirLocks() {
        Scenario s = templatesFailed();
        assertThat(s.claimants()).isEmpty();
        s.retry();
        assertThat(s.asking()).containsExactlyInAnyOrder(s.holder("wf.leaf"), s.holder("wf.group"));
        assertThat(s.running()).isEmpty();
        s.waits("wf.group", MUTEX, WAITING);
        assertThat(s.node("wf.group").phase()).isEqualTo(NodePhase.RUNNING);
        assertThat(s.node("wf.group").message()).isEqualTo(WAITING);
        s.granted("wf.leaf");
        assertThat(s.running()).containsExactly("wf.leaf");
        s.granted("wf.group");
        assertThat(s.running()).containsExactly("wf.leaf", "wf.group[1].b.d");
        assertThat(s.node("wf.group").message()).isNull();
        s.succeeds("wf.leaf").succeeds("wf.group[1].b.d");
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.claimants()).isEmpty();
        assertThat(s.requests()).filteredOn("wf.group[0].a"::equals).hasSize(1);
    }

    @Test
    void aGroupThatNeverGetsItsLocksAgainLeavesNothingOpen() {
        Scenario stopped = templatesFailed().retry().stop();
        assertThat(stopped.head().stage()).isEqualTo(WorkflowStage.DONE);
        assertThat(stopped.state().openNodes()).isEmpty();
        assertThat(stopped.claimants()).isEmpty();

        Scenario refused = templatesFailed().retry().refused("wf.group", "no limit");
        assertThat(refused.node("wf.group").phase()).isEqualTo(NodePhase.ERROR);
        refused.granted("wf.leaf").succeeds("wf.leaf").endsAs(WorkflowPhase.ERROR);
        assertThat(refused.state().openNodes()).isEmpty();
        assertThat(refused.claimants()).isEmpty();
        refused.retry().granted("wf.group");
        assertThat(refused.lastAnswer().code()).isEqualTo(CommandAnswer.OK);
        assertThat(refused.running()).containsExactly("wf.group[1].b.d");
        refused.succeeds("wf.group[1].b.d").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aRetriedNodeTakesItsLocksOnceForAllOfItsAttemptsAlsoWhenItGoesOn() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          retryStrategy: {limit: 1}
                          synchronization: {mutexes: [{name: "m"}]}
                          container: {image: busybox, command: [run]}
                        """);
        s.granted("wf").fails("wf(0)", 1).fails("wf(1)", 1);
        s.isFinished(WorkflowPhase.FAILED, "No more retries left");
        s.retry();
        assertThat(s.asking()).containsExactly(s.holder("wf"));
        assertThat(s.running()).isEmpty();
        s.granted("wf").fails("wf(0)", 1);
        assertThat(s.running()).containsExactly("wf(1)");
        assertThat(s.claimants()).containsExactly(s.holder("wf"));
        s.succeeds("wf(1)").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.claimants()).isEmpty();
    }
}
