package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.view.Moment;
import dev.millrace.workflowengine.view.PastWorkflow;
import dev.millrace.workflowengine.view.WhatHappened;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Time travel through the history of a scenario. */
class PastWorkflowTest {

    private static final Instant NOW = Instant.parse("2026-01-02T00:00:00Z");

    private final List<WorkflowTransition> history = history();
    private InMemoryWorkflow state = new InMemoryWorkflow();

    private static List<WorkflowTransition> history() {
        Scenario scenario =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                          - name: main
                            steps:
                              - - {name: first, template: work}
                              - - {name: second, template: work}
                          - name: work
                            container: {image: alpine, command: [run]}
                        """);
        scenario.after(Duration.ofSeconds(10)).succeeds("wf[0].first");
        scenario.after(Duration.ofSeconds(10)).fails("wf[1].second", 3);
        List<WorkflowTransition> transitions = new ArrayList<>();
        for (Scenario.Decided decided : scenario.history()) {
            if (!decided.events().isEmpty()) {
                transitions.add(
                        new WorkflowTransition(
                                "default",
                                Scenario.NAME,
                                "uid-submit",
                                transitions.size() + 1,
                                decided.now(),
                                decided.events()));
            }
        }
        return transitions;
    }

    private PastWorkflow at(Moment moment) {
        state = new InMemoryWorkflow();
        PastWorkflow past = new PastWorkflow(moment, state);
        history.forEach(past::add);
        return past;
    }

    @Test
    void aNumberShowsWhatStoodAfterThatTransitionAndNothingLater() {
        PastWorkflow first = at(new Moment.AfterTransition(1));
        assertThat(first.number()).isEqualTo(1);
        assertThat(Objects.requireNonNull(state.head()).phase()).isEqualTo(WorkflowPhase.RUNNING);
        assertThat(state.node(NodeNames.id("wf", "wf[1].second"))).isNull();

        PastWorkflow end = at(new Moment.AfterTransition(history.size()));
        assertThat(Objects.requireNonNull(state.head()).phase()).isEqualTo(WorkflowPhase.FAILED);
        assertThat(end.count()).isEqualTo(history.size());
    }

    @Test
    void everyPrefixIsTheFoldOfItsEvents() {
        InMemoryWorkflow folded = new InMemoryWorkflow();
        for (int n = 1; n <= history.size(); n++) {
            history.get(n - 1)
                    .events()
                    .forEach(e -> Evolution.apply(folded, "default", Scenario.NAME, e));
            PastWorkflow past = at(new Moment.AfterTransition(n));
            assertThat(state).as("after transition %d", n).isEqualTo(folded);
            assertThat(past.isInRange(NOW)).isTrue();
        }
    }

    @Test
    void aTimeShowsWhatStoodThenWithTheTransitionOfThatVeryInstant() {
        Instant second = history.get(1).now();
        assertThat(at(new Moment.At(second)).number()).isEqualTo(2);
        assertThat(at(new Moment.At(second.minusMillis(1))).number()).isEqualTo(1);
        assertThat(at(new Moment.At(NOW)).number()).isEqualTo(history.size());
    }

    @Test
    void momentsBeforeTheBeginningAndAfterTheEndAreOutOfRange() {
        Instant begin = history.getFirst().now();
        assertThat(at(new Moment.AfterTransition(0)).isInRange(NOW)).isFalse();
        assertThat(at(new Moment.AfterTransition(history.size() + 1)).isInRange(NOW)).isFalse();
        assertThat(at(new Moment.At(begin.minusMillis(1))).isInRange(NOW)).isFalse();
        assertThat(at(new Moment.At(NOW.plusSeconds(1))).isInRange(NOW)).isFalse();
        PastWorkflow far = at(new Moment.AfterTransition(1_000));
        assertThat(far.first()).isEqualTo(begin);
        assertThat(far.last()).isEqualTo(history.getLast().now());
    }

    @Test
    void momentsAreNumbersTimesAndSpansAgo() {
        assertThat(Moment.parse("12", NOW)).contains(new Moment.AfterTransition(12));
        assertThat(Moment.parse("1h30m", NOW))
                .contains(new Moment.At(Instant.parse("2026-01-01T22:30:00Z")));
        assertThat(Moment.parse("2026-01-01T10:00:00.5+02:00", NOW))
                .contains(new Moment.At(Instant.parse("2026-01-01T08:00:00.500Z")));
        for (String wrong :
                List.of(
                        "",
                        "-1",
                        "5x",
                        "yesterday",
                        "2026-01-01",
                        "1.5h",
                        "999999999d".repeat(400))) {
            assertThat(Moment.parse(wrong, NOW)).as(wrong).isEmpty();
        }
    }

    @Test
    void theStoryIsToldInLines() {
        List<String> story = new ArrayList<>();
        InMemoryWorkflow state = new InMemoryWorkflow();
        for (WorkflowTransition transition : history) {
            for (WorkflowEvent event : transition.events()) {
                Optional<String> line = WhatHappened.line(state, event);
                line.ifPresent(story::add);
                Evolution.apply(state, "default", Scenario.NAME, event);
            }
        }
        assertThat(story)
                .startsWith("the workflow is submitted", "the workflow starts")
                .contains(
                        "the step of wf[0].first is started",
                        "wf[0].first succeeded",
                        "wf[1].second failed: main: Error (exit code 3)")
                .allSatisfy(line -> assertThat(line).doesNotContain("\n"));
        assertThat(story.getLast()).startsWith("the workflow is Failed: ");
    }
}
