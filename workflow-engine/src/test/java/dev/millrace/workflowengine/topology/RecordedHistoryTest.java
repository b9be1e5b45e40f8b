package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowTransition;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.state.WorkflowState;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the log holds is enough: for the state that stood, and for the decisions that were made. */
class RecordedHistoryTest {
    private static final List<String> SPECS =
            List.of(
                    Samples.HELLO,
                    Samples.DIAMOND,
                    Samples.RETRY,
                    Samples.SUSPEND,
                    Samples.loop(70));

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void theEventsGiveTheStateOfTheStoreAndTheInputsGiveTheEvents(long seed) {
        try (EngineDriver engine = new EngineDriver()) {
            happen(engine, new Random(seed));
            for (int i = 0; i < SPECS.size(); i++) {
                String name = "wf" + i;
                assertSame(seed, engine.state(name), folded(engine, name));
                decideAgain(seed, engine, name);
            }
        }
    }

    private static void happen(EngineDriver engine, Random random) {
        for (int i = 0; i < SPECS.size(); i++) {
            engine.send(Samples.submit("wf" + i, SPECS.get(i)));
        }
        for (int i = 0; i < 250; i++) {
            String name = "wf" + random.nextInt(SPECS.size());
            switch (random.nextInt(12)) {
                case 0 -> engine.pass(Duration.ofMillis(random.nextInt(2_000)));
                case 1 -> engine.send(new WorkflowCommand.Suspend("c" + i, "ns", name));
                case 2, 3 ->
                        engine.send(new WorkflowCommand.Resume("c" + i, "ns", name, null, null));
                case 4 -> engine.send(Samples.submit("s" + i, name, Samples.HELLO));
                default -> {
                    if (!engine.waiting.isEmpty()) {
                        NodePhase phase =
                                random.nextInt(5) == 0 ? NodePhase.FAILED : NodePhase.SUCCEEDED;
                        engine.finish(engine.waiting.removeFirst(), phase);
                    }
                }
            }
        }
    }

    private static InMemoryWorkflow folded(EngineDriver engine, String name) {
        InMemoryWorkflow state = new InMemoryWorkflow();
        for (WorkflowTransition t : engine.transitions.values()) {
            if (t.name().equals(name)) {
                t.events().forEach(e -> Evolution.apply(state, t.namespace(), t.name(), e));
            }
        }
        return state;
    }

    private static void decideAgain(long seed, EngineDriver engine, String name) {
        WorkflowMachine machine = new WorkflowMachine(20);
        InMemoryWorkflow state = new InMemoryWorkflow();
        for (EngineDriver.Decided recorded : engine.decided) {
            if (!recorded.workflow().equals(Samples.key(name))) {
                continue;
            }
            List<WorkflowEvent> events =
                    machine.decide(state, "ns", name, recorded.input(), recorded.now());
            assertThat(events)
                    .as("seed %d, %s, %s", seed, name, recorded.input())
                    .isEqualTo(recorded.events());
            events.forEach(e -> Evolution.apply(state, "ns", name, e));
        }
    }

    private static void assertSame(long seed, WorkflowState store, WorkflowState folded) {
        String which = "seed " + seed;
        assertThat(store.head()).as(which).isEqualTo(folded.head());
        assertThat(store.source()).as(which).isEqualTo(folded.source());
        assertThat(store.nodes()).as(which).isEqualTo(folded.nodes());
        assertThat(store.openNodes()).as(which).isEqualTo(folded.openNodes());
        for (String id : folded.nodes()) {
            assertThat(store.node(id)).as(which).isEqualTo(folded.node(id));
            assertThat(store.children(id)).as(which).isEqualTo(folded.children(id));
        }
    }
}
