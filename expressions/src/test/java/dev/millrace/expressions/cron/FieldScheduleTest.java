package dev.millrace.expressions.cron;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Random schedules against a model that looks at every minute; without changes of the clock. */
class FieldScheduleTest {

    private static final int[][] RANGES = {{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 6}};
    private static final int MINUTES_TO_SEARCH = 60 * 24 * 40;

    @Test
    void theNextTimeIsTheFirstMinuteThatFits() {
        Random random = new Random(5);
        for (int round = 0; round < 150; round++) {
            List<TreeSet<Integer>> sets = new ArrayList<>();
            StringBuilder spec = new StringBuilder();
            for (int[] range : RANGES) {
                spec.append(field(random, range, sets)).append(' ');
            }
            Instant from =
                    Instant.ofEpochSecond(1_767_225_600L + random.nextInt(60 * 60 * 24 * 365 * 3));
            CronSchedule schedule =
                    CronSchedule.parse(spec.toString(), CronOptions.CALENDAR, ZoneOffset.UTC);
            Instant expected = firstMinute(sets, from);
            if (expected != null) {
                assertThat(schedule.next(from))
                        .as("seed 5, round %d: \"%s\" from %s", round, spec, from)
                        .contains(expected);
            }
        }
    }

    /** Appends the values of a random field; an empty set stands for a star. */
    private static String field(Random random, int[] range, List<TreeSet<Integer>> sets) {
        TreeSet<Integer> values = new TreeSet<>();
        sets.add(values);
        int low = range[0] + random.nextInt(range[1] - range[0] + 1);
        int high = low + random.nextInt(range[1] - low + 1);
        int step = 1 + random.nextInt(4);
        return switch (random.nextInt(4)) {
            case 0 -> {
                values.add(low);
                values.add(high);
                yield low + "," + high;
            }
            case 1 -> {
                for (int value = low; value <= high; value += step) {
                    values.add(value);
                }
                yield low + "-" + high + "/" + step;
            }
            default -> "*";
        };
    }

    private static @org.jspecify.annotations.Nullable Instant firstMinute(
            List<TreeSet<Integer>> sets, Instant from) {
        LocalDateTime time =
                LocalDateTime.ofInstant(from, ZoneOffset.UTC).withSecond(0).withNano(0);
        for (int i = 0; i < MINUTES_TO_SEARCH; i++) {
            time = time.plusMinutes(1);
            if (fits(sets, time)) {
                return time.toInstant(ZoneOffset.UTC);
            }
        }
        return null;
    }

    private static boolean fits(List<TreeSet<Integer>> sets, LocalDateTime time) {
        boolean dayOfMonth = has(sets.get(2), time.getDayOfMonth());
        boolean dayOfWeek = has(sets.get(4), time.getDayOfWeek().getValue() % 7);
        boolean star = sets.get(2).isEmpty() || sets.get(4).isEmpty();
        return has(sets.get(0), time.getMinute())
                && has(sets.get(1), time.getHour())
                && has(sets.get(3), time.getMonthValue())
                && (star ? dayOfMonth && dayOfWeek : dayOfMonth || dayOfWeek);
    }

    private static boolean has(TreeSet<Integer> set, int value) {
        return set.isEmpty() || set.contains(value);
    }
}
