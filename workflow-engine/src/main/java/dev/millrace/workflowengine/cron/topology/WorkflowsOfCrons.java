package dev.millrace.workflowengine.cron.topology;

import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.StreamsSettings;
import dev.millrace.schemas.record.CronInput;
import dev.millrace.workflowengine.topology.TransitionKeys;
import java.util.Objects;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/**
 * Tells CronWorkflows of the beginning and the end of their workflows. Whose a workflow is stands
 * in its first transition only, so that is remembered until it is deleted.
 */
final class WorkflowsOfCrons implements Processor<String, LifeSigns, String, CronInput> {
    static final String STORE = "cron-workflows";

    /** Whose a workflow is. */
    record Belonging(String cron, String uid) {}

    private @Nullable ProcessorContext<String, CronInput> context;
    private @Nullable KeyValueStore<String, Belonging> store;

    /** In memory: a few hundred bytes for each workflow in the history of a cron. */
    static StoreBuilder<KeyValueStore<String, Belonging>> builder() {
        return Stores.keyValueStoreBuilder(
                        Stores.inMemoryKeyValueStore(STORE),
                        Serdes.String(),
                        JsonSerde.of(Belonging.class))
                .withCachingDisabled()
                .withLoggingEnabled(StreamsSettings.changelog());
    }

    @Override
    public void init(ProcessorContext<String, CronInput> context) {
        this.context = context;
        this.store = context.getStateStore(STORE);
    }

    @Override
    public void process(Record<String, LifeSigns> record) {
        LifeSigns transition = record.value();
        if (transition == null || transition.signs().isEmpty()) {
            return;
        }
        String workflow = TransitionKeys.workflow(record.key());
        for (LifeSigns.Sign sign : transition.signs()) {
            sign(workflow, transition.uid(), sign, record);
        }
    }

    private void sign(
            String workflow, String uid, LifeSigns.Sign sign, Record<String, LifeSigns> record) {
        KeyValueStore<String, Belonging> known = Objects.requireNonNull(store, "not initialised");
        String name = workflow.substring(workflow.indexOf('/') + 1);
        switch (sign) {
            case LifeSigns.Sign.Submitted(String cron, boolean owned) -> {
                if (cron != null) {
                    Belonging belonging = new Belonging(cron, uid);
                    known.put(workflow, belonging);
                    tell(
                            workflow,
                            belonging,
                            new CronInput.WorkflowSubmitted(name, uid, owned),
                            record);
                }
            }
            case LifeSigns.Sign.Finished(var phase, var at) -> {
                Belonging belonging = known.get(workflow);
                if (belonging != null && belonging.uid().equals(uid)) {
                    tell(
                            workflow,
                            belonging,
                            new CronInput.WorkflowFinished(name, uid, phase, at),
                            record);
                }
            }
            case LifeSigns.Sign.Deleted() -> {
                Belonging belonging = known.delete(workflow);
                if (belonging != null) {
                    tell(
                            workflow,
                            belonging,
                            new CronInput.WorkflowDeleted(name, belonging.uid()),
                            record);
                }
            }
        }
    }

    private void tell(
            String workflow,
            Belonging belonging,
            CronInput input,
            Record<String, LifeSigns> record) {
        String namespace = workflow.substring(0, workflow.indexOf('/'));
        Objects.requireNonNull(context, "not initialised")
                .forward(
                        new Record<>(
                                namespace + "/" + belonging.cron(), input, record.timestamp()));
    }
}
