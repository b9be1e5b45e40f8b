package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Backlog;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.workflowengine.state.NodeLists;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The queue of work that waits for a slot below a node, or of the workflow (no node). The first of
 * it stands in the entry of the node or in the head, the rest in a list that grows at its end: what
 * a slot takes does not depend on how many wait.
 */
record Waiting(Transition t, @Nullable String boundaryId) {
    /** So many stand in the entry. */
    private static final int FIRST = 100;

    List<Work> first() {
        return boundaryId == null ? t.head().blocked() : frame().blocked();
    }

    private @Nullable Backlog backlog() {
        return boundaryId == null ? t.head().backlog() : frame().backlog();
    }

    private Frame frame() {
        return t.node(Objects.requireNonNull(boundaryId)).frame();
    }

    private void set(List<Work> first, @Nullable Backlog backlog) {
        if (boundaryId == null) {
            t.blocked(first, backlog);
        } else {
            t.frame(boundaryId, frame().withBlocked(first, backlog));
        }
    }

    /** Takes in one more, unless it waits already; tasks next to each other wait as one. */
    void add(Work work) {
        List<Work> known = first();
        Backlog backlog = backlog();
        if (known.contains(work)) {
            return;
        }
        if (backlog == null && known.size() < FIRST) {
            set(with(known, work), null);
            return;
        }
        Node node = node(work);
        if (node != null) {
            if (Boolean.TRUE.equals(node.frame().queued())) {
                return;
            }
            t.frame(node.id(), node.frame().withQueued(true));
        }
        Backlog before = backlog == null ? new Backlog(0, 0) : backlog;
        String text = Json.mapper().writerFor(Work.class).writeValueAsString(work);
        t.emit(new WorkflowEvent.ChildrenAdded(NodeLists.blocked(boundaryId), List.of(text)));
        set(known, new Backlog(before.taken(), before.size() + 1));
    }

    private static List<Work> with(List<Work> known, Work work) {
        List<Work> all = new ArrayList<>(known);
        if (work instanceof Work.StartTasks tasks
                && !all.isEmpty()
                && all.getLast() instanceof Work.StartTasks last
                && last.joins(tasks)) {
            all.set(all.size() - 1, last.with(tasks));
        } else {
            all.add(work);
        }
        return all;
    }

    /** The node that stands in a backlog for a work which must not be there twice. */
    private @Nullable Node node(Work work) {
        return switch (work) {
            case Work.StartMembers(var id) -> t.node(id);
            case Work.ExpandTask(var id) -> t.node(id);
            case Work.StartAttempt(var id) -> t.node(id);
            case Work.ConsiderRetry(var id) -> t.node(id);
            // To start them a second time does nothing.
            case Work.Begin _,
                    Work.StartTask _,
                    Work.StartTasks _,
                    Work.StartHook _,
                    Work.Release _,
                    Work.Await _,
                    Work.Weigh _,
                    Work.ResumeTasks _,
                    Work.JudgeDag _,
                    Work.EndDag _,
                    Work.EndLoops _,
                    Work.JudgeGroup _,
                    Work.Hang _,
                    Work.HangTask _,
                    Work.BeginLocked _,
                    Work.Resume _,
                    Work.Settled _,
                    Work.EndOpen _,
                    Work.Proceed _,
                    Work.MarkRetry _,
                    Work.SpreadRetry _,
                    Work.SweepRetry _,
                    Work.PruneRetry _,
                    Work.DiscardArtifacts _,
                    Work.Purge _ ->
                    null;
        };
    }

    /** Takes out the first; there must be one. */
    Work take() {
        List<Work> left = new ArrayList<>(first());
        Work taken = left.removeFirst();
        if (taken instanceof Work.StartTasks tasks) {
            taken = tasks.first();
            if (tasks.to() - tasks.from() > 1) {
                left.addFirst(tasks.from(tasks.from() + 1));
            }
        }
        Backlog backlog = backlog();
        if (left.isEmpty() && backlog != null) {
            refill(backlog);
        } else {
            set(left, backlog);
        }
        return taken;
    }

    private void refill(Backlog backlog) {
        String list = NodeLists.blocked(boundaryId);
        List<Work> next = new ArrayList<>();
        for (String text : t.state().children(list, backlog.taken(), FIRST)) {
            Work work = Json.mapper().readValue(text, Work.class);
            Node node = node(work);
            if (node != null) {
                t.frame(node.id(), node.frame().withQueued(false));
            }
            next.add(work);
        }
        Backlog left = new Backlog(backlog.taken() + next.size(), backlog.size());
        if (left.left() == 0) {
            t.emit(new WorkflowEvent.ChildrenRemoved(list, List.of()));
            set(next, null);
        } else {
            set(next, left);
        }
    }
}
