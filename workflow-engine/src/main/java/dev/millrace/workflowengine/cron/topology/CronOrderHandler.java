package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Sending;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.InfrastructureException;
import dev.millrace.log.plain.RecordHandler;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.CronOrder;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/** Has orders carried out, and tells the CronWorkflow of a workflow that did not start. */
final class CronOrderHandler implements RecordHandler<CronOrder> {
    private static final JsonSerde<CronInput> INPUTS = JsonSerde.of(CronInput.class);

    private final CronActions actions;
    private final Producer<String, byte[]> producer;

    CronOrderHandler(CronActions actions, Producer<String, byte[]> producer) {
        this.actions = actions;
        this.producer = producer;
    }

    @Override
    public void handle(LogRecord<CronOrder> record) throws Exception {
        CronOrder order = record.value();
        switch (order) {
            case CronOrder.Submit submit -> submit(submit);
            case CronOrder.Terminate terminate -> actions.terminate(terminate);
            case CronOrder.Delete delete -> actions.delete(delete);
            case null -> {}
        }
    }

    private void submit(CronOrder.Submit order) throws ExecutionException, InterruptedException {
        try {
            switch (actions.submit(order)) {
                case CronActions.Outcome.Started() -> {
                    // Its first transition says so.
                }
                case CronActions.Outcome.Exists() ->
                        tell(order, new CronInput.SubmissionEnded(order.scheduledTime(), null));
                case CronActions.Outcome.Refused(String reason) ->
                        tell(order, new CronInput.SubmissionEnded(order.scheduledTime(), reason));
            }
        } catch (InfrastructureException | KafkaException e) {
            throw e;
        } catch (RuntimeException e) {
            // The order becomes a dead letter; the CronWorkflow must not wait for it.
            tell(order, new CronInput.SubmissionEnded(order.scheduledTime(), e.toString()));
            throw e;
        }
    }

    private void tell(CronOrder order, CronInput input)
            throws ExecutionException, InterruptedException {
        try {
            Sending.send(
                            producer,
                            new ProducerRecord<>(
                                    Topics.CRON_INPUTS,
                                    order.namespace() + "/" + order.cron(),
                                    INPUTS.encode(input)))
                    .get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KafkaException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
