package dev.millrace.triggers.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.sensor.TriggerPolicy.K8sPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LabelPolicyTest {

    private static final DispatchOutcome MADE = new DispatchOutcome.Succeeded("workflow n/w");
    private static final Map<String, String> DONE = Map.of("phase", "Succeeded", "other", "x");

    private final Deque<Optional<Map<String, String>>> seen = new ArrayDeque<>();
    private final List<Duration> pauses = new ArrayList<>();

    @Test
    void withoutAPolicyNothingIsLookedAt() throws Exception {
        assertThat(new LabelPolicy(pauses::add).judge(null, MADE, seen::pop)).isEqualTo(MADE);
    }

    @Test
    void waitsUntilTheLabelsAreThere() throws Exception {
        seen.add(Optional.empty());
        seen.add(Optional.of(Map.of("phase", "Running")));
        seen.add(Optional.of(DONE));

        assertThat(judge(true)).isInstanceOf(DispatchOutcome.Succeeded.class);
        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
    }

    @Test
    void labelsThatDoNotComeAreAFailureOnlyIfThePolicySaysSo() throws Exception {
        for (int i = 0; i < 6; i++) {
            seen.add(Optional.of(Map.of("phase", "Failed")));
        }
        assertThat(judge(true))
                .isInstanceOfSatisfying(
                        DispatchOutcome.Failed.class,
                        f -> assertThat(f.message()).contains("workflow n/w", "phase=Failed"));
        assertThat(judge(false)).isInstanceOf(DispatchOutcome.Succeeded.class);
    }

    @Test
    void whatWasNotMadeIsNotWaitedFor() throws Exception {
        DispatchOutcome failed = new DispatchOutcome.Failed("no");
        assertThat(new LabelPolicy(pauses::add).judge(policy(true), failed, seen::pop))
                .isEqualTo(failed);
    }

    private DispatchOutcome judge(boolean strict) throws InterruptedException {
        return new LabelPolicy(pauses::add).judge(policy(strict), MADE, seen::pop);
    }

    private static K8sPolicy policy(boolean strict) {
        return Json.convert(
                Json.mapper()
                        .readTree(
                                """
                                {"labels": {"phase": "Succeeded"}, "errorOnBackoffTimeout": %s,
                                 "backoff": {"steps": 3, "duration": "1s", "factor": 2, "jitter": 0}}"""
                                        .formatted(strict)),
                K8sPolicy.class);
    }
}
