package dev.millrace.log.plain;

import dev.millrace.log.Health;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Collects what goes wrong in the threads of a reader; the worst is its health. */
final class WorkerHealth {

    private final String name;
    private final Map<String, Health.Retrying> failing = new ConcurrentHashMap<>();
    private final AtomicReference<Health.@Nullable LostRecords> lost = new AtomicReference<>();
    private volatile boolean started;

    WorkerHealth(String name) {
        this.name = name;
    }

    void started() {
        started = true;
    }

    /** Something fails; what it is names it until it has recovered. */
    void failed(String what, Throwable e) {
        failing.merge(
                what,
                new Health.Retrying(name + ": " + what + ": " + e, Instant.now()),
                (first, now) -> new Health.Retrying(now.what(), first.since()));
    }

    void recovered(String what) {
        failing.remove(what);
    }

    void lost(String what) {
        lost.compareAndSet(null, new Health.LostRecords(name + ": " + what, Instant.now()));
    }

    Health now() {
        Health.LostRecords gone = lost.get();
        if (gone != null) {
            return gone;
        }
        return failing.values().stream()
                .findFirst()
                .map(Health.class::cast)
                .orElseGet(
                        () ->
                                started
                                        ? new Health.Ready()
                                        : new Health.Starting(name + " waits for its partitions"));
    }
}
