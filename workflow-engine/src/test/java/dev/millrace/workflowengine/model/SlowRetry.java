package dev.millrace.workflowengine.model;

import dev.millrace.expressions.duration.HumanDuration;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Retry nodes and their attempts, by the ladder of conditions. */
final class SlowRetry {
    private final SlowTree tree;

    SlowRetry(SlowTree tree) {
        this.tree = tree;
    }

    void advance(Spot retry) throws Full {
        Flow.Retry strategy = Objects.requireNonNull(tree.retry(retry.template()));
        List<Spot> attempts = retry.attempts();
        Spot.Call next = attempt(retry, attempts.size());
        if (!attempts.isEmpty()) {
            Spot last = attempts.getLast();
            tree.calls.advance(last);
            if (!last.fulfilled()) {
                return;
            }
            // It looks again when the pause is over or, if it waits for a slot, when there is one.
            boolean looks = tree.ended(next.exit()) || tree.slots.core().ended(retry.name());
            if (waits(retry) && !retry.rung && !tree.ended(next.exit())) {
                return;
            }
            if (retry.waitsForSlot && !looks) {
                tree.slots.mayStart(next);
            }
            if (!again(retry, strategy, attempts)) {
                return;
            }
        }
        // Hooks see the node run before what becomes of the attempt is looked at.
        retry.waitsForSlot = true;
        tree.slots.mayStart(next);
        retry.waitsForSlot = false;
        retry.message = null;
        retry.rung = false;
        try {
            tree.calls.execute(next);
        } catch (Unfit e) {
            tree.neverRan(next, NodePhase.ERROR, e.text());
        }
    }

    /** The call of an attempt; its locks are those of the Retry node. */
    private static Spot.Call attempt(Spot retry, int number) {
        return new Spot.Call(
                retry.name() + "(" + number + ")",
                retry.template(),
                retry.call.inline(),
                new LinkedHashMap<>(retry.inputs),
                retry.boundary(),
                retry.call.member(),
                false,
                true,
                retry.call.exit(),
                List.of(retry));
    }

    /** Whether there is another attempt now; if there is none ever, the node ends. */
    private boolean again(Spot retry, Flow.Retry strategy, List<Spot> attempts) {
        Spot last = attempts.getLast();
        if (!last.failed()) {
            return end(retry, NodePhase.SUCCEEDED, null);
        }
        if (tree.shut(retry.call.exit())) {
            return end(retry, last.phase, tree.stopped());
        }
        if (tree.late(retry.call.exit())) {
            return end(
                    retry, last.phase, "retry exceeded workflow deadline " + tree.root.deadline());
        }
        Integer limit = strategy.limit();
        boolean exhausted = limit != null && attempts.size() > limit;
        if (strategy.base() > 0) {
            Instant most =
                    strategy.most() == 0
                            ? null
                            : attempts.getFirst().started.plusSeconds(strategy.most());
            if (most != null && tree.now.isAfter(most)) {
                return end(retry, last.phase, "Max duration limit exceeded");
            }
            Instant due = due(strategy, attempts);
            if (most != null && due.isAfter(most)) {
                return end(retry, last.phase, "Backoff would exceed max duration limit");
            }
            boolean pause = waits(retry) || due.isAfter(tree.now);
            if (!retry.rung && pause && limit != null && !exhausted) {
                if (retry.message == null) {
                    // The text is of the instant at which the pause begins.
                    retry.message =
                            "Backoff for " + HumanDuration.words(Duration.between(tree.now, due));
                }
                return false;
            }
        }
        if (!covers(strategy, last.phase)) {
            return end(retry, last.phase, last.message);
        }
        if (exhausted) {
            return end(retry, last.phase, "No more retries left");
        }
        boolean holds =
                switch (strategy.again()) {
                    case null -> true;
                    case CODE_IS_1 -> "1".equals(last.exitCode);
                    case ERRED -> last.phase == NodePhase.ERROR;
                    case FIRST_TIME -> attempts.size() == 1;
                };
        if (!holds) {
            return end(retry, last.phase, "retryStrategy.expression evaluated to false");
        }
        return true;
    }

    static Instant due(Flow.Retry strategy, List<Spot> attempts) {
        double seconds = strategy.base();
        if (strategy.factor() > 0) {
            seconds *= Math.pow(strategy.factor(), attempts.size() - 1);
        }
        if (strategy.cap() > 0) {
            seconds = Math.min(seconds, strategy.cap());
        }
        return Objects.requireNonNull(attempts.getLast().finished)
                .plusMillis((long) (seconds * 1000));
    }

    private static boolean covers(Flow.Retry strategy, NodePhase phase) {
        return switch (strategy.policy()) {
            case null -> strategy.again() != null || phase == NodePhase.FAILED;
            case "Always" -> true;
            case "OnError" -> phase == NodePhase.ERROR;
            default -> phase == NodePhase.FAILED;
        };
    }

    /** The outputs are those of the last attempt, whatever it was that ended the node. */
    private boolean end(Spot retry, NodePhase phase, @Nullable String message) {
        Spot last = retry.attempts().getLast();
        retry.outputs = last.outputs;
        retry.result = last.result;
        retry.exitCode = last.exitCode;
        tree.finish(retry, phase, message, List.of());
        return false;
    }

    static boolean waits(Spot spot) {
        return spot.type == NodeType.RETRY
                && !spot.fulfilled()
                && spot.message != null
                && spot.message.startsWith("Backoff for ");
    }
}
