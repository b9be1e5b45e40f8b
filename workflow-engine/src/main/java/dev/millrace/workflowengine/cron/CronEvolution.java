package dev.millrace.workflowengine.cron;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The state after an event. */
final class CronEvolution {
    private CronEvolution() {}

    static CronState apply(CronState s, CronEvent event) {
        return switch (event) {
            case CronEvent.Defined(JsonNode manifest, long version) ->
                    of(s, manifest, version, s.due(), s.lastScheduledTime(), s.conditions());
            case CronEvent.Rescheduled() ->
                    of(s, s.manifest(), s.version(), s.due(), null, s.conditions());
            case CronEvent.Removed(long version) ->
                    // What comes later under this name begins anew.
                    new CronState(
                            null,
                            version,
                            Map.of(),
                            s.pending(),
                            s.active(),
                            s.ended(),
                            null,
                            0,
                            0,
                            false,
                            Map.of());
            case CronEvent.Due(Map<String, Instant> due) ->
                    of(s, s.manifest(), s.version(), due, s.lastScheduledTime(), s.conditions());
            case CronEvent.RunOrdered(Instant time, String workflow, var _) ->
                    runs(
                            s,
                            plus(
                                    s.pending(),
                                    new CronState.Pending(time, workflow, s.lastScheduledTime())),
                            s.active(),
                            s.ended(),
                            time);
            case CronEvent.RunSkipped _, CronEvent.TerminationOrdered _ -> s;
            case CronEvent.RunExists(Instant time) ->
                    runs(
                            s,
                            without(s.pending(), p -> p.scheduledTime().equals(time)),
                            s.active(),
                            s.ended(),
                            s.lastScheduledTime());
            case CronEvent.RunRefused(Instant time) -> refused(s, time);
            case CronEvent.WorkflowStarted(CronState.Run run) ->
                    runs(
                            s,
                            without(s.pending(), p -> p.workflow().equals(run.workflow())),
                            plus(s.active(), run),
                            s.ended(),
                            s.lastScheduledTime());
            case CronEvent.WorkflowEnded(CronState.Run run, boolean succeeded, Instant at) ->
                    ended(s, new CronState.Ended(run, succeeded, at));
            case CronEvent.WorkflowGone(String uid) -> gone(s, uid);
            case CronEvent.DeletionOrdered(CronState.Run run) -> gone(s, run.uid());
            case CronEvent.Stopped() -> counted(s, s.succeeded(), s.failed(), true);
            case CronEvent.Restarted() -> counted(s, s.succeeded(), s.failed(), false);
            case CronEvent.ConditionSet(String type, String message) -> {
                Map<String, String> conditions = new LinkedHashMap<>(s.conditions());
                conditions.put(type, message);
                yield of(s, s.manifest(), s.version(), s.due(), s.lastScheduledTime(), conditions);
            }
            case CronEvent.ConditionCleared(String type) -> {
                Map<String, String> conditions = new LinkedHashMap<>(s.conditions());
                conditions.remove(type);
                yield of(s, s.manifest(), s.version(), s.due(), s.lastScheduledTime(), conditions);
            }
        };
    }

    /** It counts as not scheduled, unless another one was since. */
    private static CronState refused(CronState s, Instant time) {
        Instant last = s.lastScheduledTime();
        for (CronState.Pending p : s.pending()) {
            if (p.scheduledTime().equals(time) && time.equals(last)) {
                last = p.before();
            }
        }
        return runs(
                s,
                without(s.pending(), p -> p.scheduledTime().equals(time)),
                s.active(),
                s.ended(),
                last);
    }

    private static CronState ended(CronState s, CronState.Ended ended) {
        CronState after = gone(s, ended.run().uid());
        after =
                runs(
                        after,
                        after.pending(),
                        after.active(),
                        plus(after.ended(), ended),
                        after.lastScheduledTime());
        return counted(
                after,
                s.succeeded() + (ended.succeeded() ? 1 : 0),
                s.failed() + (ended.succeeded() ? 0 : 1),
                s.stopped());
    }

    private static CronState gone(CronState s, String uid) {
        return runs(
                s,
                s.pending(),
                without(s.active(), r -> r.uid().equals(uid)),
                without(s.ended(), e -> e.run().uid().equals(uid)),
                s.lastScheduledTime());
    }

    private static CronState of(
            CronState s,
            @Nullable JsonNode manifest,
            long version,
            Map<String, Instant> due,
            @Nullable Instant last,
            Map<String, String> conditions) {
        return new CronState(
                manifest,
                version,
                due,
                s.pending(),
                s.active(),
                s.ended(),
                last,
                s.succeeded(),
                s.failed(),
                s.stopped(),
                conditions);
    }

    private static CronState runs(
            CronState s,
            List<CronState.Pending> pending,
            List<CronState.Run> active,
            List<CronState.Ended> ended,
            @Nullable Instant last) {
        return new CronState(
                s.manifest(),
                s.version(),
                s.due(),
                pending,
                active,
                ended,
                last,
                s.succeeded(),
                s.failed(),
                s.stopped(),
                s.conditions());
    }

    private static CronState counted(CronState s, long succeeded, long failed, boolean stopped) {
        return new CronState(
                s.manifest(),
                s.version(),
                s.due(),
                s.pending(),
                s.active(),
                s.ended(),
                s.lastScheduledTime(),
                succeeded,
                failed,
                stopped,
                s.conditions());
    }

    private static <T> List<T> plus(List<T> list, T item) {
        List<T> more = new ArrayList<>(list);
        more.add(item);
        return List.copyOf(more);
    }

    private static <T> List<T> without(List<T> list, Predicate<T> which) {
        return list.stream().filter(which.negate()).toList();
    }
}
