package dev.millrace.workflowengine.core;

import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.schemas.record.Backlog;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.NodeLists;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One decision in the making: the events so far, the state with these events applied, and the work
 * that is left. Frames and children change often within a decision, so their events are written
 * once, at the end.
 */
final class Transition {
    /** So many ids stand in one event at most. */
    private static final int MOST_OF_A_LIST = 1_000;

    /** With more work left a decision does not go on making more of it. */
    private static final int MOST_LEFT = 500;

    /** So many entries a decision looks at, besides those that it makes. */
    private static final int MOST_LOOKS = 1_000;

    private final Overlay state;
    private final String namespace;
    private final String name;
    private final Instant now;
    private final List<WorkflowEvent> events = new ArrayList<>();
    private final Deque<Work> queue = new ArrayDeque<>();
    private final Set<String> frames = new LinkedHashSet<>();
    private final Map<String, Set<String>> children = new LinkedHashMap<>();
    private final int budget;
    private final boolean limited;
    private final Definitions definitions;
    private final Map<String, Prepared> prepared = new HashMap<>();
    private final Map<Called, TaskGraph> graphs = new IdentityHashMap<>();
    private final Map<String, Duration> ran = new HashMap<>();
    private boolean blocked;
    private boolean exhausted;
    private int created;
    private int looked;
    private @Nullable Workflow workflow;
    private @Nullable ExprOptions expressions;

    Transition(
            WorkflowState base,
            String namespace,
            String name,
            Instant now,
            int budget,
            boolean limited,
            Definitions definitions) {
        this.state = new Overlay(base);
        this.namespace = namespace;
        this.name = name;
        this.now = now;
        this.budget = budget;
        this.limited = limited;
        this.definitions = definitions;
    }

    Instant now() {
        return now;
    }

    String name() {
        return name;
    }

    /** Whether a workflow needs a slot to run. */
    boolean limited() {
        return limited;
    }

    /** The state after the events so far. */
    WorkflowState state() {
        return state;
    }

    WorkflowHead head() {
        return Objects.requireNonNull(state.head(), "no head");
    }

    /**
     * Whether the workflow is being shut down for what is to start or to go on; exit handlers run
     * on until it is terminated.
     */
    boolean shut(boolean exitHandler) {
        ShutdownStrategy shutdown = head().shutdown();
        return shutdown == ShutdownStrategy.TERMINATE || shutdown != null && !exitHandler;
    }

    /** Whether the time of the whole workflow is over, which exit handlers do not care about. */
    boolean late(boolean exitHandler) {
        Instant deadline = exitHandler ? null : RootRun.deadline(this);
        return deadline != null && !now.isBefore(deadline);
    }

    WorkflowSource source() {
        return Objects.requireNonNull(state.source(), "no source");
    }

    /** The parsed spec and the templates; read once for a decision. */
    Workflow workflow() {
        if (workflow == null) {
            workflow = new Workflow(this);
        }
        return workflow;
    }

    /**
     * The functions of expressions, with the instant of this decision as the time and with chance
     * that repeats.
     */
    ExprOptions expressions() {
        if (expressions == null) {
            long seed = (head().uid() + "/" + name).hashCode() * 31L + now.toEpochMilli();
            expressions = ExprOptions.workflows(InstantSource.fixed(now), new SeededRandom(seed));
        }
        return expressions;
    }

    /** The template of a node, made once as long as the variables of the workflow stay the same. */
    Called called(Node node, WorkflowVariables variables, Supplier<Called> make) {
        Prepared known = prepared.get(node.id());
        if (known == null || known.variables() != variables) {
            known = new Prepared(variables, make.get());
            prepared.put(node.id(), known);
        }
        return known.called();
    }

    /**
     * The tasks of a DAG template, read once.
     *
     * @throws CallException if they are no graph
     */
    TaskGraph graph(Called called) {
        return graphs.computeIfAbsent(called, TaskGraph::of);
    }

    /** A template taken apart. */
    Definition definition(JsonNode template) {
        return definitions.of(template);
    }

    /** The templates of a list by name. */
    Map<String, JsonNode> templates(JsonNode list) {
        return definitions.byName(list);
    }

    private record Prepared(WorkflowVariables variables, Called called) {}

    Node node(String id) {
        return Objects.requireNonNull(state.node(id), () -> "no node " + id);
    }

    @Nullable Node find(String nodeName) {
        return state.node(id(nodeName));
    }

    /**
     * The id of the node of this name. Ids are 32-bit hashes, so in a loop of some ten thousand
     * items two names share one; the later node then gets a number behind it.
     */
    String id(String nodeName) {
        String first = NodeNames.id(name, nodeName);
        String id = first;
        for (int i = 1; ; i++) {
            Node node = state.node(id);
            String next = first + "-" + i;
            if (node == null) {
                // A retry may have removed the first of two nodes that share an id.
                Node other = head().run() > 0 ? state.node(next) : null;
                return other != null && other.name().equals(nodeName) ? next : id;
            }
            if (node.name().equals(nodeName)) {
                return id;
            }
            id = next;
        }
    }

    void emit(WorkflowEvent event) {
        events.add(event);
        Evolution.apply(state, namespace, name, event);
        switch (event) {
            case WorkflowEvent.Started _, WorkflowEvent.Retried _ -> workflow = null;
            case WorkflowEvent.NodeAdded(var node) -> prepared.remove(node.id());
            case WorkflowEvent.NodesRemoved(var ids) -> ids.forEach(prepared::remove);
            default -> {}
        }
    }

