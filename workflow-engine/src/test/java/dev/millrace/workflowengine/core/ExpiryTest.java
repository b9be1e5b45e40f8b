package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ExpiryTest {

    private static final String STEP =
            """
            entrypoint: main
            ttlStrategy: %s
            templates: [{name: main, container: {image: a}}]
            """;
    private static final String EACH =
            "{secondsAfterCompletion: 30, secondsAfterSuccess: 10, secondsAfterFailure: 20}";

    private static Scenario given(String strategy) {
        return Scenario.given(STEP.formatted(strategy));
    }

    private static void goesAfter(Scenario ended, int seconds) {
        ended.after(Duration.ofSeconds(seconds).minusMillis(1));
        assertThat(ended.head().stage()).isEqualTo(WorkflowStage.DONE);
        ended.after(Duration.ofMillis(1));
        assertThat(ended.head().stage()).isEqualTo(WorkflowStage.DELETED);
        assertThat(ended.state().nodes()).isEmpty();
    }

    @Test
    void whatSucceededGoesAfterItsOwnTime() {
        goesAfter(given(EACH).succeeds("wf").isFinished(WorkflowPhase.SUCCEEDED, null), 10);
    }

    @Test
    void whatFailedGoesAfterItsOwnTime() {
        goesAfter(given(EACH).fails("wf", 1), 20);
    }

    @Test
    void whatEndedInErrorHasOnlyTheTimeOfAll() {
        goesAfter(given(EACH).errs("wf", "no pod"), 30);
    }

    @Test
    void theTimeOfAllHoldsWhereAnEndHasNoneOfItsOwn() {
        goesAfter(given("{secondsAfterCompletion: 30, secondsAfterFailure: 1}").succeeds("wf"), 30);
    }

    @Test
    void noTimeAtAllIsAtOnce() {
        Scenario ended = given("{secondsAfterCompletion: 0}").succeeds("wf").after(Duration.ZERO);
        assertThat(ended.head().stage()).isEqualTo(WorkflowStage.DELETED);
    }

    @Test
    void whatHasNoTimeForItsEndStays() {
        Scenario ended =
                given("{secondsAfterSuccess: 1}").fails("wf", 1).after(Duration.ofDays(10_000));
        assertThat(ended.head().stage()).isEqualTo(WorkflowStage.DONE);
    }

    @Test
    void aTimeBeyondAllTimesIsNoFault() {
        Scenario ended = given("{secondsAfterCompletion: 9223372036854775807}").succeeds("wf");
        assertThat(ended.head().stage()).isEqualTo(WorkflowStage.DONE);
    }

    @Test
    void aWorkflowThatNeverBeganGoesToo() {
        Scenario ended =
                Scenario.given(
                        """
                        entrypoint: main
                        ttlStrategy: {secondsAfterFailure: 5}
                        workflowMetadata: {labelsFrom: {a: {expression: "1"}}}
                        templates: [{name: main, container: {image: a}}]
                        """);
        assertThat(ended.head().phase()).isEqualTo(WorkflowPhase.FAILED);
        goesAfter(ended, 5);
    }

    @Test
    void aRetryCallsItOffAndTheNextEndSetsItAnew() {
        Scenario retried = given(EACH).fails("wf", 1).after(Duration.ofSeconds(19)).retry();
        retried.after(Duration.ofSeconds(60));
        assertThat(retried.head().stage()).isEqualTo(WorkflowStage.MAIN);
        goesAfter(retried.succeeds("wf"), 10);
    }

    @Test
    void artifactsGoBeforeIt() {
        Scenario ended =
                Scenario.given(
                                """
                                entrypoint: main
                                ttlStrategy: {secondsAfterCompletion: 5}
                                artifactGC: {strategy: OnWorkflowDeletion}
                                templates:
                                - name: main
                                  container: {image: a}
                                  outputs: {artifacts: [{name: out, path: /out}]}
                                """)
                        .stores("wf", "out");
        assertThat(ended.history().getLast().events())
                .noneMatch(WorkflowEvent.ArtifactsDiscardRequested.class::isInstance);
        ended.after(Duration.ofSeconds(5));
        assertThat(ended.history().getLast().events())
                .anyMatch(WorkflowEvent.ArtifactsDiscardRequested.class::isInstance);
    }
}
