package dev.millrace.log.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Whether there is room for more records. A broker that meets a full disk stops at once, with all
 * that it was doing; so senders are refused while there is still room to finish what was accepted.
 * Cheap enough to ask for every request: the disk is looked at once a second at most.
 */
public final class DiskSpace {

    /** Below this many free bytes nothing new is accepted, unless configured otherwise. */
    public static final long DEFAULT_MINIMUM_FREE_BYTES = 512L * 1024 * 1024;

    private static final long CACHED_NANOS = 1_000_000_000L;

    private record Reading(long free, long atNanos) {}

    private final String where;
    private final long minimumFreeBytes;
    private final LongSupplier freeBytes;
    private final LongSupplier nanoTime;
    private final AtomicReference<Reading> last;

    public DiskSpace(Path folder, long minimumFreeBytes) {
        this(folder.toString(), minimumFreeBytes, () -> usable(folder), System::nanoTime);
    }

    DiskSpace(String where, long minimumFreeBytes, LongSupplier freeBytes, LongSupplier nanoTime) {
        this.where = where;
        this.minimumFreeBytes = minimumFreeBytes;
        this.freeBytes = freeBytes;
        this.nanoTime = nanoTime;
        this.last = new AtomicReference<>(new Reading(freeBytes.getAsLong(), nanoTime.getAsLong()));
    }

    /** Free bytes, at most a second old. */
    public long freeBytes() {
        long now = nanoTime.getAsLong();
        Reading reading = last.get();
        if (now - reading.atNanos() < CACHED_NANOS) {
            return reading.free();
        }
        Reading fresh = new Reading(freeBytes.getAsLong(), now);
        last.set(fresh);
        return fresh.free();
    }

    /** Whether something new may be accepted. */
    public boolean isEnough() {
        return freeBytes() >= minimumFreeBytes;
    }

    /**
     * Refuses when the disk is nearly full.
     *
     * @throws DiskFullException with the numbers and the cure
     */
    public void check() {
        Optional<String> shortage = shortage();
        if (shortage.isPresent()) {
            throw new DiskFullException(shortage.get());
        }
    }

    /** Why nothing new may be accepted, with the numbers and the cure; empty if it may. */
    public Optional<String> shortage() {
        long free = freeBytes();
        return free >= minimumFreeBytes
                ? Optional.empty()
                : Optional.of(
                        "Only %d MiB are free on the disk of %s, and %d MiB are kept for work already accepted. Free some space, or lower the setting minimumFreeDisk (in millrace.yaml, or MILLRACE_MINIMUM_FREE_DISK)."
                                .formatted(free >> 20, where, minimumFreeBytes >> 20));
    }

    private static long usable(Path folder) {
        try {
            return Files.getFileStore(folder).getUsableSpace();
        } catch (IOException e) {
            throw new UncheckedIOException("free space of " + folder + " is not readable", e);
        }
    }
}
