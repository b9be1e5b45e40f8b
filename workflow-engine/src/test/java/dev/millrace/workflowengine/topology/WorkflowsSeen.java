package dev.millrace.workflowengine.topology;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.CommandAnswer;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A reader of workflow-events: folds what happens, and checks that numbers have neither gaps nor
 * repeats.
 */
final class WorkflowsSeen implements AutoCloseable {
    private final Map<String, InMemoryWorkflow> workflows = new HashMap<>();
    private final Map<String, Long> last = new HashMap<>();
    private final Map<String, Integer> nodesFinished = new HashMap<>();
    private final Map<String, Integer> nodesAdded = new HashMap<>();
    private final Map<String, Integer> erased = new HashMap<>();
    private final List<CommandAnswer> answers = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private final TailReader<WorkflowTransition> reader;

    WorkflowsSeen(LogConnection log) {
        reader =
                TailReader.start(
                        log,
                        "seen",
                        Topics.WORKFLOW_EVENTS,
                        Positions.START,
                        JsonSerde.of(WorkflowTransition.class),
                        (batch, _) -> batch.forEach(this::take));
    }

    private synchronized void take(LogRecord<WorkflowTransition> record) {
        String key = String.valueOf(record.key());
        WorkflowTransition t = record.value();
        String workflow = TransitionKeys.workflow(key);
        if (t == null) {
            erased.merge(workflow, 1, Integer::sum);
            return;
        }
        for (WorkflowEvent event : t.events()) {
            if (event instanceof WorkflowEvent.CommandAnswered(var answer)) {
                answers.add(answer);
            }
            if (event instanceof WorkflowEvent.NodeAdded) {
                nodesAdded.merge(workflow, 1, Integer::sum);
            }
            if (event instanceof WorkflowEvent.NodeFinished finished) {
                nodesFinished.merge(t.uid() + "/" + finished.nodeId(), 1, Integer::sum);
            }
        }
        if (t.seq() == 0) {
            return;
        }
        long expected = last.getOrDefault(workflow, 0L) + 1;
        if (t.seq() != expected) {
            faults.add(key + " where " + expected + " was expected");
        }
        last.put(workflow, t.seq());
        InMemoryWorkflow state = workflows.computeIfAbsent(workflow, _ -> new InMemoryWorkflow());
        t.events().forEach(e -> Evolution.apply(state, t.namespace(), t.name(), e));
    }

    synchronized Optional<WorkflowHead> head(String name) {
        return Optional.ofNullable(workflows.get(Samples.key(name))).map(InMemoryWorkflow::head);
    }

    synchronized Optional<CommandAnswer> answer(String commandId) {
        return answers.stream().filter(a -> a.commandId().equals(commandId)).findFirst();
    }

    synchronized long answers(String commandId) {
        return answers.stream().filter(a -> a.commandId().equals(commandId)).count();
    }

    synchronized int erased(String name) {
        return erased.getOrDefault(Samples.key(name), 0);
    }

    /** How many nodes it ever had. */
    synchronized int nodes(String name) {
        return nodesAdded.getOrDefault(Samples.key(name), 0);
    }

    /** Numbers out of order, and nodes that ended twice. */
    synchronized List<String> faults() {
        List<String> all = new ArrayList<>(faults);
        nodesFinished.forEach(
                (node, times) -> {
                    if (times > 1) {
                        all.add(node + " finished " + times + " times");
                    }
                });
        return all;
    }

    @Override
    public void close() {
        reader.close();
    }
}
