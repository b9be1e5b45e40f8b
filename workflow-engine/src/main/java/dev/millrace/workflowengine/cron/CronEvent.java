package dev.millrace.workflowengine.cron;

import java.time.Instant;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What happened to a CronWorkflow. What is to be done outside is read off these. */
public sealed interface CronEvent {

    /** Why a scheduled time has no run. */
    enum Reason {
        SUSPENDED,
        STOPPED,
        WHEN,
        FORBID,
        MISSED,
        INVALID
    }

    /** The manifest is new or changed. */
    record Defined(JsonNode manifest, long version) implements CronEvent {}

    /** It has other schedules, or another time zone: what was before does not count. */
    record Rescheduled() implements CronEvent {}

    /** The manifest is gone. */
    record Removed(long version) implements CronEvent {}

    /** Effect: wake it when the first of these schedules has its time. */
    record Due(Map<String, Instant> due) implements CronEvent {}

    /** Effect: start a workflow. */
    record RunOrdered(Instant scheduledTime, String workflow, JsonNode manifest)
            implements CronEvent {}

    /** A time of the schedule passed without a run. */
    record RunSkipped(Instant scheduledTime, Reason reason) implements CronEvent {}

    /** The workflow that was ordered did not start, since one of its name is there. */
    record RunExists(Instant scheduledTime) implements CronEvent {}

    /** The workflow that was ordered was refused. */
    record RunRefused(Instant scheduledTime) implements CronEvent {}

    /** A workflow of it runs. */
    record WorkflowStarted(CronState.Run run) implements CronEvent {}

    /** A workflow of it ended. */
    record WorkflowEnded(CronState.Run run, boolean succeeded, Instant at) implements CronEvent {}

    /** A workflow of it is deleted. */
    record WorkflowGone(String uid) implements CronEvent {}

    /** Effect: terminate a workflow that another one replaces. */
    record TerminationOrdered(String workflow) implements CronEvent {}

    /** Effect: delete a workflow. */
    record DeletionOrdered(CronState.Run run) implements CronEvent {}

    /** Its stop strategy holds: nothing starts any more. */
    record Stopped() implements CronEvent {}

    /** Its stop strategy was changed and does not hold. */
    record Restarted() implements CronEvent {}

    /** A condition of the status holds. */
    record ConditionSet(String type, String message) implements CronEvent {}

    /** A condition of the status does not hold any more. */
    record ConditionCleared(String type) implements CronEvent {}
}
