package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainProcessExecutorIT extends ProcessExecutorContract {
    @Override
    Isolation isolation() {
        return Isolation.NONE;
    }

    @Test
    void theDescriptionWarnsOfTheMissingIsolation() {
        assertThat(executor.describe())
                .contains("WARNING: Steps run without isolation (as configured)");
    }
}
