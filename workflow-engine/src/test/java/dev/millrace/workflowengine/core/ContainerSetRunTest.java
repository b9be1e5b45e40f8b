package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Scenario.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.view.WorkflowView;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Container sets, and the volumes that steps are given. */
final class ContainerSetRunTest {
    private static final String SET =
            """
            entrypoint: main
            templates:
            - name: main
              dag:
                tasks:
                - {name: set, template: set}
                - {name: after, template: leaf, depends: set}
            - name: set
              containerSet:
                containers:
                - {name: d, image: i, dependencies: [b, c]}
                - {name: a, image: i}
                - {name: b, image: i, dependencies: [a]}
                - {name: c, image: i, dependencies: [a]}
            - name: leaf
              container: {image: busybox, command: [run]}
            """;

    private static StepOutcome outcome(NodePhase phase, String message, ContainerEnd... ends) {
        return new StepOutcome(phase, message, null, null, Map.of(), List.of(), List.of(ends));
    }

    private static ContainerEnd ok(String name) {
        return new ContainerEnd(name, NodePhase.SUCCEEDED, null, 0);
    }

    private static List<String> children(Scenario s, String node) {
        return s.state().children(s.node(node).id()).stream()
                .map(id -> s.state().node(id).name())
                .sorted()
                .toList();
    }

