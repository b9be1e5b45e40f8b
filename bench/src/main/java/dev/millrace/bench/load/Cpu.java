package dev.millrace.bench.load;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What has been used until now.
 *
 * @param wallNanos {@link System#nanoTime()}
 * @param jvmNanos CPU time of this process
 * @param childNanos CPU time of its children that have ended, and of theirs
 * @param machineNanos CPU time that the machine was busy, all processes together
 * @param gcMillis wall time of the garbage collector
 * @param allocatedBytes what all threads of this process have allocated on the heap
 */
record Cpu(
        long wallNanos,
        long jvmNanos,
        long childNanos,
        long machineNanos,
        long gcMillis,
        long allocatedBytes) {

    /** The kernel's clock tick in /proc; 100 a second on every Linux that is in use. */
    private static final long TICK_NANOS = 10_000_000;

    private static final Path OWN = Path.of("/proc/self/stat");
    private static final Path MACHINE = Path.of("/proc/stat");

    /** Reads all counters. Without /proc (macOS) those of children and machine are 0. */
    static Cpu now() {
        long gc =
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                        .sum();
        return new Cpu(
                System.nanoTime(),
                system().getProcessCpuTime(),
                children(),
                machine(),
                gc,
                ManagementFactory.getPlatformMXBean(ThreadMXBean.class)
                        .getTotalThreadAllocatedBytes());
    }

    /** Processes that ran or wanted to, averaged over the last minute. */
    static double loadAverage() {
        return system().getSystemLoadAverage();
    }

    /** What was used since. */
    Cpu since(Cpu start) {
        return new Cpu(
                wallNanos - start.wallNanos,
                jvmNanos - start.jvmNanos,
                childNanos - start.childNanos,
                machineNanos - start.machineNanos,
                gcMillis - start.gcMillis,
                allocatedBytes - start.allocatedBytes);
    }

    /** Of a difference: cores that other processes kept busy, on the average. */
    double coresOfOthers() {
        double others = machineNanos - jvmNanos - childNanos;
        return Math.max(0, others / wallNanos);
    }

    Duration wall() {
        return Duration.ofNanos(wallNanos);
    }

    private static OperatingSystemMXBean system() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    }

    private static long children() {
        if (!Files.exists(OWN)) {
            return 0;
        }
        String stat = read(OWN);
        // The name of the process stands in brackets and may hold blanks; what follows does not.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[13]) + Long.parseLong(fields[14])) * TICK_NANOS;
    }

    private static long machine() {
        if (!Files.exists(MACHINE)) {
            return 0;
        }
        String[] cpu = read(MACHINE).lines().findFirst().orElseThrow().trim().split("\\s+", -1);
        // user, nice, system, (idle, iowait,) irq, softirq, steal
        long ticks = 0;
        for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
            ticks += Long.parseLong(cpu[i]);
        }
        return ticks * TICK_NANOS;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file + " cannot be read", e);
        }
    }
}
