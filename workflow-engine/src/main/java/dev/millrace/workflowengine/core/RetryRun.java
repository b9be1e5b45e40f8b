package dev.millrace.workflowengine.core;

import dev.millrace.expressions.duration.HumanDuration;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.Work;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.Backoff;
import dev.millrace.schemas.workflow.RetryStrategy;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Retries: a Retry node holds the attempts; when one ends, the first rule that fits says what comes
 * next.
 */
final class RetryRun {
    private static final Pattern ATTEMPT = Pattern.compile("\\((\\d+)\\)$");

    /** Messages of failures that pass by themselves, for the policy OnTransientError. */
    private static final Pattern TRANSIENT =
            Pattern.compile(
                    "(?i)connection re(set|fused)|timed? ?out|timeout|no route to host|temporary failure|too many requests|unexpected EOF|tls handshake");

    private RetryRun() {}

    /** The strategy that holds for a call: the template's, else the workflow's; null for none. */
    static @Nullable RetryStrategy strategy(Transition t, Called called) {
        RetryStrategy own = called.template().retryStrategy();
        return own != null ? own : t.workflow().retryStrategy();
    }

    static void begin(Transition t, Node retry) {
        startAttempt(t, retry.id());
    }

    /** Starts the next attempt, if there is a slot for it. */
    static void startAttempt(Transition t, String retryId) {
        Node retry = t.node(retryId);
        if (Daemons.isOver(t, retry)) {
            t.enqueue(new Work.ConsiderRetry(retryId));
            return;
        }
        // What holds locks does not wait for a slot of what may wait for these locks.
        String boundaryId = retry.lock() == null ? retry.boundaryId() : null;
        Node last = lastAttempt(t, retry);
        boolean going = last != null && !last.ended();
        boolean reopened = going && WorkflowRetry.reopened(t, last);
        if (retry.ended() || (going && !reopened)) {
            return;
        }
        // By the time that there is a slot, the time for the attempt may be over.
        Work work = reopened ? new Work.StartAttempt(retryId) : new Work.ConsiderRetry(retryId);
        if (!Slots.free(t, boundaryId, work)) {
            return;
        }
        int index = 0;
        if (last != null) {
            index = number(last) + (WorkflowRetry.reopened(t, last) ? 0 : 1);
        }
        if (index > 0 && t.shut(retry.exitHandler())) {
            return;
        }
        if (last != null && index > 0) {
            Emissions.again(t, last, index - 1);
        }
        if (retry.message() != null) {
            t.emit(new WorkflowEvent.NodeMessage(retryId, null));
        }
        Arguments arguments =
                retry.inputs() == null
                        ? new Arguments(List.of(), List.of())
                        : new Arguments(retry.inputs().parameters(), retry.inputs().artifacts());
        Call call =
                new Call(
                        retry.name() + "(" + index + ")",
                        retry.boundaryId(),
                        retryId,
                        retry.call(),
                        Calls.use(retry),
                        retry.templateScope(),
                        arguments,
                        NodeFlag.RETRIED,
                        List.of(retryId),
                        retry.depth(),
                        retry.exitHandler());
        try {
            Calls.start(t, call);
        } catch (CallException e) {
            Calls.neverRan(t, call, NodePhase.ERROR, e.getMessage());
        }
    }

    /** All attempts, for decisions that come once in the life of a node. */
    static List<Node> attempts(Transition t, Node retry) {
        return t.state().children(retry.id()).stream().map(t::node).filter(Node::attempt).toList();
    }

    /** The newest attempt; null before the first. Its hooks may hang behind it, and are few. */
    static @Nullable Node lastAttempt(Transition t, Node retry) {
        for (int i = t.state().childCount(retry.id()) - 1; i >= 0; i--) {
            Node child = t.node(t.state().children(retry.id(), i, 1).getFirst());
            if (child.attempt()) {
                return child;
            }
        }
        return null;
    }

    /**
     * What decides about another attempt; not the list of them all, which may be long.
     *
     * @param count of those that are kept: a retry of the workflow takes away the newest or all
     */
    private record Attempts(Node first, Node last, int count) {

        static @Nullable Attempts of(Transition t, Node retry) {
            Node last = lastAttempt(t, retry);
            if (last == null) {
                return null;
            }
            Node first = last;
            for (int i = 0; ; i++) {
                Node child = t.node(t.state().children(retry.id(), i, 1).getFirst());
                if (child.attempt()) {
                    first = child;
                    break;
                }
            }
            return new Attempts(first, last, number(last) - number(first) + 1);
        }
    }

