package dev.millrace.workflowengine.state;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.Daemon;
import dev.millrace.schemas.record.LockClaim;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.SourceParts;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowEvent.ArtifactExported;
import dev.millrace.schemas.record.WorkflowEvent.ArtifactsDiscardRequested;
import dev.millrace.schemas.record.WorkflowEvent.ArtifactsDiscarded;
import dev.millrace.schemas.record.WorkflowEvent.CacheAsked;
import dev.millrace.schemas.record.WorkflowEvent.CacheSaved;
import dev.millrace.schemas.record.WorkflowEvent.ChildrenAdded;
import dev.millrace.schemas.record.WorkflowEvent.ChildrenRemoved;
import dev.millrace.schemas.record.WorkflowEvent.ClaimsReleased;
import dev.millrace.schemas.record.WorkflowEvent.CommandAnswered;
import dev.millrace.schemas.record.WorkflowEvent.Deleted;
import dev.millrace.schemas.record.WorkflowEvent.Finished;
import dev.millrace.schemas.record.WorkflowEvent.FrameChanged;
import dev.millrace.schemas.record.WorkflowEvent.LockAwaited;
import dev.millrace.schemas.record.WorkflowEvent.LocksGranted;
import dev.millrace.schemas.record.WorkflowEvent.LocksReleased;
import dev.millrace.schemas.record.WorkflowEvent.LocksRequested;
import dev.millrace.schemas.record.WorkflowEvent.MetricEmitted;
import dev.millrace.schemas.record.WorkflowEvent.MetricFailed;
import dev.millrace.schemas.record.WorkflowEvent.NodeAdded;
import dev.millrace.schemas.record.WorkflowEvent.NodeBegun;
import dev.millrace.schemas.record.WorkflowEvent.NodeDaemoned;
import dev.millrace.schemas.record.WorkflowEvent.NodeFinished;
import dev.millrace.schemas.record.WorkflowEvent.NodeMessage;
import dev.millrace.schemas.record.WorkflowEvent.NodeOutputs;
import dev.millrace.schemas.record.WorkflowEvent.NodeProgressed;
import dev.millrace.schemas.record.WorkflowEvent.NodeReopened;
import dev.millrace.schemas.record.WorkflowEvent.NodeRunning;
import dev.millrace.schemas.record.WorkflowEvent.NodesRemoved;
import dev.millrace.schemas.record.WorkflowEvent.OutputExported;
import dev.millrace.schemas.record.WorkflowEvent.Retried;
import dev.millrace.schemas.record.WorkflowEvent.ShutdownRequested;
import dev.millrace.schemas.record.WorkflowEvent.SourcePart;
import dev.millrace.schemas.record.WorkflowEvent.StageChanged;
import dev.millrace.schemas.record.WorkflowEvent.Started;
import dev.millrace.schemas.record.WorkflowEvent.StepForgotten;
import dev.millrace.schemas.record.WorkflowEvent.StepRequested;
import dev.millrace.schemas.record.WorkflowEvent.StepStopRequested;
import dev.millrace.schemas.record.WorkflowEvent.Submitted;
import dev.millrace.schemas.record.WorkflowEvent.SuspensionChanged;
import dev.millrace.schemas.record.WorkflowEvent.TimerCancelled;
import dev.millrace.schemas.record.WorkflowEvent.TimerSet;
import dev.millrace.schemas.record.WorkflowEvent.WorkBlocked;
import dev.millrace.schemas.record.WorkflowEvent.WorkDeferred;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Metadata;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * {@code evolve} of the workflow core: what an event does to the state, and nothing else does
 * anything to it.
 */
public final class Evolution {
    /** So many answers are kept for callers that repeat a command. */
    private static final int ANSWERS = 64;

    private static final int MESSAGES = 1_000;

    private Evolution() {}

