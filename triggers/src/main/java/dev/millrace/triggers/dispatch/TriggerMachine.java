package dev.millrace.triggers.dispatch;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.DeadLetter;
import dev.millrace.schemas.record.TriggerRetry;
import dev.millrace.schemas.sensor.Trigger;
import dev.millrace.triggers.action.DispatchOutcome;
import dev.millrace.triggers.backoff.RetryPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What comes next for an activation: an attempt, a pause, the end. No clock, no chance, no I/O. */
final class TriggerMachine {

    private TriggerMachine() {}

    /** What comes next. */
    sealed interface Next {

        /** Make that attempt now. */
        record Try(int attempt, List<String> failures) implements Next {}

        /** Hand it over until it is due. */
        record Wait(TriggerRetry retry) implements Next {}

        /** It is done. */
        record Done(String detail) implements Next {}

        /**
         * There will be no further attempt.
         *
         * @param dlq what {@code dlqTrigger} makes of it, null if there is none
         */
        record GaveUp(DeadLetter letter, @Nullable Activation dlq) implements Next {}
    }

    /** For an activation that is new. A trigger with a rate limit waits for its turn. */
    static Next first(Activation activation, Instant now) {
        return switch (policy(activation)) {
            case RetryPolicy.Unreadable(String message) ->
                    giveUp(activation, List.of(message), now);
            case RetryPolicy.Attempts _ ->
                    isLimited(activation)
                            ? new Next.Wait(new TriggerRetry(activation, 1, now, List.of(), false))
                            : new Next.Try(1, List.of());
        };
    }

    /**
     * After an attempt.
     *
     * @param failures of the attempts before it, oldest first
     * @param chance from 0 to 1, for the jitter
     */
    static Next after(
            Activation activation,
            int attempt,
            List<String> failures,
            DispatchOutcome outcome,
            Instant now,
            double chance) {
        return switch (outcome) {
            case DispatchOutcome.Succeeded(String detail) -> new Next.Done(detail);
            case DispatchOutcome.Refused(String message) ->
                    giveUp(activation, with(failures, message), now);
            case DispatchOutcome.Failed(String message) -> {
                List<String> all = with(failures, message);
                yield switch (policy(activation)) {
                    case RetryPolicy.Attempts attempts when attempt < attempts.attempts() ->
                            new Next.Wait(
                                    new TriggerRetry(
                                            activation,
                                            attempt + 1,
                                            now.plus(attempts.after(attempt, chance)),
                                            all,
                                            false));
                    case RetryPolicy.Attempts _, RetryPolicy.Unreadable _ ->
                            giveUp(activation, all, now);
                };
            }
        };
    }

    /** Whether its trigger has a rate limit. */
    static boolean isLimited(Activation activation) {
        return activation.triggerManifest().path("rateLimit").isObject();
    }

    private static Next giveUp(Activation activation, List<String> failures, Instant now) {
        DeadLetter letter =
                new DeadLetter(
                        activation.id(),
                        activation.id(),
                        TriggerKey.of(activation),
                        failures.getLast(),
                        Json.tree(activation),
                        failures,
                        now);
        JsonNode dlq = activation.triggerManifest().path("dlqTrigger");
        return new Next.GaveUp(
                letter, dlq instanceof ObjectNode manifest ? dlq(activation, manifest, now) : null);
    }

    /** The dlqTrigger as an activation of its own, over the same events. It has no rate limit. */
    private static Activation dlq(Activation activation, ObjectNode manifest, Instant now) {
        ObjectNode unlimited = manifest.deepCopy();
        unlimited.remove("rateLimit");
        return new Activation(
                activation.id() + "-dlq",
                activation.namespace(),
                activation.sensor(),
                manifest.path("template").path("name").asString(activation.trigger()),
                activation.manifestVersion(),
                activation.events(),
                unlimited,
                now,
                activation.replay(),
                activation.kind());
    }

    private static RetryPolicy policy(Activation activation) {
        try {
            return RetryPolicy.of(
                    Json.convert(activation.triggerManifest(), Trigger.class).retryStrategy());
        } catch (JacksonException e) {
            return new RetryPolicy.Unreadable(
                    "the trigger cannot be read: " + e.getOriginalMessage());
        }
    }

    private static List<String> with(List<String> failures, String message) {
        List<String> all = new ArrayList<>(failures);
        all.add(message);
        return List.copyOf(all);
    }
}
