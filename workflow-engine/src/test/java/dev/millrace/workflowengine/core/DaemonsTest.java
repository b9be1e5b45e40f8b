package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Scenario.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.view.WorkflowView;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Daemons: done for others when ready, ended with what is around them. */
final class DaemonsTest {
    private static final String TEMPLATES =
            """
            - name: server
              daemon: true
              container: {image: busybox, command: [serve]}
            - name: stubborn
              daemon: true
              retryStrategy: {limit: 1}
              container: {image: busybox, command: [serve]}
            - name: client
              inputs: {parameters: [{name: ip}]}
              container: {image: busybox, command: [ask]}
            - name: leaf
              container: {image: busybox, command: [run]}
            """;

    private static Scenario steps(String server) {
        return given(
                """
                entrypoint: main
                templates:
                - name: main
                  steps:
                  - - {name: s, template: %s}
                  - - name: c
                      template: client
                      arguments: {parameters: [{name: ip, value: "{{steps.s.ip}}"}]}
                """
                                .formatted(server)
                        + TEMPLATES);
    }

    private static Scenario dag(String tasks) {
        return given(
                "entrypoint: main\ntemplates:\n- name: main\n  dag:\n    tasks:\n"
                        + tasks.indent(4)
                        + TEMPLATES);
    }

    private static JsonNode view(Scenario s, String node) {
        return WorkflowView.render(s.state(), "1")
                .path("status")
                .path("nodes")
                .path(s.node(node).id());
    }

    @Test
    void whatComesAfterADaemonStartsWhenItIsReadyAndGetsItsAddress() {
        Scenario s = steps("server").starts("wf[0].s");
        assertThat(s.running()).containsExactly("wf[0].s");
        s.ready("wf[0].s", "10.0.0.7");
        assertThat(s.running()).containsExactly("wf[0].s", "wf[1].c");
        assertThat(s.input("wf[1].c", "ip")).isEqualTo("10.0.0.7");
        s.phases(Map.of("wf[0].s", NodePhase.RUNNING, "wf[0]", NodePhase.SUCCEEDED));
        assertThat(view(s, "wf[0].s").path("daemoned").asBoolean()).isTrue();
        assertThat(view(s, "wf[0].s").path("podIP").asString()).isEqualTo("10.0.0.7");
    }