    /** Adds a node and hangs it below its parents. */
    void add(Node node, List<String> parents) {
        emit(new WorkflowEvent.NodeAdded(Hanging.noted(this, node, parents)));
        parents.forEach(p -> addChild(p, node.id()));
        created++;
    }

    /** Hangs a node that a retry kept below its group again. */
    void keep(String groupId, Node node) {
        addChild(groupId, node.id());
        created++;
    }

    void addChild(String parentId, String childId) {
        if (children.computeIfAbsent(parentId, _ -> new LinkedHashSet<>()).add(childId)) {
            state.addChildren(parentId, List.of(childId));
        }
    }

    /** Takes everything off a list that this decision may have added to. */
    void removeChildren(String list) {
        List<String> added = List.copyOf(children.getOrDefault(list, new LinkedHashSet<>()));
        children.remove(list);
        if (state.childCount(list) > added.size()) {
            emit(new WorkflowEvent.ChildrenRemoved(list, List.of()));
        } else {
            state.removeChildren(list, List.of());
        }
    }

    void frame(String nodeId, Frame frame) {
        frames.add(nodeId);
        state.putNode(node(nodeId).withFrame(frame));
    }

    /** What waits for a slot of the workflow; written once, at the end. */
    void blocked(List<Work> work, @Nullable Backlog backlog) {
        WorkflowHead head = head();
        if (!head.blocked().equals(work) || !Objects.equals(head.backlog(), backlog)) {
            blocked = true;
            Evolution.apply(state, namespace, name, new WorkflowEvent.WorkBlocked(work, backlog));
        }
    }

    /** Ends a node; what follows from it is up to the caller. */
    Node finish(
            Node node,
            NodePhase phase,
            @Nullable String message,
            @Nullable Outputs outputs,
            List<String> outbound) {
        boolean many = outbound.size() > MOST_OF_A_LIST;
        emit(
                new WorkflowEvent.NodeFinished(
                        node.id(),
                        phase,
                        message,
                        outputs,
                        many ? List.of() : outbound,
                        now,
                        ResourceUse.of(this, node, ran.get(node.id()))));
        if (many) {
            for (int from = 0; from < outbound.size(); from += MOST_OF_A_LIST) {
                int to = Math.min(outbound.size(), from + MOST_OF_A_LIST);
                emit(
                        new WorkflowEvent.ChildrenAdded(
                                NodeLists.outbound(node.id()),
                                List.copyOf(outbound.subList(from, to))));
            }
        }
        return node(node.id());
    }

    /** For how long the step of a node ran that ends in this decision. */
    void ran(String nodeId, Duration duration) {
        ran.put(nodeId, duration);
    }

    void enqueue(Work work) {
        queue.add(work);
    }

    /** Whether the next work starts tasks of this DAG. */
    boolean startsTasks(String dagId) {
        Work next = queue.peek();
        return next instanceof Work.StartTasks tasks && tasks.dagId().equals(dagId)
                || next instanceof Work.Release release && release.dagId().equals(dagId)
                || next instanceof Work.Await await && await.start().dagId().equals(dagId)
                || next instanceof Work.Weigh weigh && weigh.start().dagId().equals(dagId);
    }

    void enqueueFirst(Work work) {
        queue.addFirst(work);
    }

    /**
     * The rest of a work, which the next decision goes on with. When much has piled up meanwhile
     * (members that ended at once), that comes first: the queue is part of the state.
     */
    void goOnWith(Work rest) {
        if (queue.size() < MOST_LEFT) {
            queue.addFirst(rest);
        } else {
            queue.add(rest);
        }
    }

    /** What an ended workflow left undone is of no use to its next run. */
    void forgetWork() {
        queue.clear();
    }

    /**
     * To be done as soon as possible, but not before a retry has found out what stays of the tree.
     */
    void enqueueFirstAfterRetry(Work work) {
        Work first = queue.peek();
        if (first instanceof Work.MarkRetry
                || first instanceof Work.SpreadRetry
                || first instanceof Work.SweepRetry
                || first instanceof Work.PruneRetry) {
            queue.add(work);
        } else {
            queue.addFirst(work);
        }
    }

    /** Whether artifacts are still to be given up. */
    boolean discards() {
        return queue.stream().anyMatch(Work.DiscardArtifacts.class::isInstance);
    }

    @Nullable Work next() {
        return queue.poll();
    }

    /** Whether the decision has made enough: what is left is for the next one. */
    boolean exhausted() {
        return exhausted || created >= budget || looked >= MOST_LOOKS;
    }

    /** So many entries were looked at besides those that a decision makes. */
    void looked(int entries) {
        looked += entries;
    }

    /** Enough for this decision. */
    void exhaust() {
        exhausted = true;
    }

    /** The events of the decision; what is left of the work is part of them. */
    List<WorkflowEvent> complete() {
        children.forEach(
                (parent, added) -> {
                    List<String> all = List.copyOf(added);
                    for (int from = 0; from < all.size(); from += MOST_OF_A_LIST) {
                        int to = Math.min(all.size(), from + MOST_OF_A_LIST);
                        events.add(new WorkflowEvent.ChildrenAdded(parent, all.subList(from, to)));
                    }
                });
        for (String id : frames) {
            Node node = state.node(id);
            if (node != null) {
                events.add(new WorkflowEvent.FrameChanged(id, node.frame()));
            }
        }
        WorkflowHead head = state.head();
        if (blocked && head != null) {
            events.add(new WorkflowEvent.WorkBlocked(head.blocked(), head.backlog()));
        }
        List<Work> left = List.copyOf(queue);
        if (head != null && !head.work().equals(left)) {
            emit(new WorkflowEvent.WorkDeferred(left));
        }
        return List.copyOf(events);
    }
}
