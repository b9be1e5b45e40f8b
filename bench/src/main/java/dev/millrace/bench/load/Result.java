package dev.millrace.bench.load;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One row of the results.
 *
 * @param name what was measured
 * @param unit what the figures are per: a workflow, a step
 * @param count units measured
 * @param nanos how long each took, sorted; null where only their rate was measured
 * @param used what all of them used
 * @param loadAverage of the machine before the program started
 */
record Result(
        String name,
        String unit,
        long count,
        long @Nullable [] nanos,
        Cpu used,
        double loadAverage) {

    /** More than this of other work, and wall times are not worth much. */
    private static final double QUIET_CORES = 0.15;

    static <T> long[] sorted(Stream<T> samples, ToLongFunction<T> nanos) {
        long[] all = samples.mapToLong(nanos).toArray();
        Arrays.sort(all);
        return all;
    }

    /** By nearest rank, in milliseconds. */
    static double percentile(long[] sorted, double percent) {
        int rank = (int) Math.ceil(percent / 100 * sorted.length);
        return sorted[Math.max(0, rank - 1)] / 1e6;
    }

    /** A Markdown row; figures of wall time are marked if others used the machine. */
    String row() {
        String mark = used.coresOfOthers() > QUIET_CORES ? " (busy)" : "";
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %s | %s | %.1f%s | %.2f | %.2f | %d | %.1f | %.2f |",
                name,
                unit,
                count,
                nanos == null ? "" : "%.1f%s".formatted(percentile(nanos, 50), mark),
                nanos == null ? "" : "%.1f%s".formatted(percentile(nanos, 99), mark),
                count * 1e9 / used.wallNanos(),
                mark,
                used.jvmNanos() / 1e6 / count,
                used.childNanos() / 1e6 / count,
                used.gcMillis(),
                loadAverage,
                used.coresOfOthers());
    }

    /** Prints the row, and a warning if other work used the cores meanwhile. */
    void print() {
        System.out.println(row());
        if (used.coresOfOthers() > QUIET_CORES) {
            System.err.printf(
                    Locale.ROOT,
                    "Warning: other processes used %.2f cores meanwhile; compare CPU times, not wall times.%n",
                    used.coresOfOthers());
        }
    }
}
