package dev.millrace.triggers.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.TriggerRetry;
import dev.millrace.schemas.sensor.RateLimit;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.triggers.action.DispatchOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TriggerMachineTest {

    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");
    private static final DispatchOutcome FAILED = new DispatchOutcome.Failed("no");

    @Test
    void withoutARetryStrategyThereIsOneAttempt() {
        assertThat(attempts("template: {name: t}")).isEqualTo(1);
        assertThat(attempts("template: {name: t}\natLeastOnce: true")).isEqualTo(1);
    }

    @Test
    void anEmptyRetryStrategyMeansFiveAttemptsAndStepsCountAttempts() {
        assertThat(attempts("retryStrategy: {}")).isEqualTo(5);
        assertThat(attempts("retryStrategy: {steps: 0}")).isEqualTo(5);
        assertThat(attempts("retryStrategy: {steps: 1}")).isEqualTo(1);
        assertThat(attempts("retryStrategy: {steps: 3}")).isEqualTo(3);
    }

    @Test
    void pausesGrowByTheFactorAndChanceAddsItsShare() {
        assertThat(pauses("{steps: 4, duration: 200ms, factor: 2, jitter: 0}", 0.9))
                .containsExactly(200L, 400L, 800L);
        assertThat(pauses("{steps: 3, duration: 300000000, factor: '1.5', jitter: '0'}", 0.9))
                .containsExactly(300L, 450L);
        assertThat(pauses("{steps: 2, duration: 1s, jitter: 0.5}", 0.5)).containsExactly(1250L);
        assertThat(pauses("{steps: 2}", 1)).containsExactly(2000L);
    }

    @Test
    void withPausesThatCannotBeReadNothingIsAttempted() {
        for (String bad : List.of("duration: soon", "factor: x", "jitter: [1]")) {
            Activation activation = activation("retryStrategy: {steps: 3, " + bad + "}");
            assertThat(TriggerMachine.first(activation, NOW))
                    .as(bad)
                    .isInstanceOf(TriggerMachine.Next.GaveUp.class);
        }
    }

    @Test
    void whatIsRefusedIsNotTriedAgain() {
        TriggerMachine.Next next =
                TriggerMachine.after(
                        activation("retryStrategy: {steps: 3}"),
                        1,
                        List.of(),
                        new DispatchOutcome.Refused("never"),
                        NOW,
                        0);
        assertThat(next)
                .isInstanceOfSatisfying(
                        TriggerMachine.Next.GaveUp.class,
                        gaveUp -> {
                            assertThat(gaveUp.letter().reason()).isEqualTo("never");
                            assertThat(gaveUp.dlq()).isNull();
                        });
    }

    @Test
    void afterTheLastAttemptTheDlqTriggerRunsWithoutALimit() {
        Activation activation =
                activation(
                        """
                        dlqTrigger:
                          template: {name: d, log: {}}
                          rateLimit: {requestsPerUnit: 1}
                        """);
        TriggerMachine.Next next =
                TriggerMachine.after(activation, 1, List.of("before"), FAILED, NOW, 0);
        assertThat(next)
                .isInstanceOfSatisfying(
                        TriggerMachine.Next.GaveUp.class,
                        gaveUp -> {
                            assertThat(gaveUp.letter().history()).containsExactly("before", "no");
                            assertThat(gaveUp.letter().key()).isEqualTo("ns/s/t");
                            assertThat(gaveUp.dlq().id()).isEqualTo("id-dlq");
                            assertThat(TriggerMachine.isLimited(gaveUp.dlq())).isFalse();
                            assertThat(
                                            gaveUp.dlq()
                                                    .triggerManifest()
                                                    .at("/template/name")
                                                    .asString())
                                    .isEqualTo("d");
                        });
    }

    @Test
    void aLimitedTriggerWaitsForItsTurnAlsoTheFirstTime() {
        Activation activation = activation("rateLimit: {requestsPerUnit: 1}");
        assertThat(TriggerMachine.first(activation, NOW))
                .isEqualTo(
                        new TriggerMachine.Next.Wait(
                                new TriggerRetry(activation, 1, NOW, List.of(), false)));
        assertThat(TriggerKey.ofRetry(activation)).isEqualTo("ns/s/t");
        assertThat(TriggerKey.ofRetry(activation("template: {name: t}"))).isEqualTo("id");
    }

    @Test
    void slotsAreEvenlySpacedAndTenMissedOnesAreMadeUpFor() {
        RateLimit limit = new RateLimit("Second", 2);
        RateSlots slots = RateSlots.UNUSED;
        List<Long> burst = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            RateSlots.Taken taken = slots.take(limit, NOW);
            slots = taken.after();
            burst.add(Duration.between(NOW, taken.slot()).toMillis());
        }
        assertThat(burst).containsExactly(0L, 500L, 1000L, 1500L);
        Instant later = NOW.plusSeconds(3600);
        int atOnce = 0;
        for (int i = 0; i < 30; i++) {
            RateSlots.Taken taken = slots.take(limit, later);
            slots = taken.after();
            if (!taken.slot().isAfter(later)) {
                atOnce++;
            }
        }
        assertThat(atOnce).isEqualTo(11);
    }

    private static int attempts(String manifest) {
        return 1 + waits(activation(manifest), 0).size();
    }

    private static List<Long> pauses(String strategy, double chance) {
        return waits(activation("retryStrategy: " + strategy), chance).stream()
                .map(due -> Duration.between(NOW, due).toMillis())
                .toList();
    }

    private static List<Instant> waits(Activation activation, double chance) {
        List<Instant> due = new ArrayList<>();
        TriggerMachine.Next next = TriggerMachine.first(activation, NOW);
        while (true) {
            switch (next) {
                case TriggerMachine.Next.Try(int attempt, List<String> failures) ->
                        next =
                                TriggerMachine.after(
                                        activation, attempt, failures, FAILED, NOW, chance);
                case TriggerMachine.Next.Wait(TriggerRetry retry) -> {
                    due.add(retry.due());
                    next = new TriggerMachine.Next.Try(retry.attempt(), retry.failures());
                }
                case TriggerMachine.Next.GaveUp _ -> {
                    return due;
                }
                case TriggerMachine.Next.Done _ -> throw new AssertionError("it failed");
            }
        }
    }

    private static Activation activation(String manifest) {
        return new Activation(
                "id",
                "ns",
                "s",
                "t",
                1,
                Map.of(),
                YamlReader.read("test", manifest).documents().getFirst().tree(),
                NOW,
                null);
    }
}
