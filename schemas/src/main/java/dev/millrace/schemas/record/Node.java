package dev.millrace.schemas.record;

import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.TemplateRef;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
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
 * @param resourcesDuration what its step used, or what those below it used that have ended, by
 *     resource
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
        @Nullable Memoization memoization,
        Map<String, Long> resourcesDuration) {

    public Node {
        resourcesDuration = resourcesDuration == null ? Map.of() : resourcesDuration;
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
                null,
                Map.of());
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
        return edit(e -> e.phase(phase, message));
    }

    public Node withFrame(Frame frame) {
        return edit(e -> e.frame = frame);
    }

    public Node withFlag(@Nullable NodeFlag nodeFlag) {
        return edit(e -> e.nodeFlag = nodeFlag);
    }

    public Node withHost(@Nullable String hostNodeName) {
        return edit(e -> e.hostNodeName = hostNodeName);
    }

    public Node withProgress(@Nullable String progress) {
        return edit(e -> e.progress = progress);
    }

    public Node withInputs(@Nullable Inputs inputs) {
        return edit(e -> e.inputs = inputs);
    }

    public Node withOutputs(@Nullable Outputs outputs) {
        return edit(e -> e.outputs = outputs);
    }

    public Node withDaemon(@Nullable Daemon daemon) {
        return edit(e -> e.daemon = daemon);
    }

    public Node withLock(LockClaim lock) {
        return edit(e -> e.lock = lock);
    }

    /** Its locks are not in its way any more: it begins. */
    public Node begun(NodePhase phase, @Nullable String stepId, LockClaim lock) {
        return edit(
                e -> {
                    e.phase(phase, null);
                    e.stepId = stepId;
                    e.lock = lock;
                });
    }

    /** What its cache said, and the type that it has by that. */
    public Node memoized(NodeType type, Memoization memoization) {
        return edit(
                e -> {
                    e.type = type;
                    e.memoization = memoization;
                });
    }

    public Node withResourcesDuration(Map<String, Long> resourcesDuration) {
        return edit(e -> e.resourcesDuration = resourcesDuration);
    }

    /** The node at its end. */
    public Node finished(
            NodePhase phase,
            @Nullable String message,
            @Nullable Outputs outputs,
            List<String> outboundNodes,
            Instant finishedAt) {
        return edit(
                e -> {
                    e.phase(phase, message);
                    e.outputs = outputs;
                    e.outboundNodes = outboundNodes;
                    e.finishedAt = finishedAt;
                    e.daemon = daemon == null ? null : new Daemon(daemon.address(), false);
                });
    }

    /**
     * The node before it ran, as a retry of its workflow takes it up again; its locks it has to ask
     * for once more.
     */
    public Node reopened(Frame frame, Instant startedAt) {
        return edit(
                e -> {
                    e.phase(NodePhase.RUNNING, null);
                    e.startedAt = startedAt;
                    e.finishedAt = null;
                    e.outputs = null;
                    e.outboundNodes = List.of();
                    e.progress = null;
                    e.hostNodeName = null;
                    e.frame = frame;
                    e.daemon = null;
                    e.lock = null;
                    e.resourcesDuration = Map.of();
                });
    }

    private Node edit(Consumer<Edit> change) {
        Edit edit = new Edit(this);
        change.accept(edit);
        return edit.done();
    }

    /** What may change of a node; the rest is said when it is made. */
    private static final class Edit {
        private final Node from;
        private NodeType type;
        private NodePhase phase;
        private @Nullable String message;
        private Instant startedAt;
        private @Nullable Instant finishedAt;
        private @Nullable NodeFlag nodeFlag;
        private @Nullable Inputs inputs;
        private @Nullable Outputs outputs;
        private List<String> outboundNodes;
        private @Nullable String progress;
        private @Nullable String hostNodeName;
        private @Nullable String stepId;
        private Frame frame;
        private @Nullable Daemon daemon;
        private @Nullable LockClaim lock;
        private @Nullable Memoization memoization;
        private Map<String, Long> resourcesDuration;

        Edit(Node from) {
            this.from = from;
            this.type = from.type;
            this.phase = from.phase;
            this.message = from.message;
            this.startedAt = from.startedAt;
            this.finishedAt = from.finishedAt;
            this.nodeFlag = from.nodeFlag;
            this.inputs = from.inputs;
            this.outputs = from.outputs;
            this.outboundNodes = from.outboundNodes;
            this.progress = from.progress;
            this.hostNodeName = from.hostNodeName;
            this.stepId = from.stepId;
            this.frame = from.frame;
            this.daemon = from.daemon;
            this.lock = from.lock;
            this.memoization = from.memoization;
            this.resourcesDuration = from.resourcesDuration;
        }

        void phase(NodePhase phase, @Nullable String message) {
            this.phase = phase;
            this.message = message;
        }

        Node done() {
            return new Node(
                    from.id,
                    from.name,
                    from.displayName,
                    type,
                    from.templateName,
                    from.templateRef,
                    from.templateScope,
                    phase,
                    from.boundaryId,
                    message,
                    startedAt,
                    finishedAt,
                    nodeFlag,
                    inputs,
                    outputs,
                    outboundNodes,
                    progress,
                    hostNodeName,
                    from.ownerId,
                    from.call,
                    stepId,
                    from.inline,
                    from.depth,
                    from.exitHandler,
                    frame,
                    daemon,
                    lock,
                    memoization,
                    resourcesDuration);
        }
    }
}
