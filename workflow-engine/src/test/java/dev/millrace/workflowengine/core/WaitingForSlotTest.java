package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What waits for a slot, while what is around it comes to its end. */
final class WaitingForSlotTest {

    @Test
    void anAttemptThatWaitedForASlotDoesNotStartAtTheDeadline() {
        Scenario s = Scenario.given(retriedBesideAnother("retryStrategy: {limit: 2}"));
        s.fails("wf.a(0)", 1);
        assertThat(s.running()).containsExactly("wf.b");
        s.after(Duration.ofSeconds(60));
        assertThat(s.has("wf.a(1)")).isFalse();
        assertThat(s.node("wf.a").message())
                .isEqualTo("retry exceeded workflow deadline 2026-01-01T00:01:00Z");
        s.endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void anAttemptThatWaitedForASlotDoesNotStartAfterTheTimeForAttempts() {
        Scenario s =
                Scenario.given(
                        retriedBesideAnother(
                                "retryStrategy: {limit: 2, backoff: {duration: 1s, maxDuration: 5s}}"));
        s.fails("wf.a(0)", 1).after(Duration.ofSeconds(20)).succeeds("wf.b");
        assertThat(s.has("wf.a(1)")).isFalse();
        assertThat(s.node("wf.a").message()).isEqualTo("Max duration limit exceeded");
        s.endsAs(WorkflowPhase.FAILED);
    }

    private static String retriedBesideAnother(String strategy) {
        return """
               entrypoint: main
               parallelism: 1
               activeDeadlineSeconds: 60
               templates:
               - name: main
                 dag: {tasks: [{name: a, template: retried}, {name: b, template: t}]}
               - name: retried
                 %s
                 container: {image: x}
               - name: t
                 container: {image: x}
               """
                .formatted(strategy);
    }

    @Test
    void aFirstAttemptThatWaitedForASlotIsMadeOnceAtTheDeadline() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        activeDeadlineSeconds: 5
                        templates:
                        - name: main
                          dag: {tasks: [{name: z, template: retried}, {name: b, template: t}]}
                        - name: retried
                          retryStrategy: {limit: 2}
                          synchronization: {mutexes: [{name: m}]}
                          container: {image: x}
                        - name: t
                          container: {image: x}
                        """);
        s.granted("wf.z");
        assertThat(s.running()).containsExactly("wf.b");
        s.after(Duration.ofSeconds(5));
        assertThat(s.node("wf.z(0)").message()).isEqualTo("Step exceeded its deadline");
        assertThat(s.has("wf.z(1)")).isFalse();
        s.endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aTaskThatWaitsForASlotDoesNotKeepItsDagFromFailing() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: inner}
                            - {name: q, template: pause}
                            - {name: b, template: t, depends: q}
                        - name: inner
                          dag:
                            tasks:
                            - {name: p, template: pause}
                            - {name: k, template: t}
                            - {name: l, template: t, depends: p}
                            - {name: m, template: t, depends: p.Failed}
                        - name: pause
                          suspend: {}
                        - name: t
                          container: {image: x}
                        """);
        s.resume("displayName=q").fails("wf.a.k", 1);
        assertThat(s.running()).containsExactly("wf.b");
        s.resume("displayName=p")
                .phases(Map.of("wf.a", NodePhase.FAILED, "wf.a.m", NodePhase.OMITTED));
        s.succeeds("wf.b").endsAs(WorkflowPhase.FAILED);
        assertThat(s.has("wf.a.l")).isFalse();
    }

    @Test
    void aDagThatFailFastEndsWaitsForTheHookOfTheLoopThatItCutShort() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 1
                          failFast: true
                          dag:
                            tasks:
                            - {name: a, template: t}
                            - name: l
                              template: t
                              withItems: [1, 2]
                              hooks:
                                h: {template: t, expression: 'tasks["l"].status == "Running"'}
                        - name: t
                          container: {image: x}
                        """);
        s.fails("wf.a", 1);
        assertThat(s.running()).containsExactly("wf.l.hooks.h");
        s.phases(Map.of("wf.l", NodePhase.RUNNING, "wf", NodePhase.RUNNING));
        s.succeeds("wf.l.hooks.h").isFinished(WorkflowPhase.FAILED, StepsRun.FAIL_FAST);
    }

    @Test
    void aDagThatFailFastEndsDoesNotWaitForItsOwnHook() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          steps:
                          - - name: a
                              template: inner
                              hooks:
                                h: {template: t, expression: 'steps["a"].status == "Running"'}
                        - name: inner
                          parallelism: 1
                          failFast: true
                          dag:
                            tasks:
                            - {name: k, template: t}
                            - {name: l, template: t, withItems: [1, 2]}
                        - name: t
                          container: {image: x}
                        """);
        s.fails("wf[0].a.k", 1);
        assertThat(s.running()).containsExactly("wf[0].a.hooks.h");
        s.phases(Map.of("wf[0].a", NodePhase.FAILED));
        s.succeeds("wf[0].a.hooks.h").endsAs(WorkflowPhase.FAILED);
    }

    @Test
    void aDagWithoutFailFastWaitsForTheTaskThatHasNoSlot() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        parallelism: 1
                        templates:
                        - name: main
                          dag:
                            tasks:
                            - {name: a, template: inner}
                            - {name: q, template: pause}
                            - {name: b, template: t, depends: q}
                        - name: inner
                          dag:
                            failFast: false
                            tasks:
                            - {name: p, template: pause}
                            - {name: k, template: t, depends: p}
                            - {name: z, template: t}
                        - name: pause
                          suspend: {}
                        - name: t
                          container: {image: x}
                        """);
        s.resume("displayName=q").fails("wf.a.z", 1).resume("displayName=p");
        s.phases(Map.of("wf.a", NodePhase.RUNNING)).succeeds("wf.b").succeeds("wf.a.k");
        s.phases(Map.of("wf.a", NodePhase.FAILED)).endsAs(WorkflowPhase.FAILED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "z"})
    void loopsOfADagThatFailFastWouldEndEndByThemselvesAtAStop(String other) {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          failFast: true
                          parallelism: 2
                          dag:
                            tasks:
                            - {name: %s, template: t}
                            - {name: l, template: t, withItems: [1, 2]}
                        - name: t
                          container: {image: x}
                        """
                                .formatted(other));
        s.errs("wf.l(0:1)", "gone").stop().phases(Map.of("wf.l", NodePhase.ERROR));
        assertThat(s.node("wf.l").message()).isNull();
        s.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
    }
}
