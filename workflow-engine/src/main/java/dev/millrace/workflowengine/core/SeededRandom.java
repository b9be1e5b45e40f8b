package dev.millrace.workflowengine.core;

import java.util.random.RandomGenerator;

/**
 * Chance that comes out the same again: SplitMix64 from a seed. Expressions may ask for random
 * values, and a decision that is made again must give the same events.
 */
public final class SeededRandom implements RandomGenerator {
    private long state;

    public SeededRandom(long seed) {
        state = seed;
    }

    @Override
    public long nextLong() {
        state += 0x9e3779b97f4a7c15L;
        long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
