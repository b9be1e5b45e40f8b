package dev.millrace.triggers.action;

import dev.millrace.schemas.sensor.TriggerPolicy.K8sPolicy;
import dev.millrace.triggers.backoff.RetryPolicy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code policy.k8s}: what a trigger made must get certain labels. It is looked at as often as the
 * backoff says, five times without one; labels that do not come in time are a failure only if
 * {@code errorOnBackoffTimeout} says so.
 */
final class LabelPolicy {

    /** Waits. */
    interface Pause {
        void of(Duration duration) throws InterruptedException;
    }

    private final Pause pause;

    LabelPolicy(Pause pause) {
        this.pause = pause;
    }

    /**
     * @param made how the object was made
     * @param labels those that it has now, empty if it is gone
     */
    DispatchOutcome judge(
            @Nullable K8sPolicy policy,
            DispatchOutcome made,
            Supplier<Optional<Map<String, String>>> labels)
            throws InterruptedException {
        if (policy == null || !(made instanceof DispatchOutcome.Succeeded(String detail))) {
            return made;
        }
        RetryPolicy backoff =
                policy.backoff() == null ? RetryPolicy.DEFAULT : RetryPolicy.of(policy.backoff());
        return switch (backoff) {
            case RetryPolicy.Unreadable(String message) -> new DispatchOutcome.Failed(message);
            case RetryPolicy.Attempts attempts -> {
                Map<String, String> last = Map.of();
                for (int i = 1; i <= attempts.attempts(); i++) {
                    last = labels.get().orElse(Map.of());
                    if (last.entrySet().containsAll(policy.labels().entrySet())) {
                        yield new DispatchOutcome.Succeeded(detail + " has " + policy.labels());
                    }
                    if (i < attempts.attempts()) {
                        pause.of(attempts.after(i, ThreadLocalRandom.current().nextDouble()));
                    }
                }
                String message =
                        "%s did not get the labels %s of policy.k8s in time; it has %s"
                                .formatted(detail, policy.labels(), last);
                yield Boolean.TRUE.equals(policy.errorOnBackoffTimeout())
                        ? new DispatchOutcome.Failed(message)
                        : new DispatchOutcome.Succeeded(message);
            }
        };
    }
}
