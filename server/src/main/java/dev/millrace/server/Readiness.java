package dev.millrace.server;

import dev.millrace.log.Health;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** How the parts of the process are doing. */
public final class Readiness {

    private final Map<String, Supplier<Health>> parts = new ConcurrentHashMap<>();

    /** Adds a part, or replaces the one of this name. */
    public void add(String name, Supplier<Health> health) {
        parts.put(name, health);
    }

    /** Every part's health, now, by name. */
    public Map<String, Health> components() {
        Map<String, Health> now = new TreeMap<>();
        parts.forEach((name, health) -> now.put(name, health.get()));
        return Collections.unmodifiableMap(now);
    }

    /** Whether all parts are ready. */
    public boolean isReady() {
        return components().values().stream().allMatch(Health::isReady);
    }
}
