package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What happened to a workflow. State changes only by these; what is to be done outside is read off
 * them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = WorkflowEvent.Submitted.class, name = "Submitted"),
    @JsonSubTypes.Type(value = WorkflowEvent.SourcePart.class, name = "SourcePart"),
    @JsonSubTypes.Type(value = WorkflowEvent.CommandAnswered.class, name = "CommandAnswered"),
    @JsonSubTypes.Type(value = WorkflowEvent.Started.class, name = "Started"),
    @JsonSubTypes.Type(value = WorkflowEvent.StageChanged.class, name = "StageChanged"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeAdded.class, name = "NodeAdded"),
    @JsonSubTypes.Type(value = WorkflowEvent.ChildrenAdded.class, name = "ChildrenAdded"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeRunning.class, name = "NodeRunning"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeDaemoned.class, name = "NodeDaemoned"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeProgressed.class, name = "NodeProgressed"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeMessage.class, name = "NodeMessage"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeOutputs.class, name = "NodeOutputs"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeFinished.class, name = "NodeFinished"),
    @JsonSubTypes.Type(value = WorkflowEvent.FrameChanged.class, name = "FrameChanged"),
    @JsonSubTypes.Type(value = WorkflowEvent.StepRequested.class, name = "StepRequested"),
    @JsonSubTypes.Type(value = WorkflowEvent.StepStopRequested.class, name = "StepStopRequested"),
    @JsonSubTypes.Type(value = WorkflowEvent.StepForgotten.class, name = "StepForgotten"),
    @JsonSubTypes.Type(value = WorkflowEvent.ClaimsReleased.class, name = "ClaimsReleased"),
    @JsonSubTypes.Type(value = WorkflowEvent.TimerSet.class, name = "TimerSet"),
    @JsonSubTypes.Type(value = WorkflowEvent.TimerCancelled.class, name = "TimerCancelled"),
    @JsonSubTypes.Type(value = WorkflowEvent.OutputExported.class, name = "OutputExported"),
    @JsonSubTypes.Type(value = WorkflowEvent.ArtifactExported.class, name = "ArtifactExported"),
    @JsonSubTypes.Type(value = WorkflowEvent.SuspensionChanged.class, name = "SuspensionChanged"),
    @JsonSubTypes.Type(value = WorkflowEvent.ShutdownRequested.class, name = "ShutdownRequested"),
    @JsonSubTypes.Type(value = WorkflowEvent.WorkDeferred.class, name = "WorkDeferred"),
    @JsonSubTypes.Type(value = WorkflowEvent.WorkBlocked.class, name = "WorkBlocked"),
    @JsonSubTypes.Type(value = WorkflowEvent.LocksRequested.class, name = "LocksRequested"),
    @JsonSubTypes.Type(value = WorkflowEvent.LockAwaited.class, name = "LockAwaited"),
    @JsonSubTypes.Type(value = WorkflowEvent.LocksGranted.class, name = "LocksGranted"),
    @JsonSubTypes.Type(value = WorkflowEvent.LocksReleased.class, name = "LocksReleased"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeBegun.class, name = "NodeBegun"),
    @JsonSubTypes.Type(value = WorkflowEvent.Finished.class, name = "Finished"),
    @JsonSubTypes.Type(value = WorkflowEvent.Retried.class, name = "Retried"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodeReopened.class, name = "NodeReopened"),
    @JsonSubTypes.Type(value = WorkflowEvent.ChildrenRemoved.class, name = "ChildrenRemoved"),
    @JsonSubTypes.Type(value = WorkflowEvent.CacheAsked.class, name = "CacheAsked"),
    @JsonSubTypes.Type(value = WorkflowEvent.CacheSaved.class, name = "CacheSaved"),
    @JsonSubTypes.Type(
            value = WorkflowEvent.ArtifactsDiscardRequested.class,
            name = "ArtifactsDiscardRequested"),
    @JsonSubTypes.Type(value = WorkflowEvent.ArtifactsDiscarded.class, name = "ArtifactsDiscarded"),
    @JsonSubTypes.Type(value = WorkflowEvent.MetricEmitted.class, name = "MetricEmitted"),
    @JsonSubTypes.Type(value = WorkflowEvent.MetricFailed.class, name = "MetricFailed"),
    @JsonSubTypes.Type(value = WorkflowEvent.NodesRemoved.class, name = "NodesRemoved"),
    @JsonSubTypes.Type(value = WorkflowEvent.Deleted.class, name = "Deleted")
})
public sealed interface WorkflowEvent {

