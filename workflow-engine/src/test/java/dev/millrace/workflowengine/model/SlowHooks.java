package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Hooks of steps, tasks and the workflow, exit handlers of steps and tasks. */
final class SlowHooks {
    private final SlowTree tree;

    SlowHooks(SlowTree tree) {
        this.tree = tree;
    }

    /**
     * Starts the hooks of a node whose time has come and goes on with those that there are.
     *
     * @param status what the expressions of the hooks look at
     * @return whether they are done
     */
    boolean look(Spot spot, Map<String, Flow.Hook> hooks, SlowScope scope, String status) {
        boolean quiet = true;
        // Those that begin at the same instant have no order; followers hang below the last one.
        List<Map.Entry<String, Flow.Hook>> inOrder = new ArrayList<>(hooks.entrySet());
        inOrder.sort(
                Comparator.comparingInt(
                        e -> tree.slots.core().place(spot.name(), hookName(spot, e.getKey()))));
        for (Map.Entry<String, Flow.Hook> e : inOrder) {
            boolean exit = e.getKey().equals(Flow.EXIT);
            String name = hookName(spot, e.getKey());
            Spot known = tree.find(name);
            if (known != null) {
                tree.calls.advance(known);
                quiet &= known.fulfilled();
            } else if (wanted(spot, e.getKey(), e.getValue(), status)) {
                // It is started once its condition was true, even if there is a slot only later.
                spot.owed.add(e.getKey());
                quiet &= hook(spot, e.getValue(), name, exit, scope);
            }
        }
        spot.quiet = quiet;
        return quiet;
    }

    private static String hookName(Spot spot, String hook) {
        return spot.name() + (hook.equals(Flow.EXIT) ? ".onExit" : ".hooks." + hook);
    }

    private boolean wanted(Spot spot, String name, Flow.Hook hook, String status) {
        Spot boundary = spot.boundary();
        if (name.equals(Flow.EXIT)) {
            boolean completed = spot.phase == NodePhase.SUCCEEDED || spot.failed();
            if (!completed || tree.terminated()) {
                return false;
            }
        } else if (boundary != null && boundary.type == NodeType.DAG) {
            // Of a task they are hooks of the task as a whole, and not before it runs.
            boolean item =
                    spot.call.parents().stream()
                            .anyMatch(
                                    p ->
                                            p.type == NodeType.TASK_GROUP
                                                    && p.call.member() == spot.call.member());
            if (item || spot.phase == NodePhase.PENDING) {
                return false;
            }
        }
        Flow.Status wanted = hook.status();
        return spot.owed.contains(name)
                || wanted == null
                || wanted.status().equals(status) == wanted.equal();
    }

    private boolean hook(Spot spot, Flow.Hook hook, String name, boolean exit, SlowScope scope) {
        boolean late =
                spot.type == NodeType.DAG
                        && !spot.fulfilled()
                        && tree.slots.core().ended(spot.name());
        if (late && !tree.slots.core().ended(name)) {
            // A DAG waits for the hooks that it has, so this one came after its end.
            return false;
        }
        Map<String, @Nullable String> arguments = new LinkedHashMap<>();
        String unfit = null;
        try {
            if (hook.arguments() != null) {
                arguments.putAll(scope.arguments(hook.arguments()));
            } else if (exit) {
                arguments.putAll(tree.flow.arguments());
            }
        } catch (Unfit e) {
            unfit = e.text();
        }
        Spot.Call call =
                new Spot.Call(
                        name,
                        hook.template(),
                        false,
                        arguments,
                        spot.boundary(),
                        null,
                        true,
                        false,
                        exit || spot.call.exit(),
                        List.of(spot));
        if (unfit != null) {
            tree.neverRan(call, NodePhase.ERROR, unfit);
            return true;
        }
        try {
            return tree.calls.execute(call).fulfilled();
        } catch (Unfit e) {
            tree.neverRan(call, NodePhase.ERROR, e.text());
            return true;
        } catch (Full e) {
            return false;
        }
    }
}
