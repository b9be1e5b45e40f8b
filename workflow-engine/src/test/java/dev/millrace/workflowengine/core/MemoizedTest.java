package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.Memoization;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Stories of memoized templates. */
final class MemoizedTest {
    private static final Outputs KEPT =
            new Outputs(
                    List.of(new Parameter("out", new Scalar("kept"), null, null, null, null, null)),
                    List.of(),
                    null,
                    "0");

    private static String spec(String memoize, String more) {
        return """
               entrypoint: main
               templates:
               - name: main
                 steps:
                 - - {name: a, template: run}
                 - - {name: b, template: next, arguments: {parameters: [{name: in, value: "{{steps.a.outputs.parameters.out}}"}]}}
               - name: run
               %s
                 memoize: %s
                 container: {image: busybox, command: [run]}
                 outputs: {parameters: [{name: out, valueFrom: {path: /out}}]}
               - name: next
                 inputs: {parameters: [{name: in}]}
                 container: {image: busybox, command: [run]}
               """
                .formatted(more, memoize);
    }

    private static final String CACHE = "{key: k1, maxAge: 1h, cache: {configMap: {name: c}}}";

    @Test
    void aHitSucceedsAtOnceWithWhatWasKept() {
        Scenario s = Scenario.given(spec(CACHE, ""));
        assertThat(s.running()).isEmpty();
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.PENDING);
        s.cached("wf[0].a", Instant.parse("2026-01-01T00:00:00Z"), KEPT, null);
        assertThat(s.node("wf[0].a").memoization()).isEqualTo(new Memoization(true, "k1", "c"));
        assertThat(s.running()).containsExactly("wf[1].b");
        assertThat(s.input("wf[1].b", "in")).isEqualTo("kept");
        assertThat(saved(s)).isEmpty();
    }

    @Test
    void aMissRunsAndIsKeptOnSuccessOnly() {
        Scenario s = Scenario.given(spec(CACHE, ""));
        s.cached("wf[0].a", null, null, null);
        assertThat(s.running()).containsExactly("wf[0].a");
        s.cached("wf[0].a", Instant.parse("2026-01-01T00:00:00Z"), KEPT, null);
        assertThat(s.running()).as("a repeated answer changes nothing").containsExactly("wf[0].a");
        s.gives("wf[0].a", "", Map.of("out", "new"));
        assertThat(saved(s)).hasSize(1);
        assertThat(s.node("wf[0].a").memoization()).isEqualTo(new Memoization(false, "k1", "c"));

        Scenario failing = Scenario.given(spec(CACHE, ""));
        failing.cached("wf[0].a", null, null, null).fails("wf[0].a", 1);
        assertThat(saved(failing)).isEmpty();
    }

    private static final String LOCKED = "  synchronization: {mutexes: [{name: m}]}";

    @Test
    void theCacheIsAskedOnlyWithTheLocksHeldAndAHitGivesThemBack() {
        Scenario s = Scenario.given(spec(CACHE, LOCKED));
        assertThat(s.asking()).containsExactly(s.holder("wf[0].a"));
        assertThat(asked(s)).isZero();
        s.granted("wf[0].a");
        assertThat(asked(s)).isOne();
        assertThat(s.running()).isEmpty();
        assertThat(s.claimants()).containsExactly(s.holder("wf[0].a"));
        s.cached("wf[0].a", Instant.parse("2026-01-01T00:00:00Z"), KEPT, null);
        assertThat(s.claimants()).isEmpty();
        assertThat(s.node("wf[0].a").memoization()).isEqualTo(new Memoization(true, "k1", "c"));
        assertThat(s.input("wf[1].b", "in")).isEqualTo("kept");
    }

    @Test
    void aMissRunsWithTheLocksHeld() {
        for (String more : List.of(LOCKED, LOCKED + "\n  retryStrategy: {limit: 1}")) {
            Scenario s = Scenario.given(spec(CACHE, more));
            s.granted("wf[0].a").cached("wf[0].a", null, null, null);
            String step = more.equals(LOCKED) ? "wf[0].a" : "wf[0].a(0)";
            assertThat(s.running()).containsExactly(step);
            assertThat(s.asking()).isEmpty();
            assertThat(s.claimants()).containsExactly(s.holder("wf[0].a"));
            s.gives(step, "", Map.of("out", "new"));
            assertThat(s.claimants()).isEmpty();
            assertThat(saved(s)).hasSize(1);
            s.succeeds("wf[1].b").isFinished(WorkflowPhase.SUCCEEDED, null);
        }
    }

    @Test
    void whatWaitsForItsCacheGivesItsLocksBackWhenItIsStopped() {
        Scenario s = Scenario.given(spec(CACHE, LOCKED)).granted("wf[0].a").stop();
        assertThat(s.claimants()).isEmpty();
        s.isFinished(WorkflowPhase.FAILED, "Stopped with strategy 'Stop'");
    }

    private static long asked(Scenario s) {
        return s.history().stream()
                .flatMap(d -> d.events().stream())
                .filter(WorkflowEvent.CacheAsked.class::isInstance)
                .count();
    }

    @Test
    void anEntryThatIsTooOldIsAMiss() {
        Scenario s = Scenario.given(spec(CACHE, ""));
        s.cached("wf[0].a", Instant.parse("2025-12-31T22:59:00Z"), KEPT, null);
        assertThat(s.running()).containsExactly("wf[0].a");
    }

    @Test
    void aRetriedTemplateAsksOnceAndIsAPodOnAHit() {
        Scenario s = Scenario.given(spec(CACHE, "  retryStrategy: {limit: 2}"));
        s.cached("wf[0].a", null, null, null);
        assertThat(s.running()).containsExactly("wf[0].a(0)");
        s.fails("wf[0].a(0)", 1).gives("wf[0].a(1)", "", Map.of("out", "new"));
        assertThat(s.node("wf[0].a").type()).isEqualTo(NodeType.RETRY);
        assertThat(saved(s)).hasSize(1);

        Scenario hit = Scenario.given(spec(CACHE, "  retryStrategy: {limit: 2}"));
        hit.cached("wf[0].a", Instant.parse("2026-01-01T00:00:00Z"), KEPT, null);
        assertThat(hit.node("wf[0].a").type()).isEqualTo(NodeType.POD);
        assertThat(hit.running()).containsExactly("wf[1].b");
    }

    @Test
    void aWrongKeyOrAnUnusableCacheIsAnErrorThatSaysSo() {
        Scenario s = Scenario.given(spec("{key: \"a key\", cache: {configMap: {name: c}}}", ""));
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(s.node("wf[0].a").message()).startsWith("invalid cache key 'a key'");
        Scenario unusable = Scenario.given(spec(CACHE, ""));
        unusable.cached("wf[0].a", null, null, "ConfigMap c is no cache");
        assertThat(unusable.node("wf[0].a").phase()).isEqualTo(NodePhase.ERROR);
        assertThat(unusable.node("wf[0].a").message()).isEqualTo("ConfigMap c is no cache");
    }

    @Test
    void outputsThatNoCacheCanHoldAreAnError() {
        Scenario s = Scenario.given(spec(CACHE, ""));
        s.cached("wf[0].a", null, null, null);
        s.gives("wf[0].a", "", Map.of("out", "x".repeat(1024 * 1024)));
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.ERROR);
        assertThat(s.node("wf[0].a").message()).contains("a cache entry can have 1048576");
        assertThat(saved(s)).isEmpty();
    }

    @Test
    void aStopEndsANodeThatWaitsForItsCache() {
        Scenario s = Scenario.given(spec(CACHE, "")).stop();
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        s.cached("wf[0].a", Instant.parse("2026-01-01T00:00:00Z"), KEPT, null);
        assertThat(s.node("wf[0].a").phase()).isEqualTo(NodePhase.FAILED);
    }

    private static List<WorkflowEvent.CacheSaved> saved(Scenario s) {
        return s.history().stream()
                .flatMap(d -> d.events().stream())
                .filter(WorkflowEvent.CacheSaved.class::isInstance)
                .map(WorkflowEvent.CacheSaved.class::cast)
                .toList();
    }
}
