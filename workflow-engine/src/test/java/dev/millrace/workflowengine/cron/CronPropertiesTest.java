package dev.millrace.workflowengine.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.cron.CronOptions;
import dev.millrace.expressions.cron.CronSchedule;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CronPropertiesTest {

    private static final List<String> SCHEDULES =
            List.of("* * * * *", "*/7 * * * *", "30 2 * * *", "@hourly", "0 0 29 2 *");
    private static final List<String> ZONES =
            List.of("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC");
    private static final List<String> POLICIES = List.of("Allow", "Forbid", "Replace");

    static LongStream seeds() {
        return LongStream.range(0, Boolean.getBoolean("soak") ? 20_000 : 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whateverHappensEachTimeRunsAtMostOnceAndWithinItsPolicy(long seed) {
        Random random = new Random(seed);
        String zone = ZONES.get(random.nextInt(ZONES.size()));
        List<String> schedules =
                random.ints(1 + random.nextInt(3), 0, SCHEDULES.size())
                        .mapToObj(SCHEDULES::get)
                        .distinct()
                        .toList();
        String policy = POLICIES.get(random.nextInt(POLICIES.size()));
        long deadline = random.nextInt(4) * 1_800L;
        String spec =
                "{schedules: %s, timezone: %s, concurrencyPolicy: %s, startingDeadlineSeconds: %d}"
                        .formatted(Json.tree(schedules), zone, policy, deadline);
        CronScenario cron =
                new CronScenario(
                        spec,
                        Instant.parse("2026-03-28T20:00:00Z").plusSeconds(random.nextInt(40_000)));
        int steps = 40;
        for (int i = 0; i < steps; i++) {
            int before = cron.events.size();
            boolean busy = busy(cron);
            switch (random.nextInt(5)) {
                case 0 -> cron.down(Duration.ofSeconds(random.nextInt(20_000)));
                case 1 -> cron.define(spec);
                case 2 -> finishOne(cron, random);
                case 3 -> cron.fact(new CronInput.SubmissionEnded(cron.now, "late"));
                default -> cron.pass(Duration.ofSeconds(random.nextInt(900)));
            }
            List<CronEvent> news = cron.events.subList(before, cron.events.size());
            long runs = news.stream().filter(CronEvent.RunOrdered.class::isInstance).count();
            if (policy.equals("Forbid")) {
                assertThat(runs).isLessThanOrEqualTo(busy ? 0 : 1);
            }
            CronState state = cron.state();
            assertThat(Json.convert(Json.tree(state), CronState.class)).isEqualTo(state);
            assertThat(cron.next())
                    .satisfies(n -> assertThat(n == null || n.isAfter(cron.now)).isTrue());
            assertThat(state.ended().stream().filter(CronState.Ended::succeeded).count())
                    .isLessThanOrEqualTo(3);
        }
        assertThat(cron.workflows()).doesNotHaveDuplicates();
        assertThat(cron.of(CronEvent.RunOrdered.class))
                .extracting(CronEvent.RunOrdered::scheduledTime)
                .isSorted()
                .allMatch(time -> isATime(schedules, zone, time));
        // Folding the events again gives the same state.
        CronMachine machine = new CronMachine();
        CronState again = null;
        for (CronEvent event : cron.events) {
            again = machine.evolve(again, event);
        }
        assertThat(again).isEqualTo(cron.state);
    }

    private static boolean busy(CronScenario cron) {
        return !cron.state().active().isEmpty() || !cron.state().pending().isEmpty();
    }

    private static void finishOne(CronScenario cron, Random random) {
        List<CronState.Run> active = cron.state().active();
        if (!active.isEmpty()) {
            String workflow = active.get(random.nextInt(active.size())).workflow();
            cron.finished(
                    workflow,
                    random.nextBoolean() ? WorkflowPhase.SUCCEEDED : WorkflowPhase.FAILED);
        }
    }

    private static boolean isATime(List<String> schedules, String zone, Instant time) {
        Set<Instant> next = new HashSet<>();
        for (String text : schedules) {
            CronSchedule.parse(text, CronOptions.WORKFLOWS, ZoneId.of(zone))
                    .next(time.minusSeconds(1))
                    .ifPresent(next::add);
        }
        return next.contains(time);
    }
}