    @Test
    void theWorkflowEndsWhenItsDaemonsAreGone() {
        Scenario s = steps("server").starts("wf[0].s").ready("wf[0].s", "10.0.0.7");
        s.succeeds("wf[1].c");
        assertThat(s.stopped()).hasSize(1);
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.COMPLETING);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.RUNNING);
        s.isGone("wf[0].s")
                .isFinished(WorkflowPhase.SUCCEEDED, null)
                .phases(Map.of("wf[0].s", NodePhase.SUCCEEDED));
        JsonNode node = view(s, "wf[0].s");
        assertThat(node.path("podIP").asString()).isEqualTo("10.0.0.7");
        assertThat(node.has("daemoned")).isFalse();
        assertThat(node.has("outputs")).isFalse();
        assertThat(node.has("taskResultSynced")).isFalse();
    }

    @Test
    void aDaemonOfAnInnerTemplateEndsWithItWhileTheRestGoesOn() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - {name: inner, template: inner}
                          - - {name: last, template: leaf}
                        - name: inner
                          dag:
                            tasks:
                            - {name: s, template: server}
                            - {name: l, template: leaf, depends: s.Daemoned}
                        """
                                + TEMPLATES);
        s.starts("wf[0].inner.s").ready("wf[0].inner.s", "h").succeeds("wf[0].inner.l");
        assertThat(s.stopped()).hasSize(1);
        assertThat(s.running()).containsExactly("wf[1].last");
        s.succeeds("wf[1].last");
        assertThat(s.head().stage()).isEqualTo(WorkflowStage.COMPLETING);
        s.isGone("wf[0].inner.s").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aDaemonThatEndsBeforeItIsReadyHasFailed() {
        steps("server")
                .starts("wf[0].s")
                .succeeds("wf[0].s")
                .phases(Map.of("wf[0].s", NodePhase.FAILED, "wf[0]", NodePhase.FAILED));
    }

    @Test
    void aDaemonThatEndsEarlyHasFailedWhateverItsExitCode() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: server}
                        - {name: a, template: leaf}
                        """);
        s.starts("wf.s").ready("wf.s", "h").succeeds("wf.s");
        s.phases(Map.of("wf.s", NodePhase.FAILED, "wf", NodePhase.RUNNING));
        assertThat(s.node("wf.s").message()).contains("ended by itself");
        s.succeeds("wf.a").isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void aDaemonThatEndsEarlyInAnEarlierGroupFailsNoLaterOne() {
        steps("server")
                .starts("wf[0].s")
                .ready("wf[0].s", "h")
                .fails("wf[0].s", 2)
                .succeeds("wf[1].c")
                .phases(Map.of("wf[0].s", NodePhase.FAILED))
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void theExitHandlerOfADaemonThatEndedEarlyIsWaitedFor() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: server, onExit: leaf}
                        - {name: a, template: leaf}
                        """);
        s.starts("wf.s").ready("wf.s", "h").fails("wf.s", 2);
        assertThat(s.running()).containsExactly("wf.a", "wf.s.onExit");
        s.succeeds("wf.a").phases(Map.of("wf", NodePhase.RUNNING));
        s.succeeds("wf.s.onExit").isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void aRetriedDaemonIsTriedAgainAndItsNewAddressCounts() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: stubborn}
                        - {name: a, template: leaf, depends: s}
                        - {name: c, template: client, depends: s && a, arguments: {parameters: [{name: ip, value: "{{tasks.s.ip}}"}]}}
                        """);
        s.starts("wf.s(0)").fails("wf.s(0)", 1);
        s.starts("wf.s(1)").ready("wf.s(1)", "one");
        assertThat(s.running()).containsExactly("wf.s(1)", "wf.a");
        s.succeeds("wf.a");
        assertThat(s.input("wf.c", "ip")).isEqualTo("one");
        s.succeeds("wf.c");
        s.isGone("wf.s(1)")
                .phases(Map.of("wf.s(1)", NodePhase.SUCCEEDED, "wf.s", NodePhase.SUCCEEDED))
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aReadyDaemonThatDiesIsTriedAgainWhileItsClientsGoOn() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: stubborn}
                        - {name: a, template: leaf, depends: s}
                        - {name: c, template: client, depends: s && a, arguments: {parameters: [{name: ip, value: "{{tasks.s.ip}}"}]}}
                        """);
        s.starts("wf.s(0)").ready("wf.s(0)", "one").fails("wf.s(0)", 137);
        assertThat(s.running()).containsExactly("wf.a", "wf.s(1)");
        s.starts("wf.s(1)").ready("wf.s(1)", "two").succeeds("wf.a");
        assertThat(s.input("wf.c", "ip")).isEqualTo("two");
        s.succeeds("wf.c").isGone("wf.s(1)").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aDaemonThatIsBeingTriedAgainEndsWithItsDag() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: stubborn}
                        - {name: a, template: leaf, depends: s}
                        """);
        s.starts("wf.s(0)").ready("wf.s(0)", "one").fails("wf.s(0)", 137).succeeds("wf.a");
        s.isGone("wf.s(1)")
                .phases(Map.of("wf.s", NodePhase.SUCCEEDED, "wf.s(1)", NodePhase.SUCCEEDED))
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void noMoreRetriesLeftFailsTheTaskOfADaemon() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: stubborn}
                        - {name: a, template: leaf}
                        """);
        s.starts("wf.s(0)").ready("wf.s(0)", "one").fails("wf.s(0)", 1);
        s.starts("wf.s(1)").ready("wf.s(1)", "two").fails("wf.s(1)", 1).succeeds("wf.a");
        s.phases(Map.of("wf.s", NodePhase.FAILED)).isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void stopTerminateDeadlineAndDeletionEndADaemon() {
        steps("server")
                .starts("wf[0].s")
                .ready("wf[0].s", "h")
                .stop()
                .phases(Map.of("wf[0].s", NodePhase.FAILED))
                .isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
        steps("stubborn")
                .starts("wf[0].s(0)")
                .ready("wf[0].s(0)", "h")
                .terminate()
                .phases(Map.of("wf[0].s", NodePhase.FAILED))
                .isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Terminate'");
        Scenario late =
                given(
                        """
                        activeDeadlineSeconds: 10
                        entrypoint: main
                        templates:
                        - name: main
                          dag: {tasks: [{name: s, template: server}, {name: a, template: leaf}]}
                        """
                                + TEMPLATES);
        late.starts("wf.s").ready("wf.s", "h").after(Duration.ofSeconds(11));
        late.phases(Map.of("wf.s", NodePhase.FAILED, "wf.a", NodePhase.FAILED));
        assertThat(late.stopped()).hasSize(2);
        Scenario deleted = steps("server").starts("wf[0].s").ready("wf[0].s", "h").delete();
        assertThat(deleted.stopped()).hasSize(2);
        assertThat(deleted.head().stage()).isEqualTo(WorkflowStage.DELETED);
    }

    @Test
    void aStopWhileDaemonsAreGoingChangesNothingAboutThem() {
        Scenario s = steps("server").starts("wf[0].s").ready("wf[0].s", "h").succeeds("wf[1].c");
        s.stop();
        s.isGone("wf[0].s")
                .phases(Map.of("wf[0].s", NodePhase.SUCCEEDED))
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aReadyDaemonTakesNoSlotOfItsTemplatesParallelism() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 1
                          dag:
                            tasks:
                            - {name: s, template: server}
                            - {name: a, template: leaf, depends: s}
                            - {name: b, template: leaf, depends: s}
                        """
                                + TEMPLATES);
        s.starts("wf.s").ready("wf.s", "h");
        assertThat(s.running()).containsExactly("wf.s", "wf.a");
        s.succeeds("wf.a");
        assertThat(s.running()).containsExactly("wf.s", "wf.b");
        s.succeeds("wf.b").isGone("wf.s").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void loopsOfDaemonsAreDoneWhenAllAreReady() {
        Scenario s =
                dag(
                        """
                        - {name: s, template: server, withItems: [1, 2]}
                        - {name: a, template: leaf, depends: s}
                        """);
        s.starts("wf.s(0:1)").ready("wf.s(0:1)", "h");
        assertThat(s.running()).containsExactly("wf.s(0:1)", "wf.s(1:2)");
        s.starts("wf.s(1:2)").ready("wf.s(1:2)", "h").succeeds("wf.a");
        s.isGone("wf.s(0:1)").isGone("wf.s(1:2)").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aDaemonWithNothingAroundItIsAnOrdinaryStep() {
        given("entrypoint: server\ntemplates:\n" + TEMPLATES)
                .starts("wf")
                .ready("wf", "h")
                .succeeds("wf")
                .isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    private static Scenario locked(String more) {
        return given(
                """
                entrypoint: main
                templates:
                - name: main
                  steps:
                  - - {name: s, template: locked}
                  - - {name: c, template: leaf}
                - name: locked
                  daemon: true
                  synchronization: {mutexes: [{name: m}]}
                  container: {image: busybox, command: [serve]}
                """
                        + more
                        + TEMPLATES);
    }

    @Test
    void aDaemonKeepsItsLockUntilItEnds() {
        Scenario s = locked("");
        assertThat(s.running()).isEmpty();
        s.granted("wf[0].s").starts("wf[0].s").ready("wf[0].s", "10.0.0.7");
        // The answer comes once more, as it may.
        s.granted("wf[0].s");
        assertThat(s.released()).isEmpty();
        JsonNode status = WorkflowView.render(s.state(), "1").path("status");
        assertThat(status.path("synchronization").path("mutex").path("holding")).hasSize(1);
        s.succeeds("wf[1].c");
        assertThat(s.released()).isEmpty();
        s.isGone("wf[0].s");
        assertThat(s.released()).containsExactly(s.head().holder(s.node("wf[0].s").id()));
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aRetriedDaemonGivesItsLockBackWhenItIsNotNeededAnyMore() {
        Scenario s = locked("  retryStrategy: {limit: 1}\n");
        s.granted("wf[0].s").starts("wf[0].s(0)").ready("wf[0].s(0)", "10.0.0.7");
        s.succeeds("wf[1].c");
        assertThat(s.released()).isEmpty();
        s.isGone("wf[0].s(0)");
        assertThat(s.released()).containsExactly(s.head().holder(s.node("wf[0].s").id()));
        s.isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void whatADaemonStoredIsKnownAndGivenUpWithTheRest() {
        Scenario s =
                given(
                        """
                        entrypoint: main
                        artifactGC: {strategy: OnWorkflowCompletion}
                        templates:
                        - name: main
                          steps:
                          - - {name: s, template: logged}
                          - - {name: c, template: leaf}
                        - name: logged
                          daemon: true
                          archiveLocation: {archiveLogs: true}
                          container: {image: busybox, command: [serve]}
                        """
                                + TEMPLATES);
        s.starts("wf[0].s").ready("wf[0].s", "10.0.0.7").succeeds("wf[1].c");
        assertThat(s.discarded()).isEmpty();
        s.isGone("wf[0].s");
        s.phases(Map.of("wf[0].s", NodePhase.SUCCEEDED));
        assertThat(s.discarded()).containsOnlyKeys(s.node("wf[0].s").id());
    }
}
