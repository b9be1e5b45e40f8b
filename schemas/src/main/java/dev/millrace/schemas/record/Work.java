package dev.millrace.schemas.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Work that a transition leaves for the next one. It is state, so a restart forgets none of it. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Work.Begin.class, name = "Begin"),
    @JsonSubTypes.Type(value = Work.StartMembers.class, name = "StartMembers"),
    @JsonSubTypes.Type(value = Work.StartTask.class, name = "StartTask"),
    @JsonSubTypes.Type(value = Work.StartTasks.class, name = "StartTasks"),
    @JsonSubTypes.Type(value = Work.Release.class, name = "Release"),
    @JsonSubTypes.Type(value = Work.Await.class, name = "Await"),
    @JsonSubTypes.Type(value = Work.Weigh.class, name = "Weigh"),
    @JsonSubTypes.Type(value = Work.ResumeTasks.class, name = "ResumeTasks"),
    @JsonSubTypes.Type(value = Work.JudgeDag.class, name = "JudgeDag"),
    @JsonSubTypes.Type(value = Work.EndDag.class, name = "EndDag"),
    @JsonSubTypes.Type(value = Work.EndLoops.class, name = "EndLoops"),
    @JsonSubTypes.Type(value = Work.JudgeGroup.class, name = "JudgeGroup"),
    @JsonSubTypes.Type(value = Work.Hang.class, name = "Hang"),
    @JsonSubTypes.Type(value = Work.HangTask.class, name = "HangTask"),
    @JsonSubTypes.Type(value = Work.ExpandTask.class, name = "ExpandTask"),
    @JsonSubTypes.Type(value = Work.StartAttempt.class, name = "StartAttempt"),
    @JsonSubTypes.Type(value = Work.StartHook.class, name = "StartHook"),
    @JsonSubTypes.Type(value = Work.BeginLocked.class, name = "BeginLocked"),
    @JsonSubTypes.Type(value = Work.Resume.class, name = "Resume"),
    @JsonSubTypes.Type(value = Work.Settled.class, name = "Settled"),
    @JsonSubTypes.Type(value = Work.ConsiderRetry.class, name = "ConsiderRetry"),
    @JsonSubTypes.Type(value = Work.EndOpen.class, name = "EndOpen"),
    @JsonSubTypes.Type(value = Work.Proceed.class, name = "Proceed"),
    @JsonSubTypes.Type(value = Work.MarkRetry.class, name = "MarkRetry"),
    @JsonSubTypes.Type(value = Work.SpreadRetry.class, name = "SpreadRetry"),
    @JsonSubTypes.Type(value = Work.SweepRetry.class, name = "SweepRetry"),
    @JsonSubTypes.Type(value = Work.PruneRetry.class, name = "PruneRetry"),
    @JsonSubTypes.Type(value = Work.DiscardArtifacts.class, name = "DiscardArtifacts"),
    @JsonSubTypes.Type(value = Work.Purge.class, name = "Purge")
})
public sealed interface Work {

    /** Start the entry template. */
    record Begin() implements Work {}

    /** Go on starting the members of a step group at its cursor. */
    record StartMembers(String groupId) implements Work {}

    /** Start a task of a DAG whose dependencies are done. */
    record StartTask(String dagId, String task) implements Work {}

    /**
     * Start some tasks of a DAG, one after the other: a work stays small, however many there are.
     *
     * @param after they are the tasks that wait for this one; absent for those that wait for
     *     nothing, empty for all tasks that run
     * @param from index of the first of them, in order of declaration
     * @param to index behind the last
     */
    record StartTasks(String dagId, @Nullable String after, int from, int to) implements Work {
        public static final String ALL = "";

        /** The same tasks from another index on. */
        public StartTasks from(int index) {
            return new StartTasks(dagId, after, index, to);
        }

        /** The first task alone. */
        public StartTasks first() {
            return new StartTasks(dagId, after, from, from + 1);
        }

        /** Whether others are those right behind these. */
        public boolean joins(StartTasks others) {
            return dagId.equals(others.dagId)
                    && Objects.equals(after, others.after)
                    && to == others.from;
        }

        /** These and the ones right behind them. */
        public StartTasks with(StartTasks others) {
            return new StartTasks(dagId, after, from, others.to);
        }
    }

