package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Instant;
import java.util.List;

/**
 * {@code decide} of the workflow core. Pure: the same state, input and instant give the same
 * events. An unexpected exception has changed nothing.
 */
public final class WorkflowMachine {
    /** So many nodes a transition makes at most; what is left is done by the next ones. */
    public static final int DEFAULT_BUDGET = 200;

    private final int budget;
    private final boolean limited;
    private final Definitions definitions = new Definitions();

    public WorkflowMachine() {
        this(DEFAULT_BUDGET);
    }

    /**
     * @param budget most nodes that one transition makes
     */
    public WorkflowMachine(int budget) {
        this(budget, false);
    }

    /**
     * @param limited whether only so many workflows run at a time: each asks for a slot then
     */
    public WorkflowMachine(int budget, boolean limited) {
        this.budget = budget;
        this.limited = limited;
    }

    /**
     * Decides what an input does.
     *
     * @param state the workflow as it stands; not changed
     * @param now the instant of the input, never before the last one of this workflow
     * @return what happened, in order; empty if nothing did. If the last state has work left
     *     ({@code head().work()}), the workflow wants a {@link WorkflowInput.Continue}.
     */
    public List<WorkflowEvent> decide(
            WorkflowState state, String namespace, String name, WorkflowInput input, Instant now) {
        Transition t = new Transition(state, namespace, name, now, budget, limited, definitions);
        WorkflowHead head = state.head();
        if (head != null) {
            head.work().forEach(t::enqueue);
        }
        switch (input) {
            case WorkflowInput.Command(var command) -> CommandRun.run(t, command);
            case WorkflowInput.Report(StepReport report) -> {
                if (known(t) && report.workflow().uid().equals(t.head().uid())) {
                    report(t, report);
                }
            }
            case WorkflowInput.TimerFired(var timer) -> {
                if (timer.equals(Expiry.TIMER)) {
                    Expiry.fired(t);
                } else if (alive(t)) {
                    fired(t, timer);
                }
            }
            case WorkflowInput.Continue _ -> {}
        }
        run(t);
        return t.complete();
    }

    static boolean alive(Transition t) {
        WorkflowHead head = t.state().head();
        return head != null
                && head.stage() != WorkflowStage.DONE
                && head.stage() != WorkflowStage.DELETING
                && head.stage() != WorkflowStage.DELETED;
    }

    private static boolean known(Transition t) {
        WorkflowHead head = t.state().head();
        return head != null && head.stage() != WorkflowStage.DELETED;
    }

    private static void report(Transition t, StepReport report) {
        if (report instanceof StepReport.Discarded discarded) {
            ArtifactGc.discarded(t, discarded);
        } else if (alive(t)) {
            LeafRun.report(t, report);
        }
    }

    private static void fired(Transition t, String timer) {
        if (timer.equals(RootRun.DEADLINE_TIMER)) {
            CommandRun.deadlinePassed(t);
        } else if (timer.startsWith(RetryRun.RETRY_TIMER)) {
            Node retry = t.state().node(timer.substring(RetryRun.RETRY_TIMER.length()));
            if (retry != null) {
                RetryRun.consider(t, retry);
            }
        } else if (timer.startsWith(LeafRun.SUSPEND_TIMER)) {
            LeafRun.pauseOver(t, timer.substring(LeafRun.SUSPEND_TIMER.length()));
        } else if (timer.startsWith(LeafRun.PENDING_TIMER)) {
            LeafRun.pendingTooLong(t, timer.substring(LeafRun.PENDING_TIMER.length()));
        }
    }

    private static void run(Transition t) {
        if (t.state().head() == null) {
            return;
        }
        while (!t.exhausted() && t.head().mayWork()) {
            Work work = t.next();
            if (work == null) {
                break;
            }
            perform(t, work);
        }
        if (alive(t)) {
            RootRun.finishIfQuiet(t);
        }
    }

