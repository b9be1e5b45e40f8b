package dev.millrace.workflowengine.locks;

import org.junit.jupiter.api.Test;

/**
 * What holds for locks whatever happens: never over a limit, nobody overtaken, no deadlock, nothing
 * held for ever, and no harm from what comes twice. The seed stands in the message.
 */
final class LockPropertiesTest {
    private static final int RUNS = Boolean.getBoolean("soak") ? 100_000 : 1_500;

    @Test
    void theLocksAreThoseOfASlowModelWhateverComesTwice() {
        for (int seed = 0; seed < RUNS; seed++) {
            new LockPlay(seed).play(true);
        }
    }

    @Test
    void noLockIsHeldForEverThoughOldRequestsComeAgain() {
        for (int seed = 0; seed < RUNS; seed++) {
            new LockPlay(seed).play(false);
        }
    }
}
