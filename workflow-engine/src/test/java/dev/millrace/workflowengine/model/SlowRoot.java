package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The workflow as a whole: its start, its hooks, its exit handler, its end. */
final class SlowRoot {
    private final SlowTree tree;
    private @Nullable Instant started;
    private boolean locked;
    private WorkflowPhase phase = WorkflowPhase.PENDING;

    /** The phase that hooks and the exit handler see. */
    private WorkflowPhase seen = WorkflowPhase.RUNNING;

    private @Nullable String message;

    SlowRoot(SlowTree tree) {
        this.tree = tree;
        this.locked = !tree.flow.mutexes().isEmpty();
    }

    WorkflowPhase phase() {
        return phase;
    }

    @Nullable String message() {
        return message;
    }

    boolean done() {
        return phase.finished();
    }

    void granted() {
        locked = false;
    }

    void awaited(String why) {
        message = why;
    }

    /** It ends at once if it has not begun. */
    void shutsDown() {
        if (locked) {
            end(WorkflowPhase.FAILED, tree.stopped());
        }
    }

    @Nullable Instant deadline() {
        return started == null || tree.flow.deadline() == 0
                ? null
                : started.truncatedTo(ChronoUnit.SECONDS).plusSeconds(tree.flow.deadline());
    }

    void walk() {
        if (done() || locked) {
            return;
        }
        if (started == null) {
            started = tree.now;
            phase = WorkflowPhase.RUNNING;
            message = null;
        }
        Map<String, @Nullable String> arguments = new LinkedHashMap<>(tree.flow.arguments());
        Spot root = tree.find(SlowTree.NAME);
        try {
            if (root == null) {
                root =
                        tree.calls.execute(
                                call(SlowTree.NAME, tree.flow.entry(), arguments, false, false));
            } else {
                tree.calls.advance(root);
            }
        } catch (Unfit e) {
            end(WorkflowPhase.ERROR, "error in entry template execution: " + e.text());
            return;
        } catch (Full e) {
            return;
        }
        Map<String, Flow.Hook> hooks = new LinkedHashMap<>(tree.flow.hooks());
        Flow.Hook exit = hooks.remove(Flow.EXIT);
        if (root.fulfilled()) {
            seen =
                    switch (root.phase) {
                        case FAILED -> WorkflowPhase.FAILED;
                        case ERROR -> WorkflowPhase.ERROR;
                        default -> WorkflowPhase.SUCCEEDED;
                    };
        }
        boolean quiet =
                tree.hooks.look(root, hooks, new SlowScope(tree, null, null, null), seen.text());
        if (!root.fulfilled() || !quiet) {
            return;
        }
        WorkflowPhase last = seen;
        String why = root.failed() && tree.shut(false) ? tree.stopped() : root.message;
        if (exit != null && !tree.terminated() || tree.find(exitName()) != null) {
            Spot spot = exit(exit, arguments);
            if (spot == null || !spot.fulfilled()) {
                return;
            }
            if (last == WorkflowPhase.SUCCEEDED && spot.failed()) {
                last = spot.phase == NodePhase.FAILED ? WorkflowPhase.FAILED : WorkflowPhase.ERROR;
                why = spot.message;
            }
        }
        end(last, why);
    }

    private static String exitName() {
        return SlowTree.NAME + ".onExit";
    }

    private @Nullable Spot exit(Flow.Hook exit, Map<String, @Nullable String> arguments) {
        Spot known = tree.find(exitName());
        Spot.Call call = call(exitName(), exit.template(), arguments, true, true);
        try {
            if (known == null) {
                return tree.calls.execute(call);
            }
            tree.calls.advance(known);
            return known;
        } catch (Full e) {
            return null;
        } catch (Unfit e) {
            return tree.neverRan(
                    call, NodePhase.ERROR, "error in exit template execution : " + e.text());
        }
    }

    private void end(WorkflowPhase last, @Nullable String why) {
        phase = last;
        message = why;
    }

    private static Spot.Call call(
            String name,
            Flow.Template template,
            Map<String, @Nullable String> arguments,
            boolean hooked,
            boolean exit) {
        return new Spot.Call(
                name, template, false, arguments, null, null, hooked, false, exit, List.of());
    }
}
