package dev.millrace.schemas.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The book-keeping of a node that has others below it. Not shown to clients.
 *
 * @param open members that were started and are not settled
 * @param group Steps: index of the group that runs
 * @param cursor groups: where the start of members stands; absent when all were started
 * @param active children that count against the template's {@code parallelism}
 * @param blocked what waits for {@code parallelism}
 * @param openHooks hook nodes that are not settled
 * @param hooks names of the hooks that were started
 * @param troubled whether some node below failed
 * @param redo what a retry of the workflow does with the node; absent outside of one
 * @param daemons Steps and DAG: daemons that were ready once, to be ended with the node
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
        List<String> daemons) {

    public static final Frame EMPTY =
            new Frame(0, 0, null, 0, List.of(), 0, List.of(), false, null, List.of());

    public Frame {
        blocked = blocked == null ? List.of() : List.copyOf(blocked);
        hooks = hooks == null ? List.of() : List.copyOf(hooks);
        daemons = daemons == null ? List.of() : List.copyOf(daemons);
    }

    public Frame withOpen(int value) {
        return new Frame(
                value, group, cursor, active, blocked, openHooks, hooks, troubled, redo, daemons);
    }

    public Frame withGroup(int value) {
        return new Frame(
                open, value, cursor, active, blocked, openHooks, hooks, troubled, redo, daemons);
    }

    public Frame withCursor(@Nullable Cursor value) {
        return new Frame(
                open, group, value, active, blocked, openHooks, hooks, troubled, redo, daemons);
    }

    public Frame withActive(int value) {
        return new Frame(
                open, group, cursor, value, blocked, openHooks, hooks, troubled, redo, daemons);
    }

    public Frame withBlocked(List<Work> value) {
        return new Frame(
                open, group, cursor, active, value, openHooks, hooks, troubled, redo, daemons);
    }

    public Frame withHooks(int openHooks, List<String> hooks) {
        return new Frame(
                open, group, cursor, active, blocked, openHooks, hooks, troubled, redo, daemons);
    }

    public Frame withTroubled() {
        return new Frame(
                open, group, cursor, active, blocked, openHooks, hooks, true, redo, daemons);
    }

    public Frame withRedo(@Nullable Redo value) {
        return new Frame(
                open, group, cursor, active, blocked, openHooks, hooks, troubled, value, daemons);
    }

    public Frame withDaemons(List<String> value) {
        return new Frame(
                open, group, cursor, active, blocked, openHooks, hooks, troubled, redo, value);
    }
}
