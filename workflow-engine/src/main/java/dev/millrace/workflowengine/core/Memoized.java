package dev.millrace.workflowengine.core;

import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Memoization;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Memoize;
import dev.millrace.schemas.workflow.Outputs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Templates with {@code memoize}: their node asks a cache before anything runs, and what it gives
 * is kept there. The cache is outside of the core: asking and keeping are effects, the answer is an
 * input, and so part of the history.
 */
final class Memoized {
    private static final Pattern KEY = Pattern.compile("[a-zA-Z0-9][-a-zA-Z0-9]*");

    /** What a ConfigMap can hold, and so a single entry of it. */
    private static final int MAX_BYTES = 1024 * 1024;

    private Memoized() {}

    /**
     * Makes the node of a call and asks the cache for its outputs, if its template is memoized.
     *
     * @return whether the cache was asked
     * @throws CallException if key, cache or age are not what they should be
     */
    static boolean ask(Transition t, Call call, Called called) {
        boolean over = t.shut(call.exitHandler()) || t.late(call.exitHandler());
        if (Calls.attempt(call) || over) {
            return false;
        }
        Memoization question = question(called);
        if (question == null) {
            return false;
        }
        NodeType type = Calls.outerType(t, called);
        Node node =
                Calls.node(t, call, type, NodePhase.PENDING, null, called, null)
                        .memoized(type, question);
        t.add(node, call.parents());
        Slots.taken(t, node);
        t.emit(new WorkflowEvent.CacheAsked(node.id(), question.cacheName(), question.key()));
        return true;
    }

    /**
     * A node that has its locks asks the cache, if its template is memoized.
     *
     * @return whether the cache was asked
     * @throws CallException if key, cache or age are not what they should be
     */
    static boolean askLocked(Transition t, Node node, Called called) {
        Memoization question = question(called);
        if (question == null) {
            return false;
        }
        t.emit(new WorkflowEvent.NodeBegun(node.id(), NodePhase.PENDING, null));
        t.emit(new WorkflowEvent.NodeAdded(t.node(node.id()).memoized(node.type(), question)));
        t.emit(new WorkflowEvent.CacheAsked(node.id(), question.cacheName(), question.key()));
        return true;
    }

    private static @Nullable Memoization question(Called called) {
        Memoize memoize = called.template().memoize();
        if (memoize == null) {
            return null;
        }
        String key = memoize.key() == null ? "" : memoize.key();
        if (!KEY.matcher(key).matches()) {
            throw new CallException(
                    "invalid cache key '"
                            + key
                            + "': letters, digits and dashes are allowed, and no dash comes first");
        }
        String cache =
                memoize.cache() == null
                        ? ""
                        : memoize.cache().path("configMap").path("name").asString("");
        if (cache.isEmpty()) {
            throw new CallException("memoize.cache.configMap.name is required");
        }
        maxAge(memoize);
        return new Memoization(null, key, cache);
    }

    private static @Nullable Duration maxAge(@Nullable Memoize memoize) {
        if (memoize == null || memoize.maxAge() == null || memoize.maxAge().isEmpty()) {
            return null;
        }
        try {
            return GoDuration.parse(memoize.maxAge());
        } catch (DurationSyntaxException e) {
            throw new CallException("invalid maxAge: " + e.getMessage());
        }
    }

    /** Whether a node waits for its cache, or for a slot since that has nothing. */
    static boolean waits(Node node) {
        return node.memoization() != null
                && node.phase() == NodePhase.PENDING
                && node.stepId() == null;
    }

    /** The cache answers. */
    static void answered(Transition t, WorkflowCommand.AnswerCache answer) {
        if (!WorkflowMachine.alive(t)
                || !t.head().uid().equals(answer.uid())
                || t.head().run() != answer.run()) {
            return;
        }
        Node node = t.state().node(answer.nodeId());
        if (node == null || !waits(node)) {
            return;
        }
        Memoization asked = node.memoization();
        if (asked == null || !asked.waiting()) {
            return; // A repeat.
        }
        if (answer.error() != null) {
            told(t, node, node.type(), false);
            Endings.end(t, t.node(node.id()), NodePhase.ERROR, answer.error(), null, List.of());
            return;
        }
        Called called = Calls.of(t, node);
        Duration maxAge = maxAge(called.template().memoize());
        boolean hit =
                answer.createdAt() != null
                        && (maxAge == null || !answer.createdAt().plus(maxAge).isBefore(t.now()));
        if (!hit) {
            told(t, node, node.type(), false);
            t.enqueue(new Work.Proceed(node.id()));
            return;
        }
        told(t, node, Calls.type(called), true);
        if (node.type() == NodeType.RETRY) {
            // It ends as a node that counts, so it must have been counted.
            Slots.taken(t, t.node(node.id()));
        }
        Endings.end(t, t.node(node.id()), NodePhase.SUCCEEDED, null, answer.outputs(), List.of());
    }

    private static void told(Transition t, Node node, NodeType type, boolean hit) {
        Memoization asked = node.memoization();
        if (asked != null) {
            t.emit(
                    new WorkflowEvent.NodeAdded(
                            node.memoized(
                                    type, new Memoization(hit, asked.key(), asked.cacheName()))));
        }
    }

    /** The cache has nothing: the call goes on as any other. */
    static void proceed(Transition t, Node node) {
        if (!waits(node) || !Slots.free(t, null, new Work.Proceed(node.id()))) {
            return;
        }
        Called called = Calls.of(t, node);
        Slots.handBack(t, node);
        try {
            Calls.begin(t, Calls.again(node), called);
        } catch (CallException e) {
            Slots.taken(t, node);
            Endings.end(t, t.node(node.id()), NodePhase.ERROR, e.getMessage(), null, List.of());
        }
    }

    /** What is wrong with keeping these outputs, or null if nothing is. */
    static @Nullable String unfit(Node node, @Nullable Outputs outputs) {
        if (!missed(node) || outputs == null) {
            return null;
        }
        int bytes =
                Json.mapper().writeValueAsString(outputs).getBytes(StandardCharsets.UTF_8).length;
        return bytes <= MAX_BYTES
                ? null
                : "the outputs take %d bytes, but a cache entry can have %d: leave out memoize, or give less"
                        .formatted(bytes, MAX_BYTES);
    }

    /** A node succeeded that the cache did not know. */
    static void save(Transition t, Node node) {
        Memoization asked = node.memoization();
        if (asked != null && missed(node) && node.phase() == NodePhase.SUCCEEDED) {
            t.emit(
                    new WorkflowEvent.CacheSaved(
                            node.id(), asked.cacheName(), asked.key(), node.outputs(), t.now()));
        }
    }

    private static boolean missed(Node node) {
        return node.memoization() != null && Boolean.FALSE.equals(node.memoization().hit());
    }
}
