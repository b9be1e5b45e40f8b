package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.TemplateRef;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One node of a workflow's tree. Its children are kept beside it, in the order in which they came.
 *
 * @param id {@code wf} or {@code wf-<FNV-1a-32 of name>}
 * @param templateScope scope of the caller: {@code local/…}, {@code namespaced/…} or {@code
 *     cluster/…}
 * @param boundaryId the enclosing Steps or DAG node
 * @param ownerId the node that waits for this one (group, DAG, Retry, or the hooked node); absent
 *     for roots
 * @param call declared name of the step, task or hook that made this node
 * @param stepId the step that runs for it, leaves only
 * @param inline body of an inline template
 * @param depth number of templates around it
 * @param exitHandler whether it runs although the workflow is being stopped
 * @param daemon absent unless it is a daemon, or the Retry node of one, that was ready
 * @param lock the locks that it takes; absent if it has none
 * @param memoization what the cache of its template said; absent if there is none
 */
public record Node(
        String id,
        String name,
        String displayName,
        NodeType type,
        @Nullable String templateName,
        @Nullable TemplateRef templateRef,
        String templateScope,
        NodePhase phase,
        @Nullable String boundaryId,
        @Nullable String message,
        Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable NodeFlag nodeFlag,
        @Nullable Inputs inputs,
        @Nullable Outputs outputs,
        List<String> outboundNodes,
        @Nullable String progress,
        @Nullable String hostNodeName,
        @Nullable String ownerId,
        @Nullable String call,
        @Nullable String stepId,
        @Nullable JsonNode inline,
        int depth,
        boolean exitHandler,
        Frame frame,
        @Nullable Daemon daemon,
        @Nullable LockClaim lock,
        @Nullable Memoization memoization) {

    public Node {
        outboundNodes = outboundNodes == null ? List.of() : outboundNodes;
        frame = frame == null ? Frame.EMPTY : frame;
    }

    /** A node of a template that takes no locks and is not memoized. */
    public Node(
            String id,
            String name,
            String displayName,
            NodeType type,
            @Nullable String templateName,
            @Nullable TemplateRef templateRef,
            String templateScope,
            NodePhase phase,
            @Nullable String boundaryId,
            @Nullable String message,
            Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable NodeFlag nodeFlag,
            @Nullable Inputs inputs,
            @Nullable Outputs outputs,
            List<String> outboundNodes,
            @Nullable String progress,
            @Nullable String hostNodeName,
            @Nullable String ownerId,
            @Nullable String call,
            @Nullable String stepId,
            @Nullable JsonNode inline,
            int depth,
            boolean exitHandler,
            Frame frame) {
        this(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                phase,
                boundaryId,
                message,
                startedAt,
                finishedAt,
                nodeFlag,
                inputs,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                null,
                null,
                null);
    }

    /** Nothing more happens to it. */
    public boolean ended() {
        return phase.fulfilled();
    }

    /** Whoever waits for it may go on: it has ended, or is a daemon that is ready. */
    public boolean fulfilled() {
        return ended() || daemoned();
    }

    /** It is a daemon that is ready and has not ended. */
    public boolean daemoned() {
        return daemon != null && daemon.live();
    }

    /** Whether it waits for its locks, or got them and has not begun. */
    public boolean awaitsLocks() {
        return lock != null && !ended() && lock.notBegun();
    }

    public boolean hooked() {
        return nodeFlag != null && Boolean.TRUE.equals(nodeFlag.hooked());
    }

    public boolean attempt() {
        return nodeFlag != null && Boolean.TRUE.equals(nodeFlag.retried());
    }

    public Node withPhase(NodePhase phase, @Nullable String message) {
        return with(
                phase,
                message,
                finishedAt,
                nodeFlag,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                frame);
    }

    public Node withFrame(Frame frame) {
        return with(
                phase,
                message,
                finishedAt,
                nodeFlag,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                frame);
    }

    public Node withFlag(@Nullable NodeFlag nodeFlag) {
        return with(
                phase,
                message,
                finishedAt,
                nodeFlag,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                frame);
    }

    public Node withHost(@Nullable String hostNodeName) {
        return with(
                phase,
                message,
                finishedAt,
                nodeFlag,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                frame);
    }

    public Node withProgress(@Nullable String progress) {
        return with(
                phase,
                message,
                finishedAt,
                nodeFlag,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                frame);
    }

    public Node withOutputs(@Nullable Outputs outputs) {
        return with(
                phase,
                message,
                finishedAt,
                nodeFlag,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                frame);
    }

    /** The node at its end. */
    public Node finished(
            NodePhase phase,
            @Nullable String message,
            @Nullable Outputs outputs,
            List<String> outboundNodes,
            Instant finishedAt) {
        Node ended =
                with(
                        phase,
                        message,
                        finishedAt,
                        nodeFlag,
                        outputs,
                        outboundNodes,
                        progress,
                        hostNodeName,
                        frame);
        return daemon == null ? ended : ended.withDaemon(new Daemon(daemon.address(), false));
    }

    public Node withDaemon(@Nullable Daemon daemon) {
        return new Node(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                phase,
                boundaryId,
                message,
                startedAt,
                finishedAt,
                nodeFlag,
                inputs,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                daemon,
                lock,
                memoization);
    }

    public Node withLock(LockClaim lock) {
        return withLock(phase, message, stepId, lock);
    }

    /** Its locks are not in its way any more: it begins. */
    public Node begun(NodePhase phase, @Nullable String stepId, LockClaim lock) {
        return withLock(phase, null, stepId, lock);
    }

    private Node withLock(
            NodePhase phase,
            @Nullable String message,
            @Nullable String stepId,
            @Nullable LockClaim lock) {
        return new Node(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                phase,
                boundaryId,
                message,
                startedAt,
                finishedAt,
                nodeFlag,
                inputs,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                daemon,
                lock,
                memoization);
    }

    public Node withInputs(@Nullable Inputs inputs) {
        return new Node(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                phase,
                boundaryId,
                message,
                startedAt,
                finishedAt,
                nodeFlag,
                inputs,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                daemon,
                lock,
                memoization);
    }

    /** What its cache said, and the type that it has by that. */
    public Node memoized(NodeType type, Memoization memoization) {
        return new Node(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                phase,
                boundaryId,
                message,
                startedAt,
                finishedAt,
                nodeFlag,
                inputs,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                daemon,
                lock,
                memoization);
    }

    /**
     * The node before it ran, as a retry of its workflow takes it up again; its locks it has to ask
     * for once more.
     */
    public Node reopened(Frame frame, Instant startedAt) {
        return new Node(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                NodePhase.RUNNING,
                boundaryId,
                null,
                startedAt,
                null,
                nodeFlag,
                inputs,
                null,
                List.of(),
                null,
                null,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                null,
                null,
                memoization);
    }

    /** What may change of a node; the rest is said when it is made. */
    private Node with(
            NodePhase phase,
            @Nullable String message,
            @Nullable Instant finishedAt,
            @Nullable NodeFlag nodeFlag,
            @Nullable Outputs outputs,
            List<String> outboundNodes,
            @Nullable String progress,
            @Nullable String hostNodeName,
            Frame frame) {
        return new Node(
                id,
                name,
                displayName,
                type,
                templateName,
                templateRef,
                templateScope,
                phase,
                boundaryId,
                message,
                startedAt,
                finishedAt,
                nodeFlag,
                inputs,
                outputs,
                outboundNodes,
                progress,
                hostNodeName,
                ownerId,
                call,
                stepId,
                inline,
                depth,
                exitHandler,
                frame,
                daemon,
                lock,
                memoization);
    }
}
