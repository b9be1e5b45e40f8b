package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessIdentityTest {
    @Test
    void aClaimIsReadOnlyWhenItIsComplete() {
        assertThat(ProcessIdentity.parse("12 345\n")).hasValue(new ProcessIdentity(12, "345"));
        assertThat(ProcessIdentity.parse("")).isEmpty();
        assertThat(ProcessIdentity.parse("12 3")).isEmpty();
    }

    @Test
    void theSameNumberWithAnotherStartTimeIsAnotherProcess() {
        assertThat(new ProcessIdentity(ProcessHandle.current().pid(), "1").isAlive()).isFalse();
    }
}
