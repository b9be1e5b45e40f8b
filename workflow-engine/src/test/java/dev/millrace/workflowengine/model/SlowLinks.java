package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What hangs below what, and what that means for a DAG. */
final class SlowLinks {
    private SlowLinks() {}

    /** The nodes that what comes after this one hangs below. */
    static List<Spot> outbound(SlowTree tree, Spot spot) {
        return switch (spot.type) {
            case POD, SKIPPED, SUSPEND, HTTP, PLUGIN, CONTAINER -> List.of(spot);
            case TASK_GROUP, STEP_GROUP -> outboundOr(tree, spot.children, spot);
            case RETRY ->
                    spot.children.isEmpty()
                            ? List.of(spot)
                            : List.of(inOrder(tree, spot, spot.children).getLast());
            case STEPS, DAG -> outboundOr(tree, spot.outbound, spot);
        };
    }

    static List<Spot> outboundOr(SlowTree tree, Collection<Spot> of, Spot otherwise) {
        Set<Spot> all = new LinkedHashSet<>();
        of.forEach(s -> all.addAll(outbound(tree, s)));
        return all.isEmpty() ? List.of(otherwise) : List.copyOf(all);
    }

    /** The tasks that decide about a DAG. */
    static Collection<String> targets(Flow.Dag dag) {
        if (!dag.target().isEmpty()) {
            return dag.target();
        }
        Set<String> named = new HashSet<>();
        dag.tasks().forEach(t -> named.addAll(dependencies(t)));
        Set<String> targets = new TreeSet<>();
        dag.tasks().stream()
                .map(Flow.Member::name)
                .filter(n -> !named.contains(n))
                .forEach(targets::add);
        return targets;
    }

    static Set<String> dependencies(Flow.Member task) {
        Set<String> names = new LinkedHashSet<>(task.dependencies());
        if (task.depends() != null) {
            task.depends().names(names);
        }
        return names;
    }

    /** The tasks of a DAG that run: its targets and their ancestors. */
    static List<Flow.Member> tasks(Flow.Dag dag) {
        Set<String> needed = new HashSet<>(targets(dag));
        for (Flow.Member task : dag.tasks().reversed()) {
            if (needed.contains(task.name())) {
                needed.addAll(dependencies(task));
            }
        }
        return dag.tasks().stream().filter(t -> needed.contains(t.name())).toList();
    }

    private record Arrival(Spot spot, NodePhase branch) {}

    /**
     * The phase of a DAG by the phases that its targets are reached with. The first that fails
     * counts, in the order of the children.
     */
    static NodePhase phase(SlowTree tree, Spot dagSpot, Flow.Dag dag) {
        Map<String, NodePhase> reached = new TreeMap<>();
        Deque<Arrival> queue = new ArrayDeque<>();
        Set<Arrival> seen = new HashSet<>();
        inOrder(tree, dagSpot, dagSpot.children)
                .forEach(c -> queue.add(new Arrival(c, NodePhase.SUCCEEDED)));
        while (!queue.isEmpty()) {
            Arrival arrival = queue.poll();
            Spot spot = arrival.spot();
            if (!seen.add(arrival)) {
                continue;
            }
            if (!spot.fulfilled()) {
                return NodePhase.RUNNING;
            }
            boolean neverRan = spot.phase == NodePhase.SKIPPED || spot.phase == NodePhase.OMITTED;
            NodePhase branch = neverRan ? arrival.branch() : spot.phase;
            if (!failed(reached.get(spot.name()))) {
                reached.put(spot.name(), branch);
            }
            List<Spot> next = inOrder(tree, spot, spot.children);
            if (spot.type == NodeType.RETRY) {
                List<Spot> attempts = spot.attempts();
                next.removeAll(attempts);
                if (!attempts.isEmpty()) {
                    Spot last = attempts.getLast();
                    next.addAll(inOrder(tree, last, last.children));
                }
            }
            next.forEach(c -> queue.add(new Arrival(c, branch)));
        }
        boolean failFast = !Boolean.FALSE.equals(dag.failFast());
        NodePhase phase = NodePhase.SUCCEEDED;
        for (String target : targets(dag)) {
            NodePhase own = reached.get(dagSpot.name() + "." + target);
            if (own == null) {
                phase = NodePhase.RUNNING;
                if (!failFast) {
                    return phase;
                }
            } else if (failed(own) && !goesOn(dag, target, own)) {
                phase = own;
                if (failFast) {
                    return phase;
                }
            }
        }
        return phase;
    }

    private static List<Spot> inOrder(SlowTree tree, Spot above, Collection<Spot> below) {
        List<Spot> all = new ArrayList<>(below);
        if (all.size() > 1) {
            Map<Spot, Integer> places = new HashMap<>();
            all.forEach(s -> places.put(s, tree.slots.core().place(above.name(), s.name())));
            all.sort(Comparator.comparing(places::get));
        }
        return all;
    }

    private static boolean failed(@Nullable NodePhase phase) {
        return phase == NodePhase.FAILED || phase == NodePhase.ERROR;
    }

    private static boolean goesOn(Flow.Dag dag, String target, NodePhase phase) {
        return dag.tasks().stream()
                .filter(t -> t.name().equals(target))
                .anyMatch(t -> goesOn(t, phase));
    }

    static boolean goesOn(Flow.Member member, NodePhase phase) {
        return phase == NodePhase.FAILED ? member.goOnFailed() : member.goOnError();
    }
}