    /**
     * Applies one event.
     *
     * @param state where the entries are kept
     * @param namespace namespace of the workflow
     * @param name name of the workflow
     */
    public static void apply(
            MutableWorkflowState state, String namespace, String name, WorkflowEvent event) {
        switch (event) {
            case Submitted e -> submitted(state, namespace, name, e);
            case SourcePart part -> sourcePart(state, part);
            case CommandAnswered(var answer) -> {
                WorkflowHead head = state.head();
                if (head != null) {
                    state.putHead(
                            new HeadEdit(head).answers(remember(head.answers(), answer)).build());
                }
            }
            case Started e -> started(state, e);
            case StageChanged(var stage, var status, var message) ->
                    state.putHead(edit(state).stage(stage).status(status).message(message).build());
            case NodeAdded(var node) -> state.putNode(node);
            case ChildrenAdded(var parent, var children) -> state.addChildren(parent, children);
            case NodeRunning(var id, var host) ->
                    state.putNode(
                            require(state, id).withPhase(NodePhase.RUNNING, null).withHost(host));
            case NodeDaemoned(var id, var address) ->
                    state.putNode(require(state, id).withDaemon(new Daemon(address, true)));
            case NodeProgressed(var id, var progress) ->
                    state.putNode(require(state, id).withProgress(progress));
            case NodeMessage(var id, var message) -> {
                Node node = require(state, id);
                state.putNode(node.withPhase(node.phase(), message));
            }
            case NodeOutputs(var id, var outputs) ->
                    state.putNode(require(state, id).withOutputs(outputs));
            case NodeFinished e -> finished(state, e);
            case FrameChanged(var id, var frame) ->
                    state.putNode(require(state, id).withFrame(frame));
            case StepRequested _ -> {
                WorkflowHead head = requireHead(state);
                state.putHead(new HeadEdit(head).activeSteps(head.activeSteps() + 1).build());
            }
            case OutputExported(var parameter) -> {
                WorkflowHead head = requireHead(state);
                List<Parameter> outputs = new ArrayList<>(head.outputs());
                outputs.removeIf(p -> p.name().equals(parameter.name()));
                outputs.add(parameter);
                state.putHead(new HeadEdit(head).outputs(outputs).build());
            }
            case ArtifactExported(var artifact) -> {
                WorkflowHead head = requireHead(state);
                List<Artifact> artifacts = new ArrayList<>(head.artifacts());
                artifacts.removeIf(a -> a.name().equals(artifact.name()));
                artifacts.add(artifact);
                state.putHead(new HeadEdit(head).artifacts(artifacts).build());
            }
            case ArtifactsDiscarded e -> discarded(state, e);
            case SuspensionChanged(var suspended) ->
                    state.putHead(edit(state).suspended(suspended).build());
            case ShutdownRequested(var strategy) ->
                    state.putHead(edit(state).shutdown(strategy).build());
            case WorkDeferred(var work) -> state.putHead(edit(state).work(work).build());
            case WorkBlocked(var work, var backlog) -> {
                if (backlog == null) {
                    forgetLists(state);
                }
                state.putHead(edit(state).blocked(work, backlog).build());
            }
            case LocksRequested(var id, var locks, _) -> claim(state, id, LockClaim.asked(locks));
            case LockAwaited e -> awaited(state, e);
            case LocksGranted(var id) -> granted(state, id);
            case LocksReleased(var holder) -> released(state, holder);
            case NodeBegun(var id, var phase, var stepId) -> {
                Node node = require(state, id);
                state.putNode(
                        node.begun(
                                phase,
                                stepId,
                                requireClaim(node.lock()).withStage(LockClaim.Stage.HELD)));
            }
            case Finished(var phase, var message, var at) ->
                    state.putHead(
                            edit(state)
                                    .stage(WorkflowStage.DONE)
                                    .status(phase)
                                    .phase(phase)
                                    .message(message)
                                    .finishedAt(at)
                                    .build());
            case MetricFailed(var message) -> {
                WorkflowHead head = requireHead(state);
                state.putHead(
                        new HeadEdit(head)
                                .metricsError(joined(head.metricsError(), message))
                                .build());
            }
            case NodesRemoved(var ids) -> ids.forEach(id -> removed(state, id));
            case Retried e -> retried(state, e);
            case NodeReopened(var id, var frame, var at) -> {
                forgetLists(state, require(state, id));
                state.putNode(require(state, id).reopened(frame, at));
            }
            case ChildrenRemoved(var parent, var children) ->
                    state.removeChildren(parent, children);
            case Deleted _ -> {
                forgetLists(state);
                state.putHead(
                        edit(state)
                                .stage(WorkflowStage.DELETED)
                                .work(List.of())
                                .blocked(List.of(), null)
                                .build());
                state.putSource(null);
            }
            // Effects: they tell a shell what to do and leave the state as it is.
            case StepStopRequested _,
                    StepForgotten _,
                    ClaimsReleased _,
                    ArtifactsDiscardRequested _,
                    TimerSet _,
                    TimerCancelled _,
                    CacheAsked _,
                    CacheSaved _,
                    MetricEmitted _ -> {}
        }
    }

