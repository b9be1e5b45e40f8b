package dev.millrace.workflowengine.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Random holders that ask, hold and go away, with repeats, restarts and limits that change. */
final class LockPlay {
    private static final Instant TIME = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> LOCKS =
            List.of("ns/Mutex/a", "ns/Mutex/b", "ns/ConfigMap/c/x", "ns/ConfigMap/c/y");

    private static final List<String> NAMESPACES = List.of("ns", "other");
    private static final Set<String> SLOTS =
            NAMESPACES.stream()
                    .flatMap(namespace -> WorkflowLimits.slots(namespace).stream())
                    .collect(Collectors.toCollection(TreeSet::new));

    private final Random random;
    private final int seed;
    private WorkflowLimits workflows;
    private LockTable table;
    private final LockMachine machine;
    private final SlowLocks model = new SlowLocks();
    private final Map<String, Integer> limits = new HashMap<>();

    /** Holders that still want their locks, by id. */
    private final Map<String, LockRequest.Acquire> alive = new HashMap<>();

    /** Everything that was ever sent: any of it may come again. */
    private final List<LockRequest> sent = new ArrayList<>();

    private final Set<String> granted = new TreeSet<>();
    private final Deque<LockInput> left = new ArrayDeque<>();
    private final Map<String, Integer> heldBefore = new HashMap<>();
    private int names;

    LockPlay(int seed) {
        this.seed = seed;
        this.random = new Random(seed);
        this.machine = new LockMachine(1 + random.nextInt(4));
        this.workflows = workflowLimits(random.nextInt(3));
        this.table = new LockTable(workflows);
    }

