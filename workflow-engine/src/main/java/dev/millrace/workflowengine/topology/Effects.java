package dev.millrace.workflowengine.topology;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.stream.Turn;
import dev.millrace.schemas.record.CacheRequest;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.LockRequest;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Duration;
import java.util.List;

/** What events want done outside of the workflow: steps, locks, caches, timers and metrics. */
final class Effects {
    private static final JsonSerde<StepCommand> STEPS = JsonSerde.of(StepCommand.class);
    private static final JsonSerde<LockRequest> LOCKS = JsonSerde.of(LockRequest.class);
    private static final JsonSerde<CacheRequest> CACHES = JsonSerde.of(CacheRequest.class);

    private final Turn turn;
    private final String entity;
    private final Duration markerKept;
    private final MetricTotals metrics;

    Effects(Turn turn, String entity, Duration markerKept, MetricTotals metrics) {
        this.turn = turn;
        this.entity = entity;
        this.markerKept = markerKept;
        this.metrics = metrics;
    }

    /**
     * @param head the workflow that the events are about, as it is after them
     * @param before the workflow as it was before these events: a node that they remove is still
     *     there
     */
    void carryOut(List<WorkflowEvent> events, WorkflowHead head, WorkflowState before) {
        for (WorkflowEvent event : events) {
            carryOut(event, head, before);
        }
    }

    private void carryOut(WorkflowEvent event, WorkflowHead head, WorkflowState before) {
        WorkflowRef ref = head.ref();
        switch (event) {
            case WorkflowEvent.StepRequested(var spec) -> step(new StepCommand.Start(spec));
            case WorkflowEvent.StepStopRequested(var stepId, var nodeId, var reason) ->
                    step(
                            new StepCommand.Stop(
                                    stepId,
                                    ref,
                                    nodeId,
                                    reason,
                                    GracePeriod.seconds(before, nodeId)));
            case WorkflowEvent.StepForgotten(var stepId) ->
                    step(new StepCommand.Forget(stepId, ref));
            case WorkflowEvent.ClaimsReleased(var claims) ->
                    step(new StepCommand.ReleaseClaims(ref, claims));
            case WorkflowEvent.ArtifactsDiscardRequested(var stepId, var nodeId, var artifacts) ->
                    step(new StepCommand.DiscardArtifacts(stepId, ref, nodeId, artifacts));
            case WorkflowEvent.LocksRequested(var nodeId, var locks, var priority) ->
                    lock(
                            new LockRequest.Acquire(
                                    head.holder(nodeId), locks, priority, head.createdAt()));
            case WorkflowEvent.LocksReleased(var holder) -> release(holder);
            case WorkflowEvent.TimerSet(var id, var due) -> turn.timers().set(entity, id, due);
            case WorkflowEvent.TimerCancelled(var id) -> turn.timers().cancel(entity, id);
            case WorkflowEvent.CacheAsked(var nodeId, var cache, var key) ->
                    cache(new CacheRequest.Load(ref, nodeId, head.run(), cache, key));
            case WorkflowEvent.CacheSaved(var nodeId, var cache, var key, var outputs, var at) ->
                    cache(new CacheRequest.Save(ref, nodeId, cache, key, outputs, at));
            case WorkflowEvent.Submitted _ -> turn.timers().cancel(entity, OwnTimers.FORGET);
            case WorkflowEvent.Deleted _ -> {
                turn.timers().cancelAll(entity);
                turn.timers().set(entity, OwnTimers.ERASE, turn.now());
                turn.timers().set(entity, OwnTimers.FORGET, turn.now().plus(markerKept));
            }
            case WorkflowEvent.MetricEmitted(var sample) -> metrics.change(sample, turn);
            case WorkflowEvent.SourcePart _,
                    WorkflowEvent.CommandAnswered _,
                    WorkflowEvent.Started _,
                    WorkflowEvent.StageChanged _,
                    WorkflowEvent.NodeAdded _,
                    WorkflowEvent.ChildrenAdded _,
                    WorkflowEvent.NodeRunning _,
                    WorkflowEvent.NodeDaemoned _,
                    WorkflowEvent.NodeProgressed _,
                    WorkflowEvent.NodeMessage _,
                    WorkflowEvent.NodeOutputs _,
                    WorkflowEvent.NodeFinished _,
                    WorkflowEvent.FrameChanged _,
                    WorkflowEvent.OutputExported _,
                    WorkflowEvent.ArtifactExported _,
                    WorkflowEvent.ArtifactsDiscarded _,
                    WorkflowEvent.SuspensionChanged _,
                    WorkflowEvent.ShutdownRequested _,
                    WorkflowEvent.WorkDeferred _,
                    WorkflowEvent.WorkBlocked _,
                    WorkflowEvent.LockAwaited _,
                    WorkflowEvent.LocksGranted _,
                    WorkflowEvent.NodeBegun _,
                    WorkflowEvent.Finished _,
                    WorkflowEvent.Retried _,
                    WorkflowEvent.NodeReopened _,
                    WorkflowEvent.ChildrenRemoved _,
                    WorkflowEvent.MetricFailed _,
                    WorkflowEvent.NodesRemoved _ -> {}
        }
    }

    private void cache(CacheRequest request) {
        turn.emit(
                EngineTopology.CACHE_REQUESTS,
                request.workflow().namespace() + "/" + request.cacheName(),
                RecordSize.checked("a request to a cache", CACHES.encode(request)));
    }

    /** Gives locks back that nobody here wants, also if there is no such workflow. */
    void release(LockHolder holder) {
        lock(new LockRequest.Release(holder));
    }

    private void lock(LockRequest request) {
        turn.emit(
                EngineTopology.LOCK_REQUESTS,
                LockRequest.KEY,
                RecordSize.checked("a request for locks", LOCKS.encode(request)));
    }

    private void step(StepCommand command) {
        turn.emit(
                EngineTopology.STEPS,
                command.stepId(),
                RecordSize.checked("a step", STEPS.encode(command)));
    }
}