    private static void submitted(
            MutableWorkflowState state, String namespace, String name, Submitted e) {
        WorkflowHead earlier = state.head();
        Metadata metadata = metadata(e.manifest());
        state.putHead(
                new WorkflowHead(
                        namespace,
                        name,
                        e.uid(),
                        e.createdAt(),
                        WorkflowStage.MAIN,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        false,
                        e.fromTemplate(),
                        0,
                        0,
                        metadata.labels(),
                        metadata.annotations(),
                        List.of(),
                        List.of(),
                        List.of(),
                        earlier == null ? List.of() : earlier.answers(),
                        e.origin(),
                        List.of(),
                        null,
                        null,
                        null,
                        null));
        state.putSource(e.source());
    }

    private static Metadata metadata(JsonNode manifest) {
        JsonNode tree = manifest.path("metadata");
        return tree.isObject()
                ? Json.convert(tree, Metadata.class)
                : new Metadata(null, null, null, Map.of(), Map.of());
    }

    private static void started(MutableWorkflowState state, Started e) {
        state.putHead(
                edit(state)
                        .status(WorkflowPhase.RUNNING)
                        .phase(WorkflowPhase.RUNNING)
                        .startedAt(e.at())
                        .labels(e.labels())
                        .annotations(e.annotations())
                        .build());
        if (e.parts() == null) {
            WorkflowSource source = Objects.requireNonNull(state.source());
            state.putSource(source.running(e.spec(), source.original()));
        }
    }

    /** Parts of a source wait in a list of their own until the last one has come. */
    private static void sourcePart(MutableWorkflowState state, SourcePart part) {
        if (part.index() == 0) {
            state.removeChildren(NodeLists.SOURCE, List.of());
        }
        state.addChildren(NodeLists.SOURCE, List.of(part.data()));
        if (part.index() == part.of() - 1) {
            state.putSource(SourceParts.join(state.children(NodeLists.SOURCE)));
            state.removeChildren(NodeLists.SOURCE, List.of());
        }
    }

    private static void retried(MutableWorkflowState state, Retried e) {
        WorkflowHead head = requireHead(state);
        forgetLists(state);
        // One that ended before it began, begins as one that was submitted just now.
        boolean begun = head.startedAt() != null;
        state.putHead(
                new HeadEdit(head)
                        .stage(WorkflowStage.MAIN)
                        .status(begun ? WorkflowPhase.RUNNING : null)
                        .phase(begun ? WorkflowPhase.RUNNING : null)
                        .message(null)
                        .startedAt(begun ? e.at() : null)
                        .finishedAt(null)
                        .shutdown(null)
                        .suspended(false)
                        .run(head.run() + 1)
                        .activeSteps(0)
                        .work(List.of())
                        .blocked(List.of(), null)
                        .lock(null)
                        .metricsError(null)
                        .build());
        if (e.source() != null) {
            state.putSource(e.source());
        }
    }

    private static void removed(MutableWorkflowState state, String id) {
        Node node = state.node(id);
        if (node != null) {
            forgetLists(state, node);
        }
        state.removeNode(id);
    }

    /**
     * What lies in lists of the workflow's own is of no use to its next run, nor to its next life.
     */
    private static void forgetLists(MutableWorkflowState state) {
        if (requireHead(state).backlog() != null) {
            state.removeChildren(NodeLists.blocked(null), List.of());
        }
        for (String list : List.of(NodeLists.MARKED, NodeLists.PRUNED)) {
            if (state.childCount(list) > 0) {
                state.removeChildren(list, List.of());
            }
        }
    }

    /** What lies in lists of the node's own goes with it. */
    private static void forgetLists(MutableWorkflowState state, Node node) {
        if (node.frame().backlog() != null) {
            state.removeChildren(NodeLists.blocked(node.id()), List.of());
        }
        if (node.type() == NodeType.STEPS || node.type() == NodeType.DAG) {
            state.removeChildren(NodeLists.outbound(node.id()), List.of());
        }
    }

    private static void finished(MutableWorkflowState state, NodeFinished e) {
        Node node = require(state, e.nodeId());
        if (node.stepId() != null && !node.ended()) {
            WorkflowHead head = requireHead(state);
            state.putHead(new HeadEdit(head).activeSteps(head.activeSteps() - 1).build());
        }
        // Of a step the event says what it used; of what has others below it the sum is known.
        Map<String, Long> used =
                e.resourcesDuration().isEmpty() ? node.resourcesDuration() : e.resourcesDuration();
        state.putNode(
                node.finished(e.phase(), e.message(), e.outputs(), e.outboundNodes(), e.at())
                        .withResourcesDuration(used));
        if (!used.isEmpty()) {
            addUp(state, node, used);
        }
    }

