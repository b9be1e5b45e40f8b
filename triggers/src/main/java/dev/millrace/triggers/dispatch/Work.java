package dev.millrace.triggers.dispatch;

import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.TriggerRetry;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** A record that the dispatcher reads. */
sealed interface Work {

    /** An activation that came from the matcher, the joiner or a dlqTrigger. */
    record New(Activation activation) implements Work {}

    /** An attempt that is due now. */
    record Released(TriggerRetry retry) implements Work {}

    /** An attempt that is not due yet; the timers have it. */
    record Held() implements Work {}

    JsonSerde<Activation> ACTIVATIONS = JsonSerde.of(Activation.class);
    JsonSerde<TriggerRetry> RETRIES = JsonSerde.of(TriggerRetry.class);

    static Work decode(ConsumerRecord<String, byte[]> record) {
        if (!record.topic().equals(Topics.TRIGGER_RETRIES)) {
            return new New(ACTIVATIONS.decode(record));
        }
        TriggerRetry retry = RETRIES.decode(record);
        return retry.released() ? new Released(retry) : new Held();
    }
}
