package dev.millrace.log.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class PartitionProgressTest {

    @Test
    void nothingIsCommittableAboveTheOldestOpenRecord() {
        PartitionProgress progress = new PartitionProgress(10);
        assertThat(progress.hasNews()).isFalse();
        LongStream.of(10, 11, 14).forEach(progress::started);
        progress.done(11);
        progress.done(14);
        assertThat(progress.committable()).isEqualTo(10);
        progress.done(10);
        assertThat(progress.committable()).isEqualTo(15);
        progress.passed(16);
        assertThat(progress.committable()).isEqualTo(16);
        progress.committed(16);
        assertThat(progress.hasNews()).isFalse();
    }

    @RepeatedTest(50)
    void inAnyOrderItAgreesWithTheObviousRule(RepetitionInfo run) {
        long seed = run.getCurrentRepetition();
        Random random = new Random(seed);
        PartitionProgress progress = new PartitionProgress(0);
        List<Long> open = new ArrayList<>();
        long next = 0;
        for (int step = 0; step < 200; step++) {
            if (open.isEmpty() || random.nextBoolean()) {
                next += random.nextInt(3);
                progress.started(next);
                open.add(next);
                next++;
            } else {
                progress.done(open.remove(random.nextInt(open.size())));
            }
            long expected = open.stream().mapToLong(o -> o).min().orElse(next);
            assertThat(progress.committable())
                    .as("seed %d step %d", seed, step)
                    .isEqualTo(expected);
        }
    }
}