    private static int number(Node attempt) {
        var matcher = ATTEMPT.matcher(attempt.name());
        if (!matcher.find()) {
            throw new IllegalStateException(attempt.name() + " is the name of no attempt");
        }
        return Integer.parseInt(matcher.group(1));
    }

    /** The last attempt is done, or the pause after it is over: what now. */
    static void consider(Transition t, Node retry) {
        consider(t, retry, false);
    }

    /**
     * A slot has come free: if there is to be another attempt, no one else takes the slot first.
     */
    static void resume(Transition t, Node retry) {
        consider(t, retry, true);
    }

    private static void consider(Transition t, Node retry, boolean first) {
        if (retry.ended()
                || WorkflowRetry.reopened(t, retry)
                || Memoized.waits(retry)
                || Daemons.considered(t, retry)) {
            return;
        }
        Attempts attempts = Attempts.of(t, retry);
        if (attempts == null) {
            // It waited for a slot when the workflow was shut down; its one attempt fails at once.
            startAttempt(t, retry.id());
            return;
        }
        Node last = attempts.last();
        if (!last.ended()) {
            return;
        }
        if (!last.phase().failedOrError()) {
            end(t, retry, last, NodePhase.SUCCEEDED, null);
            return;
        }
        ShutdownStrategy shutdown = t.head().shutdown();
        if (shutdown != null && t.shut(retry.exitHandler())) {
            end(t, retry, last, last.phase(), "Stopped with strategy '" + shutdown.text() + "'");
            return;
        }
        if (t.late(retry.exitHandler())) {
            String time = DateTimeFormatter.ISO_INSTANT.format(RootRun.deadline(t));
            end(t, retry, last, last.phase(), "retry exceeded workflow deadline " + time);
            return;
        }
        try {
            Called called = Calls.of(t, retry);
            RetryStrategy strategy = strategy(t, called);
            if (strategy == null) {
                end(t, retry, last, last.phase(), last.message());
                return;
            }
            if (again(t, retry, attempts, strategy, called)) {
                Work start = new Work.StartAttempt(retry.id());
                if (first) {
                    t.enqueueFirst(start);
                } else {
                    t.enqueue(start);
                }
            }
        } catch (CallException e) {
            end(t, retry, last, NodePhase.ERROR, e.getMessage());
        }
    }

    /** Whether there is another attempt now; if there never is one, the node ends. */
    private static boolean again(
            Transition t, Node retry, Attempts attempts, RetryStrategy strategy, Called called) {
        Node last = attempts.last();
        Long limit = limit(strategy);
        Backoff backoff = strategy.backoff();
        if (backoff != null) {
            Duration max = Members.duration(backoff.maxDuration());
            Instant end = max == null ? null : attempts.first().startedAt().plus(max);
            if (end != null && t.now().isAfter(end)) {
                end(t, retry, last, last.phase(), "Max duration limit exceeded");
                return false;
            }
            Instant due = finishedAt(last).plus(pause(backoff, attempts.count()));
            if (end != null && due.isAfter(end)) {
                end(t, retry, last, last.phase(), "Backoff would exceed max duration limit");
                return false;
            }
            // Without a limit the pause is not kept: clients of the field see attempts follow at
            // once.
            if (t.now().isBefore(due) && limit != null && attempts.count() <= limit) {
                String pause = HumanDuration.words(Duration.between(t.now(), due));
                t.emit(new WorkflowEvent.NodeMessage(retry.id(), "Backoff for " + pause));
                t.emit(new WorkflowEvent.TimerSet(RETRY_TIMER + retry.id(), due));
                return false;
            }
        }
        if (!covers(strategy, last)) {
            end(t, retry, last, last.phase(), last.message());
        } else if (limit != null && attempts.count() > limit) {
            end(t, retry, last, last.phase(), "No more retries left");
        } else if (!expressionHolds(t, retry, strategy, called, attempts)) {
            end(t, retry, last, last.phase(), "retryStrategy.expression evaluated to false");
        } else {
            return true;
        }
        return false;
    }

    static final String RETRY_TIMER = "retry/";

