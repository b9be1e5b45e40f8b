package dev.millrace.schemas.record;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The book-keeping of a node that has others below it. Not shown to clients.
 *
 * @param open members that were started and are not settled
 * @param group Steps: index of the group that runs
 * @param cursor groups: where the start of members stands; absent when all were started
 * @param active children that count against the template's {@code parallelism}
 * @param blocked what waits for {@code parallelism}, the first of it if it is much
 * @param openHooks hook nodes that are not settled
 * @param hooks names of the hooks that were started
 * @param troubled whether some node below failed
 * @param redo what a retry of the workflow does with the node; absent outside of one
 * @param daemons Steps and DAG: daemons that were ready once, to be ended with the node
 * @param idle DAG that ends with its first failure: loops among its tasks that have begun, have not
 *     ended and have no open item or hook; absent if nobody counted
 * @param inherits of a task that was skipped or omitted the phase of what came before it; absent if
 *     nobody noted it
 * @param awaits DAG: of the tasks that wait for very many the index of the first dependency that is
 *     not known to be done
 * @param backlog what waits for {@code parallelism} behind {@code blocked}; absent if nothing does
 * @param queued whether the node stands in a backlog
 */
public record Frame(
        int open,
        int group,
        @Nullable Cursor cursor,
        int active,
        List<Work> blocked,
        int openHooks,
        List<String> hooks,
        boolean troubled,
        @Nullable Redo redo,
        List<String> daemons,
        @Nullable Integer idle,
        @Nullable Inherited inherits,
        Map<String, Integer> awaits,
        @Nullable Backlog backlog,
        @Nullable Boolean queued) {

    public static final Frame EMPTY =
            new Frame(
                    0, 0, null, 0, List.of(), 0, List.of(), false, null, List.of(), null, null,
                    Map.of(), null, null);

    public Frame {
        blocked = blocked == null ? List.of() : List.copyOf(blocked);
        hooks = hooks == null ? List.of() : List.copyOf(hooks);
        daemons = daemons == null ? List.of() : List.copyOf(daemons);
        awaits = awaits == null ? Map.of() : Map.copyOf(awaits);
    }

    public Frame withOpen(int value) {
        return edit(e -> e.open = value);
    }

    public Frame withGroup(int value) {
        return edit(e -> e.group = value);
    }

    public Frame withCursor(@Nullable Cursor value) {
        return edit(e -> e.cursor = value);
    }

    public Frame withActive(int value) {
        return edit(e -> e.active = value);
    }

    public Frame withBlocked(List<Work> value, @Nullable Backlog more) {
        return edit(
                e -> {
                    e.blocked = value;
                    e.backlog = more;
                });
    }

    public Frame withHooks(int openHooks, List<String> hooks) {
        return edit(
                e -> {
                    e.openHooks = openHooks;
                    e.hooks = hooks;
                });
    }

    public Frame withTroubled() {
        return edit(e -> e.troubled = true);
    }

    public Frame withRedo(@Nullable Redo value) {
        return edit(e -> e.redo = value);
    }

    public Frame withDaemons(List<String> value) {
        return edit(e -> e.daemons = value);
    }

    public Frame withIdle(@Nullable Integer value) {
        return edit(e -> e.idle = value);
    }

    public Frame withInherits(@Nullable Inherited value) {
        return edit(e -> e.inherits = value);
    }

    public Frame withAwaits(Map<String, Integer> value) {
        return edit(e -> e.awaits = value);
    }

    public Frame withQueued(boolean value) {
        return edit(e -> e.queued = value ? true : null);
    }

    private Frame edit(Consumer<Edit> change) {
        Edit edit = new Edit(this);
        change.accept(edit);
        return edit.done();
    }

    private static final class Edit {
        private int open;
        private int group;
        private @Nullable Cursor cursor;
        private int active;
        private List<Work> blocked;
        private int openHooks;
        private List<String> hooks;
        private boolean troubled;
        private @Nullable Redo redo;
        private List<String> daemons;
        private @Nullable Integer idle;
        private @Nullable Inherited inherits;
        private Map<String, Integer> awaits;
        private @Nullable Backlog backlog;
        private @Nullable Boolean queued;

        Edit(Frame frame) {
            open = frame.open;
            group = frame.group;
            cursor = frame.cursor;
            active = frame.active;
            blocked = frame.blocked;
            openHooks = frame.openHooks;
            hooks = frame.hooks;
            troubled = frame.troubled;
            redo = frame.redo;
            daemons = frame.daemons;
            idle = frame.idle;
            inherits = frame.inherits;
            awaits = frame.awaits;
            backlog = frame.backlog;
            queued = frame.queued;
        }

        Frame done() {
            return new Frame(
                    open, group, cursor, active, blocked, openHooks, hooks, troubled, redo, daemons,
                    idle, inherits, awaits, backlog, queued);
        }
    }
}
