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
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One decision in the making: the events so far, and the queues as they would be after them.
 *
 * <p>Slots have no queue of their own: of all workflows that could have everything else, the first
 * one takes a free slot. Who waits for a slot keeps nobody from a lock, and who waits for a lock
 * takes no slot, so neither limit holds up what only the other one concerns.
 */
final class Granting {
    private final LockTable table;
    private final int budget;
    private final List<LockEvent> events = new ArrayList<>();
    private final Map<String, Integer> heldMore = new HashMap<>();

    /** Who waits no more, by id. */
    private final Set<String> left = new HashSet<>();

    /** Locks whose first claimant may have changed. */
    private final Deque<String> look = new ArrayDeque<>();

    /** Slots that may have become free. */
    private final Set<String> opened = new LinkedHashSet<>();

    /** Who needs slots and is now the first for a lock. */
    private final NavigableSet<LockClaimant> candidates = new TreeSet<>(LockClaimant.FIRST);

    /** Who may have to be told something else. */
    private final Set<LockClaimant> passedOver = new LinkedHashSet<>();

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
        if (claimant.needsSlots()) {
            candidates.add(claimant);
        }
    }

    /** Somebody who had locks, or waited, is gone. */
    void gone(LockClaimant claimant, LockEvent event) {
        events.add(event);
        left.add(claimant.id());
        if (claimant.granted()) {
            claimant.locks().forEach(lock -> heldMore.merge(lock, -1, Integer::sum));
        }
    }

    /** Grants what can be granted, whatever changed. */
    void grantAll() {
        table.locks().stream().filter(WorkflowLimits::isSlot).forEach(opened::add);
        grant(table.locks());
    }

    /** Grants what can be granted after something changed about these locks. */
    void grant(Collection<String> changed) {
        Set<String> heads = new LinkedHashSet<>();
        for (String lock : changed) {
            if (!WorkflowLimits.isSlot(lock)) {
                look.add(lock);
                heads.add(lock);
            } else if (asked == null && table.isLimited(lock)) {
                opened.add(lock);
            }
        }
        for (LockClaimant next = next(); next != null; next = next()) {
            if (granted == budget) {
                events.add(new LockEvent.GrantsLeft());
                return;
            }
            granted++;
            left.add(next.id());
            events.add(new LockEvent.Granted(next.holder()));
            next.locks().forEach(lock -> heldMore.merge(lock, 1, Integer::sum));
            // Behind it others are the first now.
            next.locks().forEach(lock -> behind(lock, heads));
        }
        for (String lock : heads) {
            LockClaimant first = first(lock);
            if (first != null) {
                passedOver.add(first);
            }
        }
        passedOver.stream().filter(c -> c.told() != null).forEach(this::tell);
    }

    private void behind(String lock, Set<String> heads) {
        if (!WorkflowLimits.isSlot(lock)) {
            look.add(lock);
            heads.add(lock);
        } else if (!hasRoom(lock)) {
            // Those that waited for locks wait for a slot now, and let others go first.
            look.addAll(table.wantedWith(lock));
        }
    }

    /** Who is granted next, or null. */
    private @Nullable LockClaimant next() {
        while (!look.isEmpty()) {
            LockClaimant first = first(look.poll());
            if (first == null) {
                continue;
            }
            if (first.needsSlots()) {
                candidates.add(first);
            } else if (blocking(first) == null) {
                return first;
            }
        }
        LockClaimant best = null;
        for (LockClaimant candidate : candidates) {
            if (mayHaveAll(candidate)) {
                best = candidate;
                break;
            }
        }
        for (String slot : opened) {
            LockClaimant first = hasRoom(slot) ? firstBefore(best, slot) : null;
            best = first == null ? best : first;
        }
        return best;
    }

    /** The first that can have all that it needs, with this slot, if it goes before another. */
    private @Nullable LockClaimant firstBefore(@Nullable LockClaimant other, String slot) {
        for (LockClaimant claimant : table.queue(slot)) {
            if (other != null && LockClaimant.FIRST.compare(claimant, other) >= 0) {
                return null;
            }
            if (mayHaveAll(claimant)) {
                return claimant;
            }
        }
        return null;
    }

    private boolean mayHaveAll(LockClaimant claimant) {
        if (left.contains(claimant.id())) {
            return false;
        }
        String lock = blocking(claimant);
        if (lock != null
                && !WorkflowLimits.isSlot(lock)
                && WorkflowLimits.MESSAGE.equals(claimant.told())) {
            passedOver.add(claimant);
        }
        return lock == null;
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
        if (WorkflowLimits.isSlot(lock)) {
            return WorkflowLimits.MESSAGE;
        }
        int most = table.limit(lock) instanceof LockLimit.Known(int limit) ? limit : 0;
        return "Waiting for %s lock. Lock status: %d/%d"
                .formatted(lock, Math.max(0, most - held(lock)), most);
    }

    /** The first lock that the claimant cannot have now, or null. */
    private @Nullable String blocking(LockClaimant claimant) {
        for (String lock : claimant.locks()) {
            if (!hasRoom(lock)) {
                return lock;
            }
            if (!WorkflowLimits.isSlot(lock)) {
                LockClaimant first = first(lock);
                if (first == null || !first.id().equals(claimant.id())) {
                    return lock;
                }
            }
        }
        return null;
    }

    private boolean hasRoom(String lock) {
        return table.limit(lock) instanceof LockLimit.Known(int most) && held(lock) < most;
    }

    private int held(String lock) {
        return table.held(lock) + heldMore.getOrDefault(lock, 0);
    }

    /** The first that waits for a lock and not for a slot. */
    private @Nullable LockClaimant first(String lock) {
        LockClaimant first = null;
        for (LockClaimant claimant : table.queue(lock)) {
            if (waitsNotForASlot(claimant)) {
                first = claimant;
                break;
            }
        }
        if (asked == null || !asked.locks().contains(lock) || !waitsNotForASlot(asked)) {
            return first;
        }
        return first == null || LockClaimant.FIRST.compare(asked, first) < 0 ? asked : first;
    }

    private boolean waitsNotForASlot(LockClaimant claimant) {
        return !left.contains(claimant.id())
                && claimant.locks().stream().filter(WorkflowLimits::isSlot).allMatch(this::hasRoom);
    }
}
