package dev.millrace.workflowengine.locks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of all locks, and {@code evolve}: {@link #apply}. It is made from its claimants and
 * limits alone; queues and counts are derived.
 */
public final class LockTable {
    /** Longer than any number: what is longer is a file, of which nothing needs to be kept. */
    private static final int LONGEST_LIMIT = 40;

    private final NavigableMap<String, LockClaimant> claimants = new TreeMap<>();
    private final Map<String, Lock> locks = new TreeMap<>();
    private final Map<String, Map<String, String>> limits = new HashMap<>();
    private final WorkflowLimits workflows;
    private long lastNumber;

    /** The locks of an installation without limits on workflows. */
    public LockTable() {
        this(WorkflowLimits.NONE);
    }

    public LockTable(WorkflowLimits workflows) {
        this.workflows = workflows;
    }

    /** Those who wait, the first one first, and how many have it. */
    private static final class Lock {
        final NavigableSet<LockClaimant> queue = new TreeSet<>(LockClaimant.FIRST);
        int held;

        /** Of a slot: the locks that those want as well who wait for it, and how many of them. */
        final Map<String, Integer> wanted = new HashMap<>();
    }

    /** Puts a claimant as it was kept. */
    public void restore(LockClaimant claimant) {
        put(claimant);
    }

    /** Puts the values of a ConfigMap as they were kept. */
    public void restore(String configMap, Map<String, String> data) {
        limits.put(configMap, Map.copyOf(data));
    }

    /** Applies one event. */
    public void apply(LockEvent event) {
        switch (event) {
            case LockEvent.Asked(var claimant) -> put(claimant);
            case LockEvent.Granted(var holder) -> put(take(holder.id()).asGranted());
            case LockEvent.Awaited(var holder, var lock, var message) ->
                    put(take(holder.id()).asTold(lock, message));
            case LockEvent.Refused(var holder, _) -> take(holder.id());
            case LockEvent.Released(var holder) -> take(holder.id());
            case LockEvent.LimitsSet(var namespace, var name, var data) -> {
                if (data == null) {
                    limits.remove(namespace + "/" + name);
                } else {
                    limits.put(namespace + "/" + name, data);
                }
            }
            case LockEvent.ToldAgain _,
                    LockEvent.LimitMissing _,
                    LockEvent.GrantsLeft _,
                    LockEvent.TellingLeft _ -> {}
        }
    }

    private void put(LockClaimant claimant) {
        claimants.put(claimant.id(), claimant);
        lastNumber = Math.max(lastNumber, claimant.number());
        for (String name : claimant.locks()) {
            Lock lock = locks.computeIfAbsent(name, _ -> new Lock());
            if (claimant.granted()) {
                lock.held++;
            } else {
                lock.queue.add(claimant);
                wantedWith(name, lock, claimant, 1);
            }
        }
    }

    private LockClaimant take(String id) {
        LockClaimant claimant = Objects.requireNonNull(claimants.remove(id), id);
        for (String name : claimant.locks()) {
            Lock lock = Objects.requireNonNull(locks.get(name), name);
            if (claimant.granted()) {
                lock.held--;
            } else {
                lock.queue.remove(claimant);
                wantedWith(name, lock, claimant, -1);
            }
            if (lock.held == 0 && lock.queue.isEmpty()) {
                locks.remove(name);
            }
        }
        return claimant;
    }

    private static void wantedWith(String name, Lock slot, LockClaimant claimant, int more) {
        if (WorkflowLimits.isSlot(name)) {
            for (String lock : claimant.locks()) {
                if (!WorkflowLimits.isSlot(lock)) {
                    slot.wanted.merge(lock, more, (a, b) -> a + b == 0 ? null : a + b);
                }
            }
        }
    }

    /** The claimant of this id, or null. */
    public @Nullable LockClaimant claimant(String id) {
        return claimants.get(id);
    }

    /** All claimants, by id. */
    public List<LockClaimant> claimants() {
        return List.copyOf(claimants.values());
    }

    /** Claimants after this id, at most so many. */
    List<LockClaimant> after(String id, int atMost) {
        return claimants.tailMap(id, false).values().stream().limit(atMost).toList();
    }

    /** Names of the locks that somebody has or wants. */
    Set<String> locks() {
        return locks.keySet();
    }

    /** Those who wait for a lock, the first one first. */
    NavigableSet<LockClaimant> queue(String name) {
        Lock lock = locks.get(name);
        return lock == null ? new TreeSet<>(LockClaimant.FIRST) : lock.queue;
    }

    /** The locks that those want as well who wait for a slot. */
    Set<String> wantedWith(String slot) {
        Lock lock = locks.get(slot);
        return lock == null ? Set.of() : lock.wanted.keySet();
    }

    /** Whether only so many can have a slot. */
    boolean isLimited(String slot) {
        return workflows.most(slot) < Integer.MAX_VALUE;
    }

    /** How many have a lock. */
    public int held(String name) {
        Lock lock = locks.get(name);
        return lock == null ? 0 : lock.held;
    }

    long nextNumber() {
        return lastNumber + 1;
    }

    /** How many can have a lock. */
    public LockLimit limit(String name) {
        if (WorkflowLimits.isSlot(name)) {
            return new LockLimit.Known(workflows.most(name));
        }
        return switch (LockName.parse(name)) {
            case LockName.OfMutex _ -> new LockLimit.Known(1);
            case LockName.OfSemaphore semaphore -> limit(semaphore);
        };
    }

    private LockLimit limit(LockName.OfSemaphore lock) {
        String place = "the limit of semaphore " + lock + " cannot be had: ";
        Map<String, String> data = limits.get(lock.namespace() + "/" + lock.configMap());
        if (data == null) {
            return new LockLimit.Broken(
                    place
                            + "configmaps \""
                            + lock.configMap()
                            + "\" not found in namespace "
                            + lock.namespace());
        }
        String value = data.get(lock.key());
        if (value == null) {
            return new LockLimit.Broken(
                    place + "ConfigMap " + lock.configMap() + " has no key '" + lock.key() + "'");
        }
        try {
            int limit = Integer.parseInt(value.strip());
            if (limit >= 0) {
                return new LockLimit.Known(limit);
            }
        } catch (NumberFormatException e) {
            // Said below, as for numbers below 0.
        }
        return new LockLimit.Broken(
                place
                        + "the value '"
                        + value
                        + "' of key '"
                        + lock.key()
                        + "' in ConfigMap "
                        + lock.configMap()
                        + " is not a whole number from 0 on");
    }

    /** What stands of a ConfigMap, or null. */
    @Nullable Map<String, String> limits(String namespace, String configMap) {
        return limits.get(namespace + "/" + configMap);
    }

    /** What is kept of the values of a ConfigMap. */
    static Map<String, String> kept(Map<String, String> data) {
        Map<String, String> kept = new TreeMap<>();
        data.forEach(
                (key, value) ->
                        kept.put(
                                key,
                                value.length() > LONGEST_LIMIT
                                        ? value.substring(0, LONGEST_LIMIT)
                                        : value));
        return kept;
    }
}
