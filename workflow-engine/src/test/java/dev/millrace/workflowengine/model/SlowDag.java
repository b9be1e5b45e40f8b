package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** DAG templates. */
final class SlowDag {
    private final SlowTree tree;

    SlowDag(SlowTree tree) {
        this.tree = tree;
    }

    void advance(Spot spot) {
        Flow.Dag dag = (Flow.Dag) spot.template().body();
        List<Flow.Member> tasks = new ArrayList<>(SlowLinks.tasks(dag));
        // What begins at the same instant has no order, but what hangs below what depends on it.
        tasks.sort(
                Comparator.comparing(t -> tree.slots.core().since(spot.name() + "." + t.name())));
        boolean settled = true;
        boolean waits = false;
        for (Flow.Member task : tasks) {
            Spot known = tree.find(spot.name() + "." + task.name());
            boolean fresh = false;
            if (known == null) {
                known = start(spot, dag, task);
                fresh = true;
                waits |= known == null;
            }
            if (known != null) {
                // The hooks of a loop see it run before its items do.
                if (known.type == NodeType.TASK_GROUP && !fresh && !known.fulfilled()) {
                    expand(spot, known, task);
                }
                settled &= SlowSteps.walk(tree, known, task) || !fresh && cut(spot, known, task);
            }
        }
        // A slot that has come free here is first for the tasks that wait for it.
        if (settled && !(waits && mayStart(spot, tasks))) {
            assess(spot, dag, tasks);
        }
    }

    /** Whether a loop is not done only because failFast keeps it from going on. */
    private boolean cut(Spot spot, Spot group, Flow.Member task) {
        return group.type == NodeType.TASK_GROUP
                && !group.fulfilled()
                && group.quiet
                && spot.template().failFast()
                && tree.slots.troubled(spot)
                && items(group, task).stream().allMatch(Spot::settled);
    }

    private static List<Spot> items(Spot group, Flow.Member task) {
        return group.children.stream()
                .filter(c -> c.call.member() == task && c.name().startsWith(group.name() + "("))
                .toList();
    }

    private boolean mayStart(Spot spot, List<Flow.Member> tasks) {
        return !tree.shut(spot.call.exit())
                && !(spot.template().failFast() && tree.slots.troubled(spot))
                && tree.slots.hasSlot(spot)
                && tasks.stream()
                        .filter(t -> tree.find(spot.name() + "." + t.name()) == null)
                        .anyMatch(t -> dependenciesSettled(spot, t));
    }

    private boolean dependenciesSettled(Spot spot, Flow.Member task) {
        return SlowLinks.dependencies(task).stream()
                .map(name -> tree.find(spot.name() + "." + name))
                .allMatch(dependency -> dependency != null && dependency.settled());
    }

    private @Nullable Spot start(Spot spot, Flow.Dag dag, Flow.Member task) {
        String full = spot.name() + "." + task.name();
        if (tree.shut(spot.call.exit()) || tree.slots.failFast(spot, full)) {
            return null;
        }
        if (!dependenciesSettled(spot, task)) {
            return null;
        }
        Set<Spot> parents = new LinkedHashSet<>();
        for (String name : SlowLinks.dependencies(task)) {
            parents.addAll(SlowLinks.outbound(tree, tree.get(spot.name() + "." + name)));
        }
        if (parents.isEmpty()) {
            parents.add(spot);
        }
        List<Spot> above = List.copyOf(parents);
        Spot.Call bare = SlowSteps.call(spot, full, task, Map.of(), above);
        if (!holds(spot, dag, task)) {
            return tree.neverRan(bare, NodePhase.OMITTED, "omitted: depends condition not met");
        }
        SlowScope scope = new SlowScope(tree, spot, null, null);
        if (task.loop() == null) {
            return one(spot, task, new SlowSteps.Piece(full, null), scope, above);
        }
        try {
            if (SlowSteps.pieces(full, task, scope).isEmpty()) {
                return tree.neverRan(bare, NodePhase.SKIPPED, "Skipped, empty params");
            }
        } catch (Unfit e) {
            return errs(bare, e);
        }
        return tree.add(bare, NodeType.TASK_GROUP, NodePhase.RUNNING);
    }

    private Spot errs(Spot.Call call, Unfit e) {
        return tree.neverRan(
                call, NodePhase.ERROR, "task '" + call.name() + "' errored: " + e.text());
    }

    /** Null if there is no slot. */
    private @Nullable Spot one(
            Spot spot,
            Flow.Member task,
            SlowSteps.Piece piece,
            SlowScope scope,
            List<Spot> parents) {
        Spot.Call bare = SlowSteps.call(spot, piece.name(), task, Map.of(), parents);
        try {
            String skips = scope.skips(task.when());
            if (skips != null) {
                return tree.neverRan(bare, NodePhase.SKIPPED, skips);
            }
        } catch (Unfit e) {
            // Of an item it is an error like any other.
            return piece.item() == null
                    ? tree.neverRan(bare, NodePhase.ERROR, e.text())
                    : errs(bare, e);
        }
        try {
            return tree.calls.execute(
                    SlowSteps.call(
                            spot, piece.name(), task, scope.arguments(task.arguments()), parents));
        } catch (Full e) {
            return null;
        } catch (Unfit e) {
            return errs(bare, e);
        }
    }

