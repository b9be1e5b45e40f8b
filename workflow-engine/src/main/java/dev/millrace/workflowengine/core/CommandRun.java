package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Commands: each is answered, and a repeat gets the first answer. */
final class CommandRun {
    private static final int PORTION = 200;
    static final String DEADLINE_MESSAGE = "Step exceeded its deadline";

    private CommandRun() {}

    static void run(Transition t, WorkflowCommand command) {
        if (command instanceof WorkflowCommand.SubmitPart) {
            return; // The shell puts the parts together before a submission gets here.
        }
        if (command instanceof WorkflowCommand.AnswerCache answer) {
            Memoized.answered(t, answer);
            return;
        }
        if (command instanceof WorkflowCommand.LockAnswer answer) {
            LockRun.answered(t, answer);
            return;
        }
        WorkflowHead head = t.state().head();
        if (head != null) {
            for (CommandAnswer answer : head.answers()) {
                if (answer.commandId().equals(command.commandId())) {
                    t.emit(new WorkflowEvent.CommandAnswered(answer));
                    return;
                }
            }
        }
        boolean exists = head != null && head.stage() != WorkflowStage.DELETED;
        if (command instanceof WorkflowCommand.Submit submit) {
            submit(t, submit, exists);
            return;
        }
        if (!exists) {
            refuse(
                    t,
                    command,
                    CommandAnswer.NOT_FOUND,
                    "workflows.argoproj.io \"" + command.name() + "\" not found");
            return;
        }
        try {
            switch (command) {
                case WorkflowCommand.Submit _,
                        WorkflowCommand.SubmitPart _,
                        WorkflowCommand.AnswerCache _,
                        WorkflowCommand.LockAnswer _ ->
                        throw new IllegalStateException("handled above");
                case WorkflowCommand.Retry c -> retry(t, c);
                case WorkflowCommand.Shutdown c -> shutdown(t, c);
                case WorkflowCommand.Suspend c -> suspend(t, c);
                case WorkflowCommand.Resume c -> resume(t, c);
                case WorkflowCommand.SetNode c -> set(t, c);
                case WorkflowCommand.Delete c -> delete(t, c);
            }
        } catch (CallException | IllegalArgumentException e) {
            refuse(t, command, CommandAnswer.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }

    private static void accept(Transition t, WorkflowCommand command) {
        t.emit(
                new WorkflowEvent.CommandAnswered(
                        new CommandAnswer(command.commandId(), CommandAnswer.OK, null)));
    }

    private static void refuse(Transition t, WorkflowCommand command, int code, String message) {
        t.emit(
                new WorkflowEvent.CommandAnswered(
                        new CommandAnswer(command.commandId(), code, message)));
    }

    private static void submit(Transition t, WorkflowCommand.Submit c, boolean exists) {
        if (exists) {
            refuse(
                    t,
                    c,
                    CommandAnswer.ALREADY_EXISTS,
                    "workflows.argoproj.io \"" + c.name() + "\" already exists");
            return;
        }
        t.emit(
                new WorkflowEvent.Submitted(
                        c.commandId(),
                        c.uid(),
                        t.now(),
                        c.source(),
                        c.fromTemplate(),
                        c.origin(),
                        null));
        accept(t, c);
        RootRun.begin(t);
    }

    private static void retry(Transition t, WorkflowCommand.Retry c) {
        CommandAnswer refusal = WorkflowRetry.refusal(t, c);
        if (refusal != null) {
            t.emit(new WorkflowEvent.CommandAnswered(refusal));
            return;
        }
        accept(t, c);
        WorkflowRetry.begin(t, c);
    }

    private static boolean finished(Transition t) {
        WorkflowStage stage = t.head().stage();
        return stage == WorkflowStage.DONE || stage == WorkflowStage.DELETING;
    }

    private static void shutdown(Transition t, WorkflowCommand.Shutdown c) {
        if (finished(t)) {
            refuse(
                    t,
                    c,
                    CommandAnswer.FAILED_PRECONDITION,
                    "cannot shutdown a completed workflow: workflow: "
                            + c.name()
                            + ", namespace: "
                            + c.namespace());
            return;
        }
        if (c.nodeFieldSelector() != null && !c.nodeFieldSelector().isBlank()) {
            NodeSelector selector = NodeSelector.parse(c.nodeFieldSelector());
            List<Node> matching = suspended(t, selector);
            if (matching.isEmpty()) {
                throw noneMatches(c.nodeFieldSelector());
            }
            accept(t, c);
            matching.forEach(
                    n ->
                            Endings.end(
                                    t,
                                    t.node(n.id()),
                                    NodePhase.FAILED,
                                    c.message(),
                                    null,
                                    List.of()));
            return;
        }
        accept(t, c);
        t.emit(new WorkflowEvent.ShutdownRequested(c.strategy()));
        if (t.head().suspended()) {
            t.emit(new WorkflowEvent.SuspensionChanged(false));
        }
        t.enqueueFirstAfterRetry(new Work.EndOpen(false, ""));
        RootRun.finishIfNotBegun(t, stopped(t));
    }

    static String stopped(Transition t) {
        ShutdownStrategy shutdown = t.head().shutdown();
        return "Stopped with strategy '" + (shutdown == null ? "" : shutdown.text()) + "'";
    }

    /** The time of the whole workflow is over. */
    static void deadlinePassed(Transition t) {
        if (t.head().stage() == WorkflowStage.MAIN) {
            t.enqueueFirstAfterRetry(new Work.EndOpen(true, ""));
        }
    }

    /**
     * Ends what is open, a portion of the nodes at a time: steps are stopped, pauses are over. On a
     * shutdown groups go on to start what they have left, which then fails at once.
     *
     * @param deadline whether the time is over; else the workflow is being shut down
     * @param after where the last portion ended
     */
    static void endOpen(Transition t, boolean deadline, String after) {
        List<String> portion = t.state().openNodes(after, PORTION);
        for (String id : portion) {
            Node node = t.node(id);
            boolean exempt = deadline ? !t.late(node.exitHandler()) : !t.shut(node.exitHandler());
            if (!node.ended() && !exempt && !Daemons.isOver(t, node)) {
                endOpen(t, deadline, node);
            }
        }
        if (portion.size() == PORTION) {
            t.goOnWith(new Work.EndOpen(deadline, portion.getLast()));
            t.exhaust();
        }
    }

    private static void endOpen(Transition t, boolean deadline, Node node) {
        ShutdownStrategy shutdown = t.head().shutdown();
        String strategy = shutdown == null ? "" : shutdown.text();
        if (node.awaitsLocks()) {
            String message = deadline ? DEADLINE_MESSAGE : stopped(t);
            Endings.end(t, node, NodePhase.FAILED, message, null, List.of());
            return;
        }
        if (WorkflowRetry.reopened(t, node) || Memoized.waits(node)) {
            String message =
                    deadline ? DEADLINE_MESSAGE : "workflow shutdown with strategy: " + strategy;
            endUnstarted(t, node, message);
            return;
        }
        switch (node.type()) {
            case POD, HTTP, PLUGIN -> {
                // Two blanks: the text that the clients of the field know for steps that ran.
                String message =
                        deadline
                                ? DEADLINE_MESSAGE
                                : "workflow shutdown with strategy:  " + strategy;
                if (node.stepId() != null) {
                    t.emit(new WorkflowEvent.StepStopRequested(node.stepId(), node.id(), message));
                }
                Endings.end(t, node, NodePhase.FAILED, message, null, List.of());
            }
            case SUSPEND -> {
                String message = deadline ? DEADLINE_MESSAGE : stopped(t);
                Endings.end(t, node, NodePhase.FAILED, message, null, List.of());
            }
            case STEP_GROUP -> {
                if (!deadline) {
                    t.enqueue(new Work.StartMembers(node.id()));
                }
            }
            case TASK_GROUP -> {
                if (!deadline) {
                    t.enqueue(new Work.ExpandTask(node.id()));
                }
            }
            case RETRY -> t.enqueue(new Work.ConsiderRetry(node.id()));
            case DAG -> {
                // No task that waits for a slot comes any more.
                if (!deadline && node.frame().open() == 0) {
                    DagEnd.assessWhenQuiet(t, node);
                }
            }
            // Containers end with their pod.
            case STEPS, SKIPPED, CONTAINER -> {}
        }
    }

    /** Ends a node that waits to be called: it never went on, and now it does not. */
    private static void endUnstarted(Transition t, Node node, String message) {
        if (Memoized.waits(node)) {
            Endings.end(t, node, NodePhase.FAILED, message, null, List.of());
            return;
        }
        t.finish(node, NodePhase.FAILED, message, null, List.of());
        if (node.ownerId() == null) {
            t.enqueue(new Work.Settled(node.id()));
            return;
        }
        Node owner = t.node(node.ownerId());
        boolean waits =
                !owner.fulfilled() && !owner.awaitsLocks() && !WorkflowRetry.reopened(t, owner);
        if (waits && node.type() != NodeType.STEP_GROUP) {
            DagRun.opened(t, node.ownerId());
            t.enqueue(new Work.Settled(node.id()));
        }
    }

    private static void suspend(Transition t, WorkflowCommand.Suspend c) {
        if (finished(t)) {
            refuse(t, c, CommandAnswer.FAILED_PRECONDITION, "cannot suspend completed workflows");
            return;
        }
        accept(t, c);
        t.emit(new WorkflowEvent.SuspensionChanged(true));
    }

    private static void resume(Transition t, WorkflowCommand.Resume c) {
        NodeSelector selector = NodeSelector.parse(c.nodeFieldSelector());
        List<Node> matching = suspended(t, selector);
        if (matching.isEmpty()
                && c.nodeFieldSelector() != null
                && !c.nodeFieldSelector().isBlank()) {
            throw noneMatches(c.nodeFieldSelector());
        }
        String message = c.actor() == null ? null : "Resumed by: map[User:" + c.actor() + "]";
        List<Outputs> outputs = new ArrayList<>();
        for (Node node : matching) {
            Outputs supplied = LeafRun.supplied(t, node);
            outputs.add(
                    supplied == null ? new Outputs(List.of(), List.of(), null, null) : supplied);
        }
        accept(t, c);
        if (t.head().suspended()) {
            t.emit(new WorkflowEvent.SuspensionChanged(false));
        }
        for (int i = 0; i < matching.size(); i++) {
            Outputs given = outputs.get(i).parameters().isEmpty() ? null : outputs.get(i);
            Endings.end(
                    t,
                    t.node(matching.get(i).id()),
                    NodePhase.SUCCEEDED,
                    message,
                    given,
                    List.of());
        }
    }

    private static IllegalArgumentException noneMatches(@Nullable String selector) {
        return new IllegalArgumentException(
                "no suspend node that waits matches the node field selector '" + selector + "'");
    }

    private static List<Node> suspended(Transition t, NodeSelector selector) {
        return t.state().openNodes().stream()
                .map(t::node)
                .filter(n -> n.type() == NodeType.SUSPEND && n.phase() == NodePhase.RUNNING)
                .filter(selector::matches)
                .toList();
    }

    private static void set(Transition t, WorkflowCommand.SetNode c) {
        List<Node> matching = suspended(t, NodeSelector.parse(c.nodeFieldSelector()));
        if (matching.isEmpty()) {
            throw noneMatches(c.nodeFieldSelector());
        }
        matching.forEach(node -> declared(t, node, c.outputParameters().keySet()));
        accept(t, c);
        for (Node node : matching) {
            if (!c.outputParameters().isEmpty()) {
                t.emit(
                        new WorkflowEvent.NodeOutputs(
                                node.id(), merged(node, c.outputParameters())));
            }
            if (c.phase() != null && c.phase().fulfilled()) {
                Node now = t.node(node.id());
                Endings.end(t, now, c.phase(), c.message(), now.outputs(), List.of());
            } else if (c.message() != null) {
                t.emit(new WorkflowEvent.NodeMessage(node.id(), c.message()));
            }
        }
    }

    /**
     * @throws IllegalArgumentException naming the outputs that the template does not declare
     */
    private static void declared(Transition t, Node node, Set<String> names) {
        Outputs outputs = Calls.of(t, node).template().outputs();
        List<String> known =
                outputs == null
                        ? List.of()
                        : outputs.parameters().stream().map(Parameter::name).toList();
        List<String> unknown = names.stream().filter(n -> !known.contains(n)).sorted().toList();
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    "node "
                            + node.displayName()
                            + " has no output parameter "
                            + String.join(", ", unknown)
                            + "; its template declares "
                            + (known.isEmpty() ? "none" : String.join(", ", known)));
        }
    }

