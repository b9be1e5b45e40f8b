package dev.millrace.log.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DiskSpaceTest {

    private final AtomicLong free = new AtomicLong(600L << 20);
    private final AtomicLong nanos = new AtomicLong();
    private final DiskSpace disk = new DiskSpace("/data", 512L << 20, free::get, nanos::get);

    @Test
    void theDiskIsLookedAtOnceASecondAtMost() {
        free.set(10L << 20);
        nanos.set(999_999_999);
        assertThat(disk.isEnough()).isTrue();
        nanos.set(1_000_000_000);
        assertThat(disk.isEnough()).isFalse();
    }

    @Test
    void aRefusalSaysHowMuchIsLeftAndWhere() {
        free.set(10L << 20);
        nanos.set(2_000_000_000);
        assertThatThrownBy(disk::check)
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("10 MiB")
                .hasMessageContaining("512 MiB")
                .hasMessageContaining("/data");
    }
}
