package dev.millrace.log.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {

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
    void aRecordIsAloneIfNoneCameWithItOrJustBefore() {
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        pace.received(1);
        assertThat(pace.isAlone()).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        pace.received(1);
        assertThat(pace.isAlone()).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        pace.received(2);
        assertThat(pace.isAlone()).isFalse();
    }

    @Test
    void gathersForLongerWhileMuchComesAtOnce() {
        pace.received(3);
        assertThat(pace.untilCommit(1_000_007)).isEqualTo(3);
        pace.received(500);
        assertThat(pace.untilCommit(1_000_007)).isEqualTo(43);
        pace.received(3);
        assertThat(pace.untilCommit(1_000_007)).isEqualTo(3);
    }

    @Test
    void allTasksCommitAtTheSameInstants() {
        pace.received(500);
        for (long now = 0; now < 200; now++) {
            assertThat((now + pace.untilCommit(now)) % 50).isZero();
            assertThat(pace.untilCommit(now)).isPositive();
        }
    }

    @Test
    void processorsFindThePaceOfTheirApplication() {
        assertThat(Pace.of(pace.asSetting())).isSameAs(pace);
    }
}