    /** A hook is not part of the node that it belongs to. */
    private static void addUp(MutableWorkflowState state, Node from, Map<String, Long> used) {
        String around = from.hooked() ? from.boundaryId() : from.ownerId();
        Node node = around == null ? null : state.node(around);
        if (node != null) {
            Map<String, Long> sum = new TreeMap<>(node.resourcesDuration());
            used.forEach((resource, seconds) -> sum.merge(resource, seconds, Long::sum));
            state.putNode(node.withResourcesDuration(sum));
        }
    }

    private static void discarded(MutableWorkflowState state, ArtifactsDiscarded e) {
        Node node = require(state, e.nodeId());
        Outputs outputs = node.outputs();
        if (outputs != null) {
            List<Artifact> marked =
                    outputs.artifacts().stream()
                            .map(a -> e.artifacts().contains(a.name()) ? a.asDeleted() : a)
                            .toList();
            state.putNode(
                    node.withOutputs(
                            new Outputs(
                                    outputs.parameters(),
                                    marked,
                                    outputs.result(),
                                    outputs.exitCode())));
        }
        if (e.error() != null) {
            state.putHead(edit(state).artifactGcError(e.error()).build());
        }
    }

    private static void claim(
            MutableWorkflowState state, @Nullable String nodeId, LockClaim claim) {
        if (nodeId == null) {
            state.putHead(edit(state).lock(claim).build());
        } else {
            state.putNode(require(state, nodeId).withLock(claim));
        }
    }

    private static void awaited(MutableWorkflowState state, LockAwaited e) {
        if (e.nodeId() == null) {
            WorkflowHead head = requireHead(state);
            state.putHead(
                    new HeadEdit(head)
                            .phase(head.phase() == null ? WorkflowPhase.PENDING : head.phase())
                            .message(e.message())
                            .lock(requireClaim(head.lock()).withWaiting(e.lock()))
                            .build());
        } else {
            Node node = require(state, e.nodeId());
            state.putNode(
                    node.withPhase(node.phase(), e.message())
                            .withLock(requireClaim(node.lock()).withWaiting(e.lock())));
        }
    }

    private static void granted(MutableWorkflowState state, @Nullable String nodeId) {
        if (nodeId == null) {
            WorkflowHead head = requireHead(state);
            state.putHead(
                    new HeadEdit(head)
                            .message(null)
                            .lock(requireClaim(head.lock()).withStage(LockClaim.Stage.HELD))
                            .build());
        } else {
            Node node = require(state, nodeId);
            state.putNode(
                    node.withPhase(node.phase(), null)
                            .withLock(
                                    requireClaim(node.lock()).withStage(LockClaim.Stage.GRANTED)));
        }
    }

    /** A holder that is unknown, or of another life of the workflow, changes nothing here. */
    private static void released(MutableWorkflowState state, LockHolder holder) {
        WorkflowHead head = state.head();
        if (head == null || !holder.equals(head.holder(holder.nodeId()))) {
            return;
        }
        Node node = holder.nodeId() == null ? null : state.node(holder.nodeId());
        LockClaim claim = holder.nodeId() == null ? head.lock() : node == null ? null : node.lock();
        if (claim != null) {
            claim(state, holder.nodeId(), claim.withStage(LockClaim.Stage.RELEASED));
        }
    }

    private static LockClaim requireClaim(@Nullable LockClaim claim) {
        return Objects.requireNonNull(claim, "no locks were asked for");
    }

    private static List<CommandAnswer> remember(List<CommandAnswer> answers, CommandAnswer answer) {
        List<CommandAnswer> all = new ArrayList<>(answers);
        all.removeIf(a -> a.commandId().equals(answer.commandId()));
        all.add(answer);
        return all.size() > ANSWERS ? all.subList(all.size() - ANSWERS, all.size()) : all;
    }

    /** All that is wrong, up to a length: each of many nodes may say something else. */
    private static String joined(@Nullable String known, String message) {
        return known == null ? message : known.length() < MESSAGES ? known + ", " + message : known;
    }

    private static HeadEdit edit(WorkflowState state) {
        return new HeadEdit(requireHead(state));
    }

    private static WorkflowHead requireHead(WorkflowState state) {
        return Objects.requireNonNull(state.head(), "the workflow was never submitted");
    }

    private static Node require(WorkflowState state, String id) {
        return Objects.requireNonNull(state.node(id), () -> "no node " + id);
    }
}
