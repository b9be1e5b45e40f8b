package dev.millrace.server.readmodel;

import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.log.serde.RecordDecoder;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.server.readmodel.WorkflowChanges.Change;
import dev.millrace.workflowengine.state.Evolution;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Folds {@code workflow-events}, with the fold that the engine uses. */
final class WorkflowProjection implements TopicProjection<WorkflowTransition> {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowProjection.class);
    private static final JsonSerde<WorkflowTransition> SERDE =
            JsonSerde.of(WorkflowTransition.class);

    private final WorkflowChanges changes;
    private final List<CommandAnswer> answers = new ArrayList<>();
    private final List<Change> changed = new ArrayList<>();

    WorkflowProjection(WorkflowChanges changes) {
        this.changes = changes;
    }

    @Override
    public String topic() {
        return Topics.WORKFLOW_EVENTS;
    }

    @Override
    public RecordDecoder<WorkflowTransition> decoder() {
        return SERDE;
    }

    @Override
    public void apply(Handle handle, List<LogRecord<WorkflowTransition>> records) {
        Map<String, SqlWorkflowState> states = new LinkedHashMap<>();
        for (LogRecord<WorkflowTransition> record : records) {
            WorkflowTransition transition = record.value();
            if (transition == null) {
                tombstone(handle, states, record);
            } else {
                fold(
                        state(handle, states, transition.namespace(), transition.name()),
                        transition,
                        record);
            }
        }
        states.forEach(
                (key, state) -> {
                    state.flush();
                    int slash = key.indexOf('/');
                    changed.add(
                            new Change(
                                    key.substring(0, slash),
                                    key.substring(slash + 1),
                                    state.gone()));
                });
    }

    @Override
    public void committed() {
        // Rows first: who hears of an answer reads what it answered.
        answers.forEach(changes::answered);
        changed.forEach(changes::changed);
        rolledBack();
    }

    @Override
    public void rolledBack() {
        answers.clear();
        changed.clear();
    }

    private void fold(
            SqlWorkflowState state, WorkflowTransition t, LogRecord<WorkflowTransition> record) {
        SqlWorkflowState.Version known = state.version();
        if (known != null && t.seq() <= known.seq()) {
            LOG.warn(
                    "{} is a repeat of transition {} of {}/{}",
                    record.place(),
                    t.seq(),
                    t.namespace(),
                    t.name());
            return;
        }
        for (WorkflowEvent event : t.events()) {
            if (event instanceof WorkflowEvent.CommandAnswered(var answer)) {
                answers.add(answer);
            }
            if (event instanceof WorkflowEvent.Submitted) {
                // What is still here is of an earlier life whose end was compacted away.
                if (state.head() != null) {
                    state.remove();
                }
            } else if (state.head() == null) {
                // An answer about a workflow that does not exist, or the rest of a deleted one
                // whose beginning was
                // compacted away.
                continue;
            }
            Evolution.apply(state, t.namespace(), t.name(), event);
        }
        if (state.head() != null) {
            state.at(t.seq(), record.partition(), record.offset());
        }
    }

    /**
     * The engine removes the records of a deleted workflow one by one. Its rows went with the
     * Deleted event, unless this reader was away until that one was compacted too.
     */
    private static void tombstone(
            Handle handle,
            Map<String, SqlWorkflowState> states,
            LogRecord<WorkflowTransition> record) {
        String[] key = String.valueOf(record.key()).split("/", -1);
        if (key.length != 3 || !key[2].matches("\\d{1,18}")) {
            LOG.error(
                    "{} has the key {}, which is not namespace/name/seq",
                    record.place(),
                    record.key());
            return;
        }
        SqlWorkflowState state = state(handle, states, key[0], key[1]);
        SqlWorkflowState.Version known = state.version();
        if (known != null && Long.parseLong(key[2]) == known.firstSeq()) {
            state.remove();
        }
    }

    private static SqlWorkflowState state(
            Handle handle, Map<String, SqlWorkflowState> states, String namespace, String name) {
        return states.computeIfAbsent(
                namespace + "/" + name, _ -> SqlWorkflowState.load(handle, namespace, name));
    }
}