    private void expand(Spot spot, Spot group, Flow.Member task) {
        SlowScope scope = new SlowScope(tree, spot, null, null);
        List<SlowSteps.Piece> pieces;
        try {
            pieces = SlowSteps.pieces(group.name(), task, scope);
        } catch (Unfit e) {
            throw new IllegalStateException("it was fit before", e);
        }
        boolean cut = tree.shut(spot.call.exit());
        boolean held = false;
        boolean settled = true;
        for (SlowSteps.Piece piece : pieces) {
            Spot item = tree.find(piece.name());
            if (item == null) {
                held |= !cut && tree.slots.failFast(spot, piece.name());
                if (held || cut) {
                    continue;
                }
                item =
                        one(
                                spot,
                                task,
                                piece,
                                scope.withItem(Objects.requireNonNull(piece.item())),
                                List.of(group));
                if (item == null) {
                    held = true;
                    continue;
                }
            }
            settled &= SlowSteps.walk(tree, item, task);
        }
        if (settled && !held) {
            NodePhase phase = NodePhase.SUCCEEDED;
            for (Spot item : items(group, task)) {
                phase = item.failed() ? item.phase : phase;
            }
            tree.finish(group, phase, null, List.of());
        }
    }

    private boolean holds(Spot spot, Flow.Dag dag, Flow.Member task) {
        return task.dependencies().stream().allMatch(d -> bare(spot, dag, d))
                && (task.depends() == null || holds(spot, dag, task.depends()));
    }

    private boolean holds(Spot spot, Flow.Dag dag, Flow.Needs needs) {
        return switch (needs) {
            case Flow.Needs.Not(var of) -> !holds(spot, dag, of);
            case Flow.Needs.Both(boolean and, var left, var right) ->
                    and
                            ? holds(spot, dag, left) && holds(spot, dag, right)
                            : holds(spot, dag, left) || holds(spot, dag, right);
            case Flow.Needs.Task(var name, var result) ->
                    result == null ? bare(spot, dag, name) : is(spot, dag, name, result);
        };
    }

    private boolean bare(Spot spot, Flow.Dag dag, String name) {
        NodePhase phase = tree.get(spot.name() + "." + name).phase;
        Flow.Member task = task(dag, name);
        return switch (phase) {
            case SUCCEEDED, SKIPPED -> true;
            case FAILED -> task.goOnFailed();
            case ERROR -> task.goOnError();
            case OMITTED, PENDING, RUNNING -> false;
        };
    }

    private static Flow.Member task(Flow.Dag dag, String name) {
        return dag.tasks().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    }

    private boolean is(Spot spot, Flow.Dag dag, String name, String result) {
        Spot other = tree.get(spot.name() + "." + name);
        List<Spot> items =
                other.type == NodeType.TASK_GROUP ? items(other, task(dag, name)) : List.of();
        return switch (result) {
            case "Succeeded" -> other.phase == NodePhase.SUCCEEDED;
            case "Failed" -> other.phase == NodePhase.FAILED;
            case "Errored" -> other.phase == NodePhase.ERROR;
            case "Skipped" -> other.phase == NodePhase.SKIPPED;
            case "Omitted" -> other.phase == NodePhase.OMITTED;
            case "AnySucceeded" -> items.stream().anyMatch(i -> i.phase == NodePhase.SUCCEEDED);
            case "AllFailed" ->
                    !items.isEmpty() && items.stream().allMatch(i -> i.phase == NodePhase.FAILED);
            default -> throw new IllegalArgumentException(result);
        };
    }

    private void assess(Spot spot, Flow.Dag dag, List<Flow.Member> tasks) {
        if (spot.template().failFast() && tree.slots.troubled(spot)) {
            for (Flow.Member task : tasks) {
                Spot known = tree.find(spot.name() + "." + task.name());
                if (known != null && !known.fulfilled()) {
                    tree.finish(known, NodePhase.FAILED, SlowTree.FAIL_FAST, List.of());
                }
            }
            tree.finish(spot, NodePhase.FAILED, SlowTree.FAIL_FAST, List.of());
            return;
        }
        NodePhase phase =
                tree.shut(spot.call.exit()) ? NodePhase.FAILED : SlowLinks.phase(tree, spot, dag);
        if (!phase.fulfilled()) {
            return;
        }
        Set<Spot> outbound = new LinkedHashSet<>();
        for (String target : SlowLinks.targets(dag)) {
            Spot known = tree.find(spot.name() + "." + target);
            if (known != null) {
                outbound.addAll(SlowLinks.outbound(tree, known));
            }
        }
        if (phase == NodePhase.SUCCEEDED) {
            SlowSteps.succeed(tree, spot, List.copyOf(outbound));
        } else {
            tree.finish(spot, phase, null, List.copyOf(outbound));
        }
    }
}