    /** What is supplied now replaces the place that was kept for it. */
    private static Outputs merged(Node node, Map<String, String> values) {
        Map<String, Parameter> all = new LinkedHashMap<>();
        if (node.outputs() != null) {
            node.outputs().parameters().forEach(p -> all.put(p.name(), p));
        }
        values.forEach(
                (name, value) ->
                        all.put(
                                name,
                                new Parameter(
                                        name, new Scalar(value), null, null, null, null, null)));
        return new Outputs(List.copyOf(all.values()), List.of(), null, null);
    }

    private static void delete(Transition t, WorkflowCommand.Delete c) {
        if (c.endedUid() != null
                && !(t.head().stage() == WorkflowStage.DONE
                        && c.endedUid().equals(t.head().uid()))) {
            refuse(
                    t,
                    c,
                    CommandAnswer.FAILED_PRECONDITION,
                    "workflow " + c.name() + " is another one by now, or has not ended");
            return;
        }
        accept(t, c);
        delete(t);
    }

    /** Begins to delete the workflow. */
    static void delete(Transition t) {
        t.emit(new WorkflowEvent.TimerCancelled(RootRun.DEADLINE_TIMER));
        t.emit(
                new WorkflowEvent.StageChanged(
                        WorkflowStage.DELETING, status(t), t.head().message()));
        t.emit(new WorkflowEvent.WorkBlocked(List.of()));
        t.enqueue(new Work.Purge());
    }

    private static WorkflowPhase status(Transition t) {
        var status = t.head().status();
        return status == null ? WorkflowPhase.RUNNING : status;
    }

    /** Removes a portion of the nodes, their steps with them. */
    static void purge(Transition t) {
        List<String> ids = t.state().nodes("", PORTION + 1);
        List<String> portion = ids.subList(0, Math.min(PORTION, ids.size()));
        for (String id : portion) {
            Node node = t.node(id);
            LockRun.release(t, node);
            if (node.stepId() != null) {
                if (!node.ended()) {
                    t.emit(
                            new WorkflowEvent.StepStopRequested(
                                    node.stepId(), id, "workflow deleted"));
                }
                ArtifactGc.onDeletion(t, node);
                t.emit(new WorkflowEvent.StepForgotten(node.stepId()));
            }
        }
        t.emit(new WorkflowEvent.NodesRemoved(List.copyOf(portion)));
        if (ids.size() > portion.size()) {
            t.enqueue(new Work.Purge());
            t.exhaust();
        } else {
            LockRun.releaseOfWorkflow(t);
            RootRun.releaseClaims(t);
            t.emit(new WorkflowEvent.Deleted(t.now()));
        }
    }
}
