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
    @JsonSubTypes.Type(value = Work.Hang.class, name = "Hang"),
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
    @JsonSubTypes.Type(value = Work.SweepRetry.class, name = "SweepRetry"),
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

    /** Go on hanging a node below the members of a large group, from this one on. */
    record Hang(String nodeId, String groupId, int from) implements Work {}

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

    /** Go on removing what a retry does again, from the node after this id on. */
    record SweepRetry(String after) implements Work {}

    /**
     * Go on giving up the artifacts that are not kept when the workflow has ended, from the node
     * after this id on.
     */
    record DiscardArtifacts(String after) implements Work {}

    /** Go on deleting. */
    record Purge() implements Work {}
}