    /**
     * The workflow was accepted.
     *
     * @param parts set where the source is too large for a record: so many {@link SourcePart} hold
     *     it then, and come after this
     */
    record Submitted(
            String commandId,
            String uid,
            Instant createdAt,
            JsonNode manifest,
            JsonNode spec,
            Map<String, JsonNode> storedTemplates,
            boolean fromTemplate,
            @Nullable Origin origin,
            @Nullable JsonNode artifactRepository,
            Map<String, Map<String, String>> configMaps,
            Map<String, Carried> carried,
            @Nullable Estimate estimate,
            @Nullable Integer parts,
            List<String> warnings)
            implements WorkflowEvent {
        public Submitted {
            storedTemplates = storedTemplates == null ? Map.of() : storedTemplates;
            configMaps = configMaps == null ? Map.of() : configMaps;
            carried = carried == null ? Map.of() : carried;
            warnings = warnings == null ? List.of() : List.copyOf(warnings);
        }

        /** Of what runs and no more. */
        public Submitted(
                String commandId,
                String uid,
                Instant createdAt,
                JsonNode manifest,
                JsonNode spec,
                Map<String, JsonNode> storedTemplates,
                boolean fromTemplate,
                @Nullable Origin origin,
                @Nullable JsonNode artifactRepository) {
            this(
                    commandId,
                    uid,
                    createdAt,
                    new WorkflowSource(manifest, spec, storedTemplates, artifactRepository),
                    fromTemplate,
                    origin,
                    null);
        }

        /** Of a source. */
        public Submitted(
                String commandId,
                String uid,
                Instant createdAt,
                WorkflowSource source,
                boolean fromTemplate,
                @Nullable Origin origin,
                @Nullable Integer parts) {
            this(
                    commandId,
                    uid,
                    createdAt,
                    source.manifest(),
                    source.spec(),
                    source.storedTemplates(),
                    fromTemplate,
                    origin,
                    source.artifactRepository(),
                    source.configMaps(),
                    source.carried(),
                    source.estimate(),
                    parts,
                    source.warnings());
        }

        /** What the workflow starts from. */
        public WorkflowSource source() {
            return new WorkflowSource(
                    manifest,
                    spec,
                    storedTemplates,
                    artifactRepository,
                    null,
                    configMaps,
                    carried,
                    estimate,
                    warnings);
        }
    }

    /** A command was accepted or refused. */
    record CommandAnswered(CommandAnswer answer) implements WorkflowEvent {}

    /**
     * A part of what the workflow runs from; with the last of them it is whole.
     *
     * @param index its place among the parts, from 0
     * @param of how many parts there are
     * @param data the part, see {@link SourceParts}
     */
    record SourcePart(int index, int of, String data) implements WorkflowEvent {}

    /**
     * The workflow runs. Labels were computed from its metadata.
     *
     * @param parts as in {@link Submitted}; the spec is empty then
     */
    record Started(
            Instant at,
            Map<String, String> labels,
            Map<String, String> annotations,
            JsonNode spec,
            @Nullable Integer parts)
            implements WorkflowEvent {

        /** In one record. */
        public Started(
                Instant at,
                Map<String, String> labels,
                Map<String, String> annotations,
                JsonNode spec) {
            this(at, labels, annotations, spec, null);
        }
    }

    /**
     * The workflow is now in this stage; {@code status} is what {@code workflow.status} says from
     * now on.
     */
    record StageChanged(WorkflowStage stage, WorkflowPhase status, @Nullable String message)
            implements WorkflowEvent {}

    /** A node exists, or one that waited to be called is now this. */
    record NodeAdded(Node node) implements WorkflowEvent {}

    /** Nodes were hung below a node. */
    record ChildrenAdded(String parentId, List<String> children) implements WorkflowEvent {}

    /** The step of a node runs. */
    record NodeRunning(String nodeId, @Nullable String host) implements WorkflowEvent {}

    /** The node is a daemon, or the Retry node of one, that is ready under this address. */
    record NodeDaemoned(String nodeId, String address) implements WorkflowEvent {}

    /** The step of a node said how far it is. */
    record NodeProgressed(String nodeId, String progress) implements WorkflowEvent {}

    /** The message of an unfinished node changed. */
    record NodeMessage(String nodeId, @Nullable String message) implements WorkflowEvent {}

    /** Outputs of a node were supplied from outside. */
    record NodeOutputs(String nodeId, Outputs outputs) implements WorkflowEvent {}

    /**
     * A node came to its end.
     *
     * @param resourcesDuration what its step used, by resource; empty if it ran none
     */
    record NodeFinished(
            String nodeId,
            NodePhase phase,
            @Nullable String message,
            @Nullable Outputs outputs,
            List<String> outboundNodes,
            Instant at,
            Map<String, Long> resourcesDuration)
            implements WorkflowEvent {
        public NodeFinished {
            resourcesDuration = resourcesDuration == null ? Map.of() : resourcesDuration;
        }

        /** Of a node that ran no step. */
        public NodeFinished(
                String nodeId,
                NodePhase phase,
                @Nullable String message,
                @Nullable Outputs outputs,
                List<String> outboundNodes,
                Instant at) {
            this(nodeId, phase, message, outputs, outboundNodes, at, Map.of());
        }
    }

    /** Book-keeping of a node with others below it. */
    record FrameChanged(String nodeId, Frame frame) implements WorkflowEvent {}

    /** Effect: run this step. */
    record StepRequested(StepSpec spec) implements WorkflowEvent {}

