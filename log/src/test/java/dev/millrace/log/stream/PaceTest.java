package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long NOW = 1_000_007;

    private final AtomicLong nanos = new AtomicLong();
    private final Pace pace = new Pace(nanos::get);

    @Test
    void sleepsShortlyAfterWorkAndForLongWhenNothingCame() {
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Pace.BUSY);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Pace.IDLE);
        pace.worked();
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Pace.BUSY);
    }

    @Test
    void neverSleepsForLongerThanWanted() {
        assertThat(pace.pause(Duration.ZERO)).isZero();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(pace.pause(Duration.ZERO)).isZero();
    }

    @Test
    void sleepsUntilTheNextOfAllAlarms() {
        Duration later = Duration.ofSeconds(1);
        nanos.addAndGet(later.toNanos());
        pace.wakeIn("a", 300);
        pace.wakeIn("b", 90);
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Duration.ofMillis(90));
        nanos.addAndGet(Duration.ofMillis(50).toNanos());
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Duration.ofMillis(40));
        pace.letSleep("b");
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Duration.ofMillis(250));
        pace.wakeIn("a", 2_000);
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Pace.IDLE);
    }

    @Test
    void anAlarmThatNobodyTurnsOffDoesNotKeepTheThreadSpinning() {
        pace.wakeIn("a", 5);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(pace.pause(Pace.IDLE)).isEqualTo(Pace.BUSY);
        assertThat(pace.pause(Duration.ZERO)).isZero();
    }

    @Test
    void twoCommitsAreAtOnceAndTheThirdWaits() {
        take();
        assertThat(pace.commitAt(NOW)).isEqualTo(NOW);
        pace.committed(NOW);
        take();
        assertThat(pace.commitAt(NOW + 3)).isEqualTo(NOW + 3);
        pace.committed(NOW + 3);
        take();
        assertThat(pace.commitAt(NOW + 5)).isEqualTo(NOW + 10);
        pace.committed(NOW + 10);
        take();
        assertThat(pace.commitAt(NOW + 12)).isEqualTo(NOW + 13);
    }

    @Test
    void whatCameInOnePollSharesACommit() {
        pace.received(3);
        pace.processed();
        assertThat(pace.commitAt(NOW)).isEqualTo(NOW + 5);
        pace.processed();
        pace.processed();
        assertThat(pace.commitAt(NOW)).isEqualTo(NOW);
    }

    @Test
    void gathersForLongerWhileMuchComesAtOnce() {
        pace.committed(NOW);
        pace.received(500);
        assertThat(pace.commitAt(NOW + 7)).isEqualTo(NOW + 50);
        take();
        assertThat(pace.commitAt(NOW + 7)).isEqualTo(NOW + 7);
    }

    @Test
    void gathersForLongerWhereCommitsTakeLong() {
        for (int i = 0; i < 20; i++) {
            commitThatTakes(8);
        }
        take();
        assertThat(pace.commitAt(NOW)).isBetween(NOW + 28, NOW + 31);
        for (int i = 0; i < 20; i++) {
            commitThatTakes(1_000);
        }
        take();
        assertThat(pace.commitAt(NOW)).isEqualTo(NOW - 1 + 50);
        for (int i = 0; i < 20; i++) {
            commitThatTakes(2);
        }
        take();
        assertThat(pace.commitAt(NOW)).isEqualTo(NOW - 1 + 10);
    }

    private void commitThatTakes(int millis) {
        pace.committed(NOW - 1);
        pace.committed(NOW);
        nanos.addAndGet(Duration.ofMillis(millis).toNanos());
        pace.pause(Pace.IDLE);
    }

    @Test
    void aClockThatIsSetBackDelaysNoCommit() {
        pace.committed(NOW - 3);
        pace.committed(NOW);
        long earlier = NOW - Duration.ofMinutes(10).toMillis();
        take();
        assertThat(pace.commitAt(earlier)).isEqualTo(earlier);
        assertThat(pace.isUncommitted(earlier)).isTrue();
    }

    @Test
    void aCommitOfAnyTaskIsOneOfAll() {
        pace.committed(NOW);
        pace.committed(NOW);
        take();
        assertThat(pace.commitAt(NOW + 1)).isEqualTo(NOW + 1);
        assertThat(pace.isUncommitted(NOW - 1)).isFalse();
        assertThat(pace.isUncommitted(NOW)).isTrue();
    }

    @Test
    void processorsFindThePaceOfTheirApplication() {
        assertThat(Pace.of(pace.asSetting())).isSameAs(pace);
    }

    private void take() {
        pace.received(1);
        pace.processed();
    }
}
