package dev.millrace.schemas.sensor;

import dev.millrace.schemas.event.Backoff;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An action and how often it is tried.
 *
 * @param parameters change the template before anything is fetched
 * @param atLeastOnce absent means false
 * @param dlqTrigger runs when the last attempt failed
 */
public record Trigger(
        TriggerTemplate template,
        List<TriggerParameter> parameters,
        @Nullable TriggerPolicy policy,
        @Nullable Backoff retryStrategy,
        @Nullable RateLimit rateLimit,
        @Nullable Boolean atLeastOnce,
        @Nullable Trigger dlqTrigger) {
    public Trigger {
        parameters = parameters == null ? List.of() : parameters;
    }
}
