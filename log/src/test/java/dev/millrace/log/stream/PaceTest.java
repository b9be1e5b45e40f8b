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
    void processorsFindThePaceOfTheirApplication() {
        assertThat(Pace.of(pace.asSetting())).isSameAs(pace);
    }
}