    /** Effect: end this step. */
    record StepStopRequested(String stepId, String nodeId, String reason)
            implements WorkflowEvent {}

    /** Effect: remove what is kept of this step. */
    record StepForgotten(String stepId) implements WorkflowEvent {}

    /** Effect: remove what is kept under these claims of the workflow. */
    record ClaimsReleased(List<String> claims) implements WorkflowEvent {}

    /** Effect: wake the workflow at this time. */
    record TimerSet(String timerId, Instant due) implements WorkflowEvent {}

    /** Effect: no need to wake it any more. */
    record TimerCancelled(String timerId) implements WorkflowEvent {}

    /** A node exported a parameter under a global name. */
    record OutputExported(Parameter parameter) implements WorkflowEvent {}

    /** A node exported an artifact under a global name. */
    record ArtifactExported(Artifact artifact) implements WorkflowEvent {}

    /** Nothing new starts, or it goes on. */
    record SuspensionChanged(boolean suspended) implements WorkflowEvent {}

    /** The workflow is being ended early. */
    record ShutdownRequested(ShutdownStrategy strategy) implements WorkflowEvent {}

    /** What is left to do, the whole list; empty when done. */
    record WorkDeferred(List<Work> work) implements WorkflowEvent {}

    /**
     * What waits for the parallelism of the workflow.
     *
     * @param work the first of it
     * @param backlog what waits behind them; absent if nothing does
     */
    record WorkBlocked(List<Work> work, @Nullable Backlog backlog) implements WorkflowEvent {
        public WorkBlocked {
            work = work == null ? List.of() : work;
        }

        public WorkBlocked(List<Work> work) {
            this(work, null);
        }
    }

    /** Effect: ask for these locks, for a node or (without one) for the workflow. */
    record LocksRequested(@Nullable String nodeId, List<String> locks, int priority)
            implements WorkflowEvent {}

    /** The node or the workflow waits for this lock. */
    record LockAwaited(@Nullable String nodeId, String lock, String message)
            implements WorkflowEvent {}

    /** The node or the workflow has its locks. */
    record LocksGranted(@Nullable String nodeId) implements WorkflowEvent {}

    /** Effect: give the locks of this holder back, or ask for them no more. */
    record LocksReleased(LockHolder holder) implements WorkflowEvent {}

    /** A node that waited for locks goes on, its step with it if it is a leaf. */
    record NodeBegun(String nodeId, NodePhase phase, @Nullable String stepId)
            implements WorkflowEvent {}

    /** The workflow came to its end. */
    record Finished(WorkflowPhase phase, @Nullable String message, Instant at)
            implements WorkflowEvent {}

    /**
     * An ended workflow is taken up again, in its next run.
     *
     * @param source what it runs from now on; absent if that stays the same, or is too large: then
     *     {@link SourcePart}s come after this
     */
    record Retried(Instant at, @Nullable WorkflowSource source) implements WorkflowEvent {}

    /** A node that had ended goes on, as new but for what is kept below it. */
    record NodeReopened(String nodeId, Frame frame, Instant at) implements WorkflowEvent {}

    /** Nodes no longer hang below a node; an empty list means none does. */
    record ChildrenRemoved(String parentId, List<String> children) implements WorkflowEvent {
        public ChildrenRemoved {
            children = children == null ? List.of() : children;
        }
    }

    /** Effect: ask a cache for the outputs of a node. */
    record CacheAsked(String nodeId, String cacheName, String cacheKey) implements WorkflowEvent {}

    /** Effect: keep the outputs of a node in a cache. */
    record CacheSaved(
            String nodeId, String cacheName, String cacheKey, @Nullable Outputs outputs, Instant at)
            implements WorkflowEvent {}

    /** Effect: delete these artifacts, which the step stored. */
    record ArtifactsDiscardRequested(String stepId, String nodeId, List<Artifact> artifacts)
            implements WorkflowEvent {
        public ArtifactsDiscardRequested {
            artifacts = artifacts == null ? List.of() : artifacts;
        }
    }

    /**
     * The artifacts of these names, which a node gave, are gone; {@code error} says why others are
     * not.
     */
    record ArtifactsDiscarded(String nodeId, List<String> artifacts, @Nullable String error)
            implements WorkflowEvent {
        public ArtifactsDiscarded {
            artifacts = artifacts == null ? List.of() : artifacts;
        }
    }

    /** Effect: change a metric. */
    record MetricEmitted(MetricSample sample) implements WorkflowEvent {}

    /** A metric of the workflow is wrong, which changes nothing else. */
    record MetricFailed(String message) implements WorkflowEvent {}

    /** A portion of a deletion, or of what a retry does again. */
    record NodesRemoved(List<String> nodeIds) implements WorkflowEvent {
        public NodesRemoved {
            nodeIds = nodeIds == null ? List.of() : nodeIds;
        }
    }

    /**
     * The workflow is gone; only a marker stays, so that a late repeat of its submission starts
     * nothing.
     */
    record Deleted(Instant at) implements WorkflowEvent {}
}
