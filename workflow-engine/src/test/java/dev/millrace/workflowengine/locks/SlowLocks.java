package dev.millrace.workflowengine.locks;

import dev.millrace.schemas.record.LockRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Slow and obvious: after every change it walks over all who wait, in order, again and again. Who
 * waits for a slot keeps nobody from a lock.
 */
final class SlowLocks {
    private final List<LockRequest.Acquire> waiting = new ArrayList<>();
    private final Map<String, LockRequest.Acquire> holding = new HashMap<>();
    private final Map<String, Integer> limits = new HashMap<>();
    private final Map<String, Integer> arrival = new HashMap<>();

    void limits(Map<String, Integer> most) {
        limits.putAll(most);
        settle();
    }

    void acquire(LockRequest.Acquire request) {
        String id = request.holder().id();
        if (!holding.containsKey(id)
                && waiting.stream().noneMatch(w -> w.holder().id().equals(id))) {
            arrival.put(id, arrival.size());
            waiting.add(request);
            settle();
        }
    }

    void release(String id) {
        holding.remove(id);
        waiting.removeIf(w -> w.holder().id().equals(id));
        settle();
    }

    Set<String> holding() {
        return holding.keySet();
    }

    Set<String> waiting() {
        Set<String> ids = new HashSet<>();
        waiting.forEach(w -> ids.add(w.holder().id()));
        return ids;
    }

    private void settle() {
        boolean again = true;
        while (again) {
            again = false;
            waiting.sort(
                    Comparator.comparingInt((LockRequest.Acquire w) -> -w.priority())
                            .thenComparing(LockRequest.Acquire::createdAt)
                            .thenComparing(w -> arrival.get(w.holder().id())));
            Set<String> wantedBefore = new HashSet<>();
            for (LockRequest.Acquire w : waiting) {
                boolean free =
                        w.locks().stream().allMatch(l -> held(l) < limits.getOrDefault(l, 1));
                boolean overtakes = w.locks().stream().anyMatch(wantedBefore::contains);
                if (free && !overtakes) {
                    waiting.remove(w);
                    holding.put(w.holder().id(), w);
                    again = true;
                    break;
                }
                boolean mayRun =
                        w.locks().stream()
                                .filter(WorkflowLimits::isSlot)
                                .allMatch(l -> held(l) < limits.getOrDefault(l, 1));
                if (mayRun) {
                    w.locks().stream()
                            .filter(l -> !WorkflowLimits.isSlot(l))
                            .forEach(wantedBefore::add);
                }
            }
        }
    }

    private long held(String lock) {
        return holding.values().stream().filter(h -> h.locks().contains(lock)).count();
    }
}
