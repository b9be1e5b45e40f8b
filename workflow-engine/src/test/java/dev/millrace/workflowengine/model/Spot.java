package dev.millrace.workflowengine.model;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A node of the slow model. */
final class Spot {

    /**
     * What makes a node.
     *
     * @param arguments an argument without a value refers to what is absent
     * @param boundary the Steps or DAG node around it
     * @param member the step or task that it belongs to
     * @param exit whether it runs although the workflow is being stopped
     */
    record Call(
            String name,
            Flow.Template template,
            boolean inline,
            Map<String, @Nullable String> arguments,
            @Nullable Spot boundary,
            Flow.@Nullable Member member,
            boolean hooked,
            boolean attempt,
            boolean exit,
            Collection<Spot> parents) {}

    final Call call;
    final NodeType type;
    final Instant started;
    final Set<Spot> children = new LinkedHashSet<>();
    NodePhase phase;
    @Nullable String message;
    @Nullable Instant finished;
    List<Spot> outbound = new ArrayList<>();
    Map<String, String> inputs = Map.of();
    @Nullable Map<String, String> outputs;
    @Nullable String result;
    @Nullable String exitCode;

    /** It asked for locks. */
    boolean asked;

    boolean granted;

    /** Its step was requested, or its pause began. */
    @Nullable Instant begun;

    /** The number of the fact after which it was made, and of that after which it began. */
    int madeIn;

    int begunIn;

    int finishedIn;

    /** A pause, a backoff, the time to start: it is over. */
    boolean rung;

    /** Of a Retry node: its next attempt has no slot yet. */
    boolean waitsForSlot;

    /** Hooks whose time has come. */
    final Set<String> owed = new LinkedHashSet<>();

    /** Its hooks are done, as far as they are to run. */
    boolean quiet = true;

    Spot(Call call, NodeType type, NodePhase phase, Instant started) {
        this.call = call;
        this.type = type;
        this.phase = phase;
        this.started = started;
    }

    String name() {
        return call.name();
    }

    Flow.Template template() {
        return call.template();
    }

    @Nullable Spot boundary() {
        return call.boundary();
    }

    boolean fulfilled() {
        return phase.fulfilled();
    }

    boolean failed() {
        return phase == NodePhase.FAILED || phase == NodePhase.ERROR;
    }

    boolean settled() {
        return fulfilled() && quiet;
    }

    boolean waitsForLocks() {
        return asked && !granted && !fulfilled();
    }

    /** Of a Retry node. */
    List<Spot> attempts() {
        return children.stream().filter(c -> c.call.attempt()).toList();
    }

    @Override
    public String toString() {
        return name() + " " + type + " " + phase;
    }
}
