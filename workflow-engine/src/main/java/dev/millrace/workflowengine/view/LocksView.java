package dev.millrace.workflowengine.view;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockClaim;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.workflowengine.locks.LockName;
import dev.millrace.workflowengine.locks.WorkflowLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code status.synchronization}: the locks that a workflow has and those that it waits for. */
final class LocksView {
    /** Holders by lock. */
    private final Map<String, List<String>> holding = new TreeMap<>();

    private final TreeSet<String> waiting = new TreeSet<>();

    private LocksView() {}

    /** Empty if there is nothing to say, as for a workflow that is finished. */
    static ObjectNode render(WorkflowHead head, Map<String, Node> nodes) {
        LocksView view = new LocksView();
        view.add(head.lock(), head.holder(null).key());
        new TreeMap<>(nodes)
                .forEach(
                        (id, node) -> {
                            if (!node.ended()) {
                                view.add(node.lock(), head.holder(id).key());
                            }
                        });
        ObjectNode rendered = Json.object();
        view.put(rendered, "mutex");
        view.put(rendered, "semaphore");
        return rendered;
    }

    private void add(@Nullable LockClaim claim, String holder) {
        if (claim == null) {
            return;
        }
        switch (claim.stage()) {
            case ASKED -> {
                if (claim.waiting() != null && !WorkflowLimits.isSlot(claim.waiting())) {
                    waiting.add(claim.waiting());
                }
            }
            case GRANTED, HELD ->
                    claim.locks().stream()
                            .filter(lock -> !WorkflowLimits.isSlot(lock))
                            .forEach(
                                    lock ->
                                            holding.computeIfAbsent(lock, _ -> new ArrayList<>())
                                                    .add(holder));
            case RELEASED -> {}
        }
    }

    private void put(ObjectNode rendered, String kind) {
        boolean mutex = kind.equals("mutex");
        ArrayNode has = Json.mapper().createArrayNode();
        holding.forEach(
                (lock, holders) -> {
                    if (isMutex(lock) == mutex) {
                        ObjectNode entry = has.addObject().put(kind, lock);
                        if (mutex) {
                            entry.put("holder", holders.getFirst());
                        } else {
                            entry.set("holders", Json.tree(holders));
                        }
                    }
                });
        ArrayNode waits = Json.mapper().createArrayNode();
        waiting.stream()
                .filter(lock -> isMutex(lock) == mutex)
                .forEach(lock -> waits.addObject().put(kind, lock));
        if (has.isEmpty() && waits.isEmpty()) {
            return;
        }
        ObjectNode both = rendered.putObject(kind);
        if (!has.isEmpty()) {
            both.set("holding", has);
        }
        if (!waits.isEmpty()) {
            both.set("waiting", waits);
        }
    }

    private static boolean isMutex(String lock) {
        return LockName.parse(lock) instanceof LockName.OfMutex;
    }
}
