package dev.millrace.triggers.dispatch;

import dev.millrace.schemas.record.Activation;

/** Keys of records about activations. */
final class TriggerKey {

    private TriggerKey() {}

    /** {@code namespace/sensor/trigger}. */
    static String of(Activation activation) {
        return activation.namespace() + "/" + activation.sensor() + "/" + activation.trigger();
    }

    /**
     * Of a retry: the activation's id, so that retries spread over the partitions; but a rate limit
     * is kept by one owner, who must see all of its trigger.
     */
    static String ofRetry(Activation activation) {
        return TriggerMachine.isLimited(activation) ? of(activation) : activation.id();
    }
}
