package dev.millrace.executors.process;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** The same without isolation, where paths are rewritten. */
class PlainArtifactStepsIT extends ArtifactStepsIT {
    @Override
    Isolation isolation() {
        return Isolation.NONE;
    }

    @Override
    @Test
    @Disabled("400 MB once are enough: the transfers are the same")
    void largeArtifactsDoNotGoThroughMemory() {}
}
