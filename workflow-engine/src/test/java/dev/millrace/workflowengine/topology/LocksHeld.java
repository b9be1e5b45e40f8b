package dev.millrace.workflowengine.topology;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who had which locks from when to when, read from workflow-events. All instants are those of one
 * broker, so they can be compared.
 */
final class LocksHeld implements AutoCloseable {

    /** A holder and its locks; {@code to} is absent as long as it has them. */
    record Interval(LockHolder holder, List<String> locks, Instant from, @Nullable Instant to) {}

    private final Map<LockHolder, List<String>> asked = new HashMap<>();
    private final Map<LockHolder, Interval> held = new LinkedHashMap<>();
    private final Map<LockHolder, Integer> waited = new HashMap<>();
    private final TailReader<WorkflowTransition> reader;

    LocksHeld(LogConnection log) {
        reader =
                TailReader.start(
                        log,
                        "locks-held",
                        Topics.WORKFLOW_EVENTS,
                        Positions.START,
                        JsonSerde.of(WorkflowTransition.class),
                        (batch, _) -> batch.forEach(this::take));
    }

    private synchronized void take(LogRecord<WorkflowTransition> record) {
        WorkflowTransition t = record.value();
        if (t == null) {
            return;
        }
        for (WorkflowEvent event : t.events()) {
            if (event instanceof WorkflowEvent.LocksRequested(var node, var locks, _)) {
                asked.put(holder(t, node), locks);
            } else if (event instanceof WorkflowEvent.LockAwaited(var node, _, _)) {
                waited.merge(holder(t, node), 1, Integer::sum);
            } else if (event instanceof WorkflowEvent.LocksGranted(var node)) {
                LockHolder holder = holder(t, node);
                List<String> locks = Objects.requireNonNull(asked.get(holder));
                held.put(holder, new Interval(holder, locks, t.now(), null));
            } else if (event instanceof WorkflowEvent.LocksReleased(var holder)) {
                held.computeIfPresent(
                        holder,
                        (h, i) ->
                                i.to() != null ? i : new Interval(h, i.locks(), i.from(), t.now()));
            }
        }
    }

    private static LockHolder holder(WorkflowTransition t, @Nullable String node) {
        return new LockHolder(t.namespace(), t.name(), t.uid(), node, 0);
    }

    synchronized int waited() {
        return waited.size();
    }

    synchronized List<Interval> all() {
        return List.copyOf(held.values());
    }

    synchronized long released() {
        return held.values().stream().filter(i -> i.to() != null).count();
    }

    synchronized List<LockHolder> open() {
        return held.values().stream().filter(i -> i.to() == null).map(Interval::holder).toList();
    }

    /** Most that had the lock at one time. */
    synchronized int most(String lock) {
        List<Interval> of = held.values().stream().filter(i -> i.locks().contains(lock)).toList();
        List<Integer> counts = new ArrayList<>(List.of(0));
        for (Interval one : of) {
            long together =
                    of.stream()
                            .filter(
                                    other ->
                                            !other.from().isAfter(one.from())
                                                    && (other.to() == null
                                                            || other.to().isAfter(one.from())))
                            .count();
            counts.add((int) together);
        }
        return counts.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    @Override
    public void close() {
        reader.close();
    }
}