    /**
     * Go on looking which of the tasks that wait for a task may start.
     *
     * @param from index of the next of them
     * @param found whether some of those before may
     */
    record Release(String dagId, String task, int from, boolean found) implements Work {}

    /**
     * Go on looking whether all is done that a task with very many dependencies waits for, from
     * where the DAG's frame says.
     *
     * @param start what starts the task
     * @param alone whether nothing else of the DAG may start
     */
    record Await(StartTasks start, boolean alone) implements Work {}

    /**
     * Go on weighing the condition of a task with very many dependencies, which are done.
     *
     * @param start what starts the task
     * @param from index of the next part of the condition
     */
    record Weigh(StartTasks start, int from) implements Work {}

    /**
     * Go on looking which tasks of a DAG a retry kept.
     *
     * @param from index of the next one
     * @param first index of the first that is to start, absent if there is none so far
     */
    record ResumeTasks(String dagId, int from, @Nullable Integer first) implements Work {}

    /**
     * Go on judging a DAG by its targets.
     *
     * @param from index of the next one
     * @param phase what those before make of it
     */
    record JudgeDag(String dagId, int from, NodePhase phase) implements Work {}

    /**
     * Go on ending a DAG with very many targets.
     *
     * @param phase what became of it
     * @param from index of the next target whose outbound nodes are the DAG's
     */
    record EndDag(String dagId, NodePhase phase, int from) implements Work {}

    /** Go on ending the loops of a DAG that ends with its first failure, from this id on. */
    record EndLoops(String dagId, String after) implements Work {}

    /**
     * Go on judging a group by its members.
     *
     * @param from index of the next one
     * @param phase what those before make of it
     */
    record JudgeGroup(String groupId, int from, NodePhase phase) implements Work {}

    /**
     * Go on hanging a node below the members of a large group, or below what comes out of a DAG or
     * Steps node, from this one on.
     *
     * @param depth how often what comes out is replaced by what comes out of it; absent for once
     */
    record Hang(String nodeId, String groupId, int from, @Nullable Integer depth) implements Work {
        public Hang(String nodeId, String groupId, int from) {
            this(nodeId, groupId, from, null);
        }
    }

    /** Go on hanging a task below its very many dependencies, from this one on. */
    record HangTask(String dagId, String task, int from) implements Work {}

    /** Go on starting the items of a task group at its cursor. */
    record ExpandTask(String taskGroupId) implements Work {}

    /** Start the next attempt. */
    record StartAttempt(String retryId) implements Work {}

    /** Start a hook of a node that is due and waited for a slot. */
    record StartHook(String nodeId, String hook) implements Work {}

    /** Start what is below a node that has its locks now. */
    record BeginLocked(String nodeId) implements Work {}

    /** A slot became free below a node (or of the workflow): take up what waits for it. */
    record Resume(@Nullable String boundaryId) implements Work {}

    /** A node and its hooks are done: tell its owner. */
    record Settled(String nodeId) implements Work {}

    /** Say what comes after the last attempt of a Retry node. */
    record ConsiderRetry(String nodeId) implements Work {}

    /**
     * Go on ending the nodes that are open, from the one after this id on: the deadline passed, or
     * a shutdown.
     */
    record EndOpen(boolean deadline, String after) implements Work {}

    /** The cache has nothing for this node: run it. */
    record Proceed(String nodeId) implements Work {}

    /**
     * Go on marking what a retry does again, from the node after this id on.
     *
     * @param selector nodes that are done again although they succeeded; absent for none
     * @param reexpand whether loops may have other items now
     */
    record MarkRetry(String after, @Nullable String selector, boolean reexpand) implements Work {}

    /**
     * Go on marking what comes after the nodes that a retry does again.
     *
     * @param from index of the next of these nodes, in the order in which they were marked
     * @param within index of the next of what comes after it
     */
    record SpreadRetry(int from, int within) implements Work {}

    /** Go on removing what a retry does again, from the node after this id on. */
    record SweepRetry(String after) implements Work {}

    /**
     * Go on taking off the children that a retry removed from nodes with very many.
     *
     * @param from index of the next of these nodes
     * @param within index of the next of its children
     */
    record PruneRetry(int from, int within) implements Work {}

    /**
     * Go on giving up the artifacts that are not kept when the workflow has ended, from the node
     * after this id on.
     */
    record DiscardArtifacts(String after) implements Work {}

    /** Go on deleting. */
    record Purge() implements Work {}
}
