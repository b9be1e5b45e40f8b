package dev.millrace.log.stream;

import java.time.Duration;

/**
 * How a {@link CoreProcessor} runs its core.
 *
 * @param store name of its store, see {@link EntityStore#builder}
 * @param deadLetterSink name of the sink for dead letters; it takes bytes
 * @param timersEvery how often timers are looked at while some are due
 * @param timerBudget how long due timers may hold up the inputs at a time
 * @param dedupeWindow how long ids are remembered
 * @param decodedEntries how many values are kept decoded per task
 */
public record CoreOptions(
        String store,
        String deadLetterSink,
        Duration timersEvery,
        Duration timerBudget,
        Duration dedupeWindow,
        int decodedEntries) {

    /** Due timers every 50 ms for at most 25 ms, ids kept for a day. */
    public static CoreOptions of(String store, String deadLetterSink) {
        return new CoreOptions(
                store,
                deadLetterSink,
                Duration.ofMillis(50),
                Duration.ofMillis(25),
                DedupeWindow.DAY,
                10_000);
    }
}
