package dev.millrace.workflowengine.locks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One decision in the making: the events so far, and the queues as they would be after them. */
final class Granting {
    private final LockTable table;
    private final int budget;
    private final List<LockEvent> events = new ArrayList<>();
    private final Map<String, Integer> heldMore = new HashMap<>();

    /** Who waits no more, by id. */
    private final Set<String> left = new HashSet<>();

    private @Nullable LockClaimant asked;
    private int granted;

    Granting(LockTable table, int budget) {
        this.table = table;
        this.budget = budget;
    }

    List<LockEvent> events() {
        return List.copyOf(events);
    }

    /** Somebody new waits. */
    void asked(LockClaimant claimant) {
        asked = claimant;
        events.add(new LockEvent.Asked(claimant));
    }

    /** Somebody who had locks, or waited, is gone. */
    void gone(LockClaimant claimant, LockEvent event) {
        events.add(event);
        left.add(claimant.id());
        if (claimant.granted()) {
            claimant.locks().forEach(lock -> heldMore.merge(lock, -1, Integer::sum));
        }
    }

    /** Grants what can be granted after something changed about these locks. */
    void grant(Collection<String> changed) {
        Deque<String> look = new ArrayDeque<>(changed);
        Set<String> heads = new LinkedHashSet<>(changed);
        while (!look.isEmpty()) {
            LockClaimant first = first(look.poll());
            if (first == null || blocking(first) != null) {
                continue;
            }
            if (granted == budget) {
                events.add(new LockEvent.GrantsLeft());
                return;
            }
            granted++;
            left.add(first.id());
            events.add(new LockEvent.Granted(first.holder()));
            first.locks().forEach(lock -> heldMore.merge(lock, 1, Integer::sum));
            // Behind it others are the first now.
            look.addAll(first.locks());
            heads.addAll(first.locks());
        }
        for (String lock : heads) {
            LockClaimant first = first(lock);
            if (first != null && first.told() != null) {
                tell(first);
            }
        }
    }

    /** Tells a claimant that waits what it waits for, unless it knows. */
    void tell(LockClaimant claimant) {
        if (left.contains(claimant.id())) {
            return;
        }
        if (claimant.locks().stream()
                .anyMatch(lock -> table.limit(lock) instanceof LockLimit.Broken)) {
            if (claimant.told() == null) {
                events.add(new LockEvent.LimitMissing(claimant.holder()));
            }
            return;
        }
        String lock = blocking(claimant);
        if (lock == null) {
            return; // The budget was used up; it is granted by the next decision.
        }
        String message = message(lock);
        LockEvent told = new LockEvent.Awaited(claimant.holder(), lock, message);
        if (!message.equals(claimant.told()) && !events.contains(told)) {
            events.add(told);
        }
    }

    private String message(String lock) {
        int most = table.limit(lock) instanceof LockLimit.Known(int limit) ? limit : 0;
        return "Waiting for %s lock. Lock status: %d/%d"
                .formatted(lock, Math.max(0, most - held(lock)), most);
    }

    /** The first lock that the claimant cannot have now, or null. */
    private @Nullable String blocking(LockClaimant claimant) {
        for (String lock : claimant.locks()) {
            boolean room =
                    table.limit(lock) instanceof LockLimit.Known(int most) && held(lock) < most;
            LockClaimant first = first(lock);
            if (!room || first == null || !first.id().equals(claimant.id())) {
                return lock;
            }
        }
        return null;
    }

    private int held(String lock) {
        return table.held(lock) + heldMore.getOrDefault(lock, 0);
    }

    private @Nullable LockClaimant first(String lock) {
        LockClaimant first = null;
        for (LockClaimant claimant : table.queue(lock)) {
            if (!left.contains(claimant.id())) {
                first = claimant;
                break;
            }
        }
        if (asked == null || left.contains(asked.id()) || !asked.locks().contains(lock)) {
            return first;
        }
        return first == null || LockClaimant.FIRST.compare(asked, first) < 0 ? asked : first;
    }
}