    @Test
    void containersHangBelowWhatTheyDependOnAndWhatFollowsBelowTheLast() {
        Scenario s = given(SET);
        assertThat(s.running()).containsExactly("wf.set");
        assertThat(s.node("wf.set.a").type()).isEqualTo(NodeType.CONTAINER);
        assertThat(s.node("wf.set.a").boundaryId()).isEqualTo(s.node("wf.set").id());
        s.phases(Map.of("wf.set.d", NodePhase.PENDING)).starts("wf.set");
        s.phases(Map.of("wf.set", NodePhase.RUNNING, "wf.set.d", NodePhase.RUNNING));
        s.ends("wf.set", outcome(NodePhase.SUCCEEDED, null, ok("a"), ok("b"), ok("c"), ok("d")));
        assertThat(children(s, "wf.set")).containsExactly("wf.set.a");
        assertThat(children(s, "wf.set.a")).containsExactly("wf.set.b", "wf.set.c");
        assertThat(children(s, "wf.set.b")).containsExactly("wf.set.d");
        assertThat(children(s, "wf.set.d")).containsExactly("wf.after");
        s.phases(Map.of("wf.set.d", NodePhase.SUCCEEDED));
        s.succeeds("wf.after").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void aFailedContainerFailsThePodAndKeepsItsOwnMessage() {
        Scenario s = given(SET).starts("wf.set");
        s.ends(
                "wf.set",
                outcome(
                        NodePhase.FAILED,
                        "b: Error (exit code 3)",
                        ok("a"),
                        new ContainerEnd("b", NodePhase.FAILED, "Error (exit code 3)", 3),
                        ok("c")));
        s.phases(
                Map.of(
                        "wf.set.a", NodePhase.SUCCEEDED,
                        "wf.set.b", NodePhase.FAILED,
                        "wf.set.d", NodePhase.FAILED,
                        "wf.after", NodePhase.OMITTED));
        assertThat(s.node("wf.set.b").message()).isEqualTo("Error (exit code 3)");
        s.isFinished(WorkflowPhase.FAILED, null);
    }

    @Test
    void aStopEndsPodAndContainers() {
        given(SET)
                .starts("wf.set")
                .stop()
                .phases(Map.of("wf.set", NodePhase.FAILED, "wf.set.a", NodePhase.FAILED))
                .isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
    }

    @Test
    void anExitHandlerHangsBesideTheContainers() {
        Scenario s = given(SET.replace("template: set}", "template: set, onExit: leaf}"));
        s.starts("wf.set")
                .ends(
                        "wf.set",
                        outcome(NodePhase.SUCCEEDED, null, ok("a"), ok("b"), ok("c"), ok("d")));
        assertThat(children(s, "wf.set")).containsExactly("wf.set.a", "wf.set.onExit");
        s.succeeds("wf.set.onExit").succeeds("wf.after").isFinished(WorkflowPhase.SUCCEEDED, null);
    }

    @Test
    void eachAttemptHasContainersOfItsOwn() {
        Scenario s =
                given(SET.replace("- name: set\n", "- name: set\n  retryStrategy: {limit: 1}\n"));
        s.starts("wf.set(0)").ends("wf.set(0)", outcome(NodePhase.FAILED, "a: Error", ok("b")));
        s.phases(Map.of("wf.set(0).a", NodePhase.FAILED, "wf.set(1).a", NodePhase.PENDING));
    }

    @Test
    void aStepGetsTheVolumesOfTheWorkflowThatItMountsAndNoOthers() {
        Scenario s = given(VOLUMES);
        var volumes = s.requested("wf[0].a").template().volumes();
        assertThat(volumes.toString())
                .isEqualTo(
                        "[{\"name\":\"own\",\"emptyDir\":{}},{\"name\":\"shared\",\"persistentVolumeClaim\":{\"claimName\":\"data-of-x\"}},{\"name\":\"work\",\"persistentVolumeClaim\":{\"claimName\":\"wf-work\"}}]");
    }

    private static final String VOLUMES =
            """
            entrypoint: main
            volumes:
            - {name: shared, persistentVolumeClaim: {claimName: "data-of-{{inputs.parameters.p}}"}}
            - {name: unused, emptyDir: {}}
            volumeClaimTemplates: [{metadata: {name: work}}]
            templates:
            - name: main
              steps: [[{name: a, template: a, arguments: {parameters: [{name: p, value: x}]}}]]
            - name: a
              inputs: {parameters: [{name: p}]}
              volumes: [{name: own, emptyDir: {}}]
              container:
                image: i
                command: [run]
                volumeMounts: [{name: own, mountPath: /own}, {name: shared, mountPath: /shared}]
              sidecars:
              - {name: s, image: i, command: [run], volumeMounts: [{name: work, mountPath: /work}]}
            """;

    private static boolean released(Scenario s) {
        return s.history().stream()
                .flatMap(d -> d.events().stream())
                .anyMatch(e -> e.equals(new WorkflowEvent.ClaimsReleased(List.of("wf-work"))));
    }

    private static int claims(Scenario s) {
        return WorkflowView.render(s.state(), "1")
                .path("status")
                .path("persistentVolumeClaims")
                .size();
    }

    @Test
    void claimsGoWithTheirWorkflowAsItsStrategySays() {
        Scenario good = given(VOLUMES);
        assertThat(claims(good)).isEqualTo(1);
        good.succeeds("wf[0].a");
        assertThat(released(good)).isTrue();
        assertThat(claims(good)).isZero();

        Scenario bad = given(VOLUMES).fails("wf[0].a", 1);
        assertThat(released(bad)).isFalse();
        assertThat(claims(bad)).isEqualTo(1);
        assertThat(released(bad.delete())).isTrue();

        Scenario thorough =
                given("volumeClaimGC: {strategy: OnWorkflowCompletion}\n" + VOLUMES)
                        .fails("wf[0].a", 1);
        assertThat(released(thorough)).isTrue();
    }

    @Test
    void aSetThatWaitsForItsLockGetsItsContainersWhenItHasIt() {
        Scenario s =
                given(
                        SET.replace(
                                "  containerSet:",
                                "  synchronization: {mutexes: [{name: m}]}\n  containerSet:"));
        assertThat(s.running()).isEmpty();
        assertThat(children(s, "wf.set")).isEmpty();
        s.granted("wf.set");
        assertThat(s.running()).containsExactly("wf.set");
        assertThat(children(s, "wf.set")).containsExactly("wf.set.a");
        s.starts("wf.set").phases(Map.of("wf.set.d", NodePhase.RUNNING));
    }
}