    private static void end(
            Transition t, Node retry, Node last, NodePhase phase, @Nullable String message) {
        if (retry.message() != null) {
            // A stop did not wait for the end of the pause.
            t.emit(new WorkflowEvent.TimerCancelled(RETRY_TIMER + retry.id()));
        }
        Endings.end(t, t.node(retry.id()), phase, message, last.outputs(), List.of());
    }

    private static @Nullable Long limit(RetryStrategy strategy) {
        if (strategy.limit() == null) {
            return null;
        }
        try {
            return Long.parseLong(strategy.limit().text().strip());
        } catch (NumberFormatException e) {
            throw new CallException(
                    "retryStrategy.limit is not a whole number: '" + strategy.limit().text() + "'");
        }
    }

    private static Duration pause(Backoff backoff, int attempts) {
        Duration base = Members.duration(backoff.duration());
        if (base == null) {
            throw new CallException("no base duration specified for retryStrategy");
        }
        long factor = 0;
        if (backoff.factor() != null) {
            try {
                factor = Long.parseLong(backoff.factor().text().strip());
            } catch (NumberFormatException e) {
                throw new CallException(
                        "retryStrategy.backoff.factor is not a whole number: '"
                                + backoff.factor().text()
                                + "'");
            }
        }
        double seconds = base.toNanos() / 1e9;
        if (factor > 0) {
            seconds *= Math.pow(factor, attempts - 1);
        }
        Duration cap = Members.duration(backoff.cap());
        if (cap != null) {
            seconds = Math.min(seconds, cap.toNanos() / 1e9);
        }
        // A pause of more than a century is for ever; it must not overflow.
        return Duration.ofMillis((long) Math.min(seconds * 1000, 3.2e12));
    }

    private static boolean covers(RetryStrategy strategy, Node last) {
        String policy = strategy.retryPolicy();
        if (policy == null || policy.isEmpty()) {
            policy = strategy.expression() == null ? "OnFailure" : "Always";
        }
        return switch (policy) {
            case "Always" -> true;
            case "OnError" -> last.phase() == NodePhase.ERROR;
            case "OnTransientError" ->
                    last.message() != null && TRANSIENT.matcher(last.message()).find();
            default -> last.phase() == NodePhase.FAILED;
        };
    }

    private static boolean expressionHolds(
            Transition t, Node retry, RetryStrategy strategy, Called called, Attempts attempts) {
        String expression = strategy.expression();
        if (expression == null || expression.isEmpty()) {
            return true;
        }
        Variables variables =
                Calls.variables(t, retry, called)
                        .with(layer(attempts.count() - 1, attempts.last()));
        if (Results.evaluate(expression, variables) instanceof Boolean holds) {
            return holds;
        }
        throw new CallException("retryStrategy.expression is not a condition: " + expression);
    }

    /**
     * The variables {@code retries} and {@code lastRetry.*} in the body of an attempt; null if it
     * is none.
     */
    static Variables.@Nullable Layer layerFor(Transition t, String name, boolean attempt) {
        if (!attempt) {
            return null;
        }
        var matcher = ATTEMPT.matcher(name);
        if (!matcher.find()) {
            return null;
        }
        int index = Integer.parseInt(matcher.group(1));
        String retry = name.substring(0, matcher.start());
        return layer(index, index == 0 ? null : t.find(retry + "(" + (index - 1) + ")"));
    }

    private static Variables.Layer layer(int retries, @Nullable Node last) {
        Map<String, String> flat = new LinkedHashMap<>();
        flat.put("retries", Integer.toString(retries));
        if (last == null) {
            flat.put("lastRetry.exitCode", "0");
            flat.put("lastRetry.status", "");
            flat.put("lastRetry.duration", "0");
            flat.put("lastRetry.message", "");
        } else {
            String exitCode = last.outputs() == null ? null : last.outputs().exitCode();
            double seconds = Duration.between(last.startedAt(), finishedAt(last)).toNanos() / 1e9;
            flat.put("lastRetry.exitCode", exitCode == null ? "-1" : exitCode);
            flat.put("lastRetry.status", last.phase().text());
            flat.put("lastRetry.duration", String.format(Locale.ROOT, "%.6f", seconds));
            flat.put("lastRetry.message", last.message() == null ? "" : last.message());
        }
        return new Variables.Flat(flat);
    }

    private static Instant finishedAt(Node node) {
        return node.finishedAt() == null ? node.startedAt() : node.finishedAt();
    }
}
