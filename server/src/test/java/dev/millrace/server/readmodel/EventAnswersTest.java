package dev.millrace.server.readmodel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.Decision;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventAnswersTest {

    private final EventAnswers answers = new EventAnswers();

    @Test
    void theAnswerComesWhenAllAreAskedAndWhatFiredIsDone() {
        CompletableFuture<Map<String, String>> answer = answers.of("e");

        answers.told(List.of(decision("a", "fired", "1"), decision("b", "failed", null)));
        answers.told(List.of(decision("c", "filtered", null), decision("", "asked", null)));
        assertThat(answer).isNotDone();
        answers.told(List.of(decision("a", "dispatched", "1")));

        assertThat(answer.join()).isEqualTo(Map.of("b", "why"));
    }

    @Test
    void aDispatchMayBeToldBeforeTheMatcherHasAskedAll() {
        CompletableFuture<Map<String, String>> answer = answers.of("e");

        answers.told(
                List.of(
                        decision("a", "fired", "1"),
                        decision("a", "failed", "1"),
                        decision("b", "fired", "2"),
                        decision("b", "dispatched", "2"),
                        decision("", "asked", null)));

        assertThat(answer.join()).isEqualTo(Map.of("a", "why"));
    }

    @Test
    void whatAKilledMatcherTellsTwiceChangesNothing() {
        List<Decision> told =
                List.of(
                        decision("a", "fired", "1"),
                        decision("a", "failed", "1"),
                        decision("a", "fired", "1"),
                        decision("", "asked", null),
                        decision("a", "duplicate", "1"));

        assertThat(EventAnswers.in(told)).hasValue(Map.of("a", "why"));
        assertThat(EventAnswers.in(told.subList(0, 4))).isEmpty();
        assertThat(EventAnswers.in(List.of())).isEmpty();
    }

    @Test
    void decisionsAboutSensorsAndOtherEventsAreNoneOfItsBusiness() {
        CompletableFuture<Map<String, String>> answer = answers.of("other");

        answers.told(List.of(decision("", "asked", null)));
        assertThat(answer).isNotDone();
        answers.forget("other");

        answers.told(
                List.of(
                        new Decision(
                                "other",
                                "ns",
                                "",
                                null,
                                null,
                                "asked",
                                null,
                                null,
                                0,
                                Instant.EPOCH,
                                "WorkflowEventBinding")));
        assertThat(answer).isNotDone();
    }

    private static Decision decision(String binding, String outcome, @Nullable String activation) {
        return new Decision(
                "e",
                "ns",
                binding,
                null,
                "submit",
                outcome,
                outcome.equals("failed") ? "why" : null,
                activation,
                1,
                Instant.EPOCH,
                "WorkflowEventBinding");
    }
}