    /**
     * @param recent repeats only of what is still wanted, so that the model knows what comes of
     *     them; else of anything that was ever sent, in any order
     */
    void play(boolean recent) {
        limits();
        for (int i = 0; i < 60; i++) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> ask();
                case 3, 4 -> goAway();
                case 5 -> limits();
                case 6 -> repeat(recent);
                default -> restart();
            }
            check(recent);
        }
        drain();
        workflows = workflowLimits(1);
        restart();
        for (String lock : LOCKS) {
            limits.put(lock, 3);
        }
        tellLimits();
        for (int i = 0; !alive.isEmpty(); i++) {
            if (i > 1_000) {
                throw new AssertionError("seed %d: %s wait for ever".formatted(seed, alive));
            }
            String next =
                    alive.keySet().stream()
                            .filter(granted::contains)
                            .sorted()
                            .findFirst()
                            .orElseThrow(
                                    () ->
                                            new AssertionError(
                                                    "seed %d: deadlock of %s"
                                                            .formatted(seed, alive.keySet())));
            send(release(alive.remove(next)));
            drain();
        }
        feed(new LockInput.TellAgain(""));
        drain();
        assertThat(table.claimants()).as("seed %d: held for ever", seed).isEmpty();
        assertThat(table.locks()).as("seed %d", seed).isEmpty();
    }

    private void ask() {
        String namespace = NAMESPACES.get(random.nextInt(NAMESPACES.size()));
        LockHolder holder =
                new LockHolder(namespace, "w" + names++, "uid", null, random.nextInt(2));
        boolean whole = random.nextBoolean();
        Set<String> locks =
                new LinkedHashSet<>(whole ? WorkflowLimits.slots(namespace) : List.of());
        for (int n = (whole ? 0 : 1) + random.nextInt(3); n > 0; n--) {
            locks.add(LOCKS.get(random.nextInt(LOCKS.size())));
        }
        LockRequest.Acquire request =
                new LockRequest.Acquire(
                        holder,
                        List.copyOf(locks),
                        random.nextInt(3),
                        TIME.plusSeconds(random.nextInt(4)));
        alive.put(holder.id(), request);
        send(request);
        model.acquire(request);
    }

    private void goAway() {
        if (!alive.isEmpty()) {
            List<String> ids = alive.keySet().stream().sorted().toList();
            LockRequest.Acquire gone = alive.remove(ids.get(random.nextInt(ids.size())));
            send(release(gone));
            model.release(gone.holder().id());
        }
    }

    private static LockRequest release(LockRequest.Acquire request) {
        return new LockRequest.Release(request.holder());
    }

    private void limits() {
        limits.put(LOCKS.get(2), random.nextInt(4));
        limits.put(LOCKS.get(3), random.nextInt(4));
        tellLimits();
    }

    private void tellLimits() {
        Map<String, String> data = new HashMap<>();
        for (String lock : LOCKS.subList(2, 4)) {
            data.put(lock.substring(lock.length() - 1), Integer.toString(limits.get(lock)));
        }
        tellModel();
        feed(new LockInput.LimitsChanged("ns", "c", data));
        drain();
    }

    private void repeat(boolean recent) {
        List<LockRequest> again =
                sent.stream()
                        .filter(
                                r ->
                                        !recent
                                                || r instanceof LockRequest.Release
                                                || alive.containsKey(r.holder().id()))
                        .toList();
        for (int n = random.nextInt(4); n > 0 && !again.isEmpty(); n--) {
            LockRequest request = again.get(random.nextInt(again.size()));
            // A release comes again only where its holder is gone: it was the last that it sent.
            feed(new LockInput.Requested(request));
        }
        drain();
    }

    /** Both limits, one of them or none. */
    private WorkflowLimits workflowLimits(int least) {
        return new WorkflowLimits(
                random.nextInt(3) == 0 ? 0 : least + random.nextInt(3),
                random.nextInt(3) == 0 ? 0 : least + random.nextInt(2));
    }

    /** What is kept is read again, through JSON; then all are told again. */
    private void restart() {
        if (random.nextInt(3) == 0) {
            workflows = workflowLimits(1);
        }
        tellModel();
        LockTable read = new LockTable(workflows);
        for (LockClaimant claimant : table.claimants()) {
            read.restore(
                    Json.mapper()
                            .readValue(
                                    Json.mapper().writeValueAsString(claimant),
                                    LockClaimant.class));
        }
        read.restore("ns/c", Map.copyOf(limitsKept()));
        table = read;
        feed(new LockInput.TellAgain(""));
        feed(new LockInput.GrantMore());
        drain();
    }

    private void tellModel() {
        SLOTS.forEach(slot -> limits.put(slot, workflows.most(slot)));
        model.limits(limits);
    }

    private Map<String, String> limitsKept() {
        Map<String, String> data = table.limits("ns", "c");
        return data == null ? Map.of() : data;
    }

    private void send(LockRequest request) {
        sent.add(request);
        feed(new LockInput.Requested(request));
        drain();
    }

    private void drain() {
        while (!left.isEmpty()) {
            feed(left.poll());
        }
    }

    /** Feeds an input, and answers as the engine does: what is not wanted is given back. */
    private void feed(LockInput input) {
        for (LockEvent event : machine.decide(table, input)) {
            table.apply(event);
            switch (event) {
                case LockEvent.Granted(var holder) -> told(holder, true);
                case LockEvent.Awaited(var holder, _, _) -> told(holder, false);
                case LockEvent.ToldAgain(var claimant) ->
                        told(claimant.holder(), claimant.granted());
                case LockEvent.GrantsLeft _ -> left.add(new LockInput.GrantMore());
                case LockEvent.TellingLeft(var after) -> left.add(new LockInput.TellAgain(after));
                case LockEvent.LimitMissing(var holder) ->
                        left.add(new LockInput.LookAgain(holder.id()));
                case LockEvent.Refused(var holder, var message) ->
                        throw new AssertionError(
                                "seed %d: %s refused: %s".formatted(seed, holder, message));
                case LockEvent.Released(var holder) -> granted.remove(holder.id());
                case LockEvent.Asked _, LockEvent.LimitsSet _ -> {}
            }
        }
        for (String lock : limits.keySet()) {
            if (overfull(lock) > 0) {
                throw new AssertionError("seed %d: too many have %s".formatted(seed, lock));
            }
        }
    }

    /** More than the limit may hold a lock only as a remainder of a higher limit. */
    private int overfull(String lock) {
        int limit = lock.contains("Mutex") ? 1 : limits.getOrDefault(lock, 3);
        int held = table.held(lock);
        int most = Math.max(limit, heldBefore.getOrDefault(lock, 0));
        heldBefore.put(lock, held);
        return held - most;
    }

    private void told(LockHolder holder, boolean has) {
        if (has) {
            granted.add(holder.id());
        }
        if (!alive.containsKey(holder.id())) {
            left.add(new LockInput.Requested(new LockRequest.Release(holder)));
        }
    }

    private void check(boolean model) {
        drain();
        if (!model) {
            return;
        }
        Set<String> holding = new TreeSet<>();
        Set<String> waiting = new TreeSet<>();
        for (LockClaimant claimant : table.claimants()) {
            (claimant.granted() ? holding : waiting).add(claimant.holder().id());
        }
        assertThat(holding)
                .as("seed %d: holding", seed)
                .isEqualTo(new TreeSet<>(this.model.holding()));
        assertThat(waiting)
                .as("seed %d: waiting", seed)
                .isEqualTo(new TreeSet<>(this.model.waiting()));
        assertThat(granted).as("seed %d: told", seed).containsAll(holding);
    }
}