    private static void perform(Transition t, Work work) {
        if (work instanceof Work.Purge) {
            CommandRun.purge(t);
            return;
        }
        if (!alive(t)) {
            return; // Left over from before the end.
        }
        switch (work) {
            case Work.Begin _ -> RootRun.entry(t);
            case Work.StartMembers(var group) -> StepsRun.startMembers(t, group);
            case Work.StartTask start -> DagRun.startTask(t, start.dagId(), start.task(), start);
            case Work.StartTasks start -> DagRun.startTasks(t, start);
            case Work.Release release -> DagRun.release(t, release);
            case Work.Await await -> ManyDependencies.await(t, await);
            case Work.Weigh weigh -> ManyDependencies.weigh(t, weigh);
            case Work.HangTask hang -> ManyDependencies.hang(t, hang);
            case Work.ResumeTasks resume -> DagRun.resumeTasks(t, resume);
            case Work.JudgeDag judge -> DagEnd.judge(t, judge);
            case Work.EndDag end -> DagEnd.end(t, end);
            case Work.EndLoops end -> DagEnd.endLoops(t, end);
            case Work.JudgeGroup judge -> judge(t, judge);
            case Work.Hang hang -> Hanging.hang(t, hang);
            case Work.ExpandTask(var group) -> TaskGroupRun.expand(t, group);
            case Work.StartAttempt(var retry) -> RetryRun.startAttempt(t, retry);
            case Work.StartHook(var node, var hook) -> HookRun.startHook(t, node, hook);
            case Work.BeginLocked(var id) -> LockRun.begin(t, id);
            case Work.ConsiderRetry(var id) -> RetryRun.consider(t, t.node(id));
            case Work.DiscardArtifacts(var after) -> ArtifactGc.atEnd(t, after);
            case Work.EndOpen(var deadline, var after) -> CommandRun.endOpen(t, deadline, after);
            case Work.Resume(var boundary) -> {
                Work waiting = Slots.resume(t, boundary);
                if (waiting instanceof Work.ConsiderRetry(var id)) {
                    RetryRun.resume(t, t.node(id));
                } else if (waiting != null) {
                    perform(t, waiting);
                }
            }
            case Work.Settled(var id) -> settled(t, t.node(id));
            case Work.Proceed(var id) -> Memoized.proceed(t, t.node(id));
            case Work.MarkRetry mark -> WorkflowRetry.mark(t, mark);
            case Work.SpreadRetry spread -> WorkflowRetry.spread(t, spread);
            case Work.SweepRetry sweep -> WorkflowRetry.sweep(t, sweep);
            case Work.PruneRetry prune -> WorkflowRetry.prune(t, prune);
            case Work.Purge _ -> throw new IllegalStateException("handled above");
        }
    }

    private static void judge(Transition t, Work.JudgeGroup judge) {
        Node group = t.node(judge.groupId());
        if (group.type() == NodeType.STEP_GROUP) {
            StepsRun.assess(t, group, judge.from());
        } else {
            TaskGroupRun.assess(t, group, judge.from(), judge.phase());
        }
    }

    /** A node and its hooks are done: its owner goes on. */
    private static void settled(Transition t, Node node) {
        if (node.ownerId() == null) {
            RootRun.settled(t, node);
            return;
        }
        Node owner = t.node(node.ownerId());
        if (node.hooked()) {
            HookRun.settled(t, owner);
            return;
        }
        switch (owner.type()) {
            case STEP_GROUP -> StepsRun.settled(t, owner, node);
            case TASK_GROUP -> TaskGroupRun.settled(t, owner);
            case DAG -> DagRun.settled(t, owner, node);
            case RETRY -> RetryRun.consider(t, owner);
            case STEPS, POD, CONTAINER, SKIPPED, SUSPEND, HTTP, PLUGIN ->
                    throw new IllegalStateException(
                            owner.type() + " " + owner.name() + " owns no nodes");
        }
    }
}
