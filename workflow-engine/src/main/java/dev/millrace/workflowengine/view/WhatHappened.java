package dev.millrace.workflowengine.view;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.Origin;
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
import dev.millrace.workflowengine.locks.WorkflowLimits;
import dev.millrace.workflowengine.state.WorkflowState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says in a line what an event is to a person; what is book-keeping only says nothing. */
public final class WhatHappened {

    private WhatHappened() {}

    /**
     * The line for an event.
     *
     * @param before the workflow before the event, for the names of its nodes
     */
    public static Optional<String> line(WorkflowState before, WorkflowEvent event) {
        return Optional.ofNullable(text(before, event));
    }

    private static @Nullable String text(WorkflowState state, WorkflowEvent event) {
        return switch (event) {
            case Submitted e -> submitted(e.origin());
            case CommandAnswered(var answer) ->
                    answer.accepted() ? null : "a command was refused" + because(answer.message());
            case SourcePart _ -> null;
            case Started _ -> "the workflow starts";
            case StageChanged(var stage, var status, var message) ->
                    switch (stage) {
                        case MAIN -> null;
                        case EXIT_HANDLER ->
                                "the exit handler begins; the steps ended as "
                                        + status.text()
                                        + because(message);
                        case COMPLETING -> "the workflow is ending" + because(message);
                        case DONE -> null;
                        case DELETING -> "the workflow is being deleted";
                        case DELETED -> null;
                    };
            case NodeAdded(var node) -> added(node);
            case NodeRunning(var id, var host) ->
                    name(state, id) + " runs" + (host == null ? "" : " on " + host);
            case NodeDaemoned(var id, var address) ->
                    name(state, id) + " is ready as a daemon at " + address;
            case NodeProgressed(var id, var progress) -> name(state, id) + " is at " + progress;
            case NodeMessage(var id, var message) ->
                    message == null
                            ? name(state, id) + " has no message any more"
                            : name(state, id) + " says" + because(message);
            case NodeOutputs(var id, _) -> name(state, id) + " was given outputs from outside";
            case NodeFinished e ->
                    "%s %s%s"
                            .formatted(
                                    name(state, e.nodeId()),
                                    ended(e.phase()),
                                    because(e.message()));
            case StepRequested(var spec) -> "the step of " + spec.nodeName() + " is started";
            case StepStopRequested(_, var id, var reason) ->
                    "the step of " + name(state, id) + " is stopped" + because(reason);
            case OutputExported(var parameter) ->
                    "output parameter " + parameter.name() + " is set";
            case ArtifactExported(var artifact) -> "output artifact " + artifact.name() + " is set";
            case SuspensionChanged(var suspended) ->
                    suspended ? "the workflow is suspended" : "the workflow is resumed";
            case ShutdownRequested(var strategy) ->
                    "the workflow is to be shut down (" + strategy.text() + ")";
            case LocksRequested(var id, var locks, _) ->
                    holder(state, id) + " asks for " + String.join(", ", locks);
            case LockAwaited e ->
                    holder(state, e.nodeId())
                            + (WorkflowLimits.isSlot(e.lock())
                                    ? " waits until fewer workflows run"
                                    : " waits for " + e.lock());
            case LocksGranted(var id) -> holder(state, id) + " has its locks";
            case LocksReleased(var holder) ->
                    holder(state, holder.nodeId()) + " gives its locks back";
            case NodeBegun(var id, var phase, _) -> name(state, id) + " goes on as " + phase.text();
            case Finished(var phase, var message, _) ->
                    "the workflow is " + phase.text() + because(message);
            case ArtifactsDiscardRequested(_, var id, var artifacts) ->
                    "%d artifacts of %s are to be deleted"
                            .formatted(artifacts.size(), name(state, id));
            case ArtifactsDiscarded(var id, var artifacts, var error) ->
                    "artifacts of %s were deleted: %s%s"
                            .formatted(
                                    name(state, id),
                                    artifacts.isEmpty() ? "none" : String.join(", ", artifacts),
                                    because(error));
            case Retried _ -> "the workflow is retried";
            case NodeReopened(var id, _, _) -> name(state, id) + " goes on, as new";
            case CacheAsked(var id, var cache, var key) ->
                    "%s asks the cache %s for %s".formatted(name(state, id), cache, key);
            case CacheSaved e ->
                    "%s is kept in the cache %s as %s"
                            .formatted(name(state, e.nodeId()), e.cacheName(), e.cacheKey());
            case MetricFailed(var message) -> "a metric is wrong" + because(message);
            case NodesRemoved(var ids) -> ids.size() + " nodes are removed";
            case Deleted _ -> "the workflow is deleted";
            case ChildrenAdded _,
                    ChildrenRemoved _,
                    FrameChanged _,
                    StepForgotten _,
                    ClaimsReleased _,
                    MetricEmitted _,
                    TimerSet _,
                    TimerCancelled _,
                    WorkDeferred _,
                    WorkBlocked _ ->
                    null;
        };
    }

    private static String submitted(@Nullable Origin origin) {
        if (origin == null || origin.sensor() == null) {
            return "the workflow is submitted";
        }
        return origin.kind() == null
                ? "the workflow is submitted by trigger %s of sensor %s"
                        .formatted(origin.trigger(), origin.sensor())
                : "the workflow is submitted by %s %s".formatted(origin.kind(), origin.sensor());
    }

    private static String added(Node node) {
        String what = node.name() + " (" + node.type().text() + ")";
        return node.phase().fulfilled()
                ? what + " " + ended(node.phase()) + because(node.message())
                : what + " is " + node.phase().text() + because(node.message());
    }

    private static String ended(NodePhase phase) {
        return switch (phase) {
            case PENDING, RUNNING -> "is " + phase.text();
            case SUCCEEDED -> "succeeded";
            case SKIPPED -> "was skipped";
            case FAILED -> "failed";
            case ERROR -> "ended in an error";
            case OMITTED -> "was omitted";
        };
    }

    private static String because(@Nullable String message) {
        return message == null || message.isBlank()
                ? ""
                : ": " + message.strip().replaceAll("\\s+", " ");
    }

    private static String holder(WorkflowState state, @Nullable String nodeId) {
        return nodeId == null ? "the workflow" : name(state, nodeId);
    }

    private static String name(WorkflowState state, String nodeId) {
        Node node = state.node(nodeId);
        return node == null ? nodeId : node.name();
    }
}
