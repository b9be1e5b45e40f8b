package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Template;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What holds for every workflow, tried on random ones whose steps end in random ways. The seed
 * stands in the message.
 */
final class WorkflowPropertiesTest {
    private static final int RUNS = Boolean.getBoolean("soak") ? 20_000 : 300;

    @Test
    void everyWorkflowEndsAndReplaysByteForByte() {
        for (int seed = 0; seed < RUNS; seed++) {
            Scenario s = play(seed, WorkflowMachine.DEFAULT_BUDGET);
            assertThat(s.head().stage())
                    .as(
                            "seed %d: open %s, head %s",
                            seed,
                            s.state().openNodes().stream().map(id -> s.state().node(id)).toList(),
                            s.head())
                    .isEqualTo(WorkflowStage.DONE);
            assertThat(s.state().openNodes()).as("seed %d", seed).isEmpty();
            assertThat(s.head().activeSteps()).as("seed %d", seed).isZero();
            assertThat(s.claimants()).as("seed %d", seed).isEmpty();
            refold(s, seed);
            redecide(s, seed);
        }
    }

    @Test
    void portionsMakeNoDifferenceToTheTree() {
        for (int seed = 0; seed < RUNS; seed++) {
            Scenario whole = play(seed, WorkflowMachine.DEFAULT_BUDGET);
            Scenario portions = play(seed, 1);
            List<String> missing = new ArrayList<>(tree(whole));
            missing.removeAll(tree(portions));
            List<String> more = new ArrayList<>(tree(portions));
            more.removeAll(tree(whole));
            assertThat(more).as("seed %d, in portions; as a whole %s", seed, missing).isEmpty();
            assertThat(missing).as("seed %d, as a whole", seed).isEmpty();
        }
    }

    @Test
    void everyWorkflowEndsWhenItIsShutDownAtAnyTime() {
        for (int seed = 0; seed < RUNS; seed++) {
            Random random = new Random(seed);
            Scenario s =
                    Scenario.given(
                            new RandomWorkflow(random, locks(seed)).spec(), 1 + random.nextInt(5));
            int steps = random.nextInt(12);
            for (int i = 0; i < steps && s.head().stage() != WorkflowStage.DONE; i++) {
                advance(s, seed);
            }
            if (random.nextInt(4) == 0) {
                s.suspend();
            }
            boolean stop = random.nextBoolean();
            if (stop) {
                s.stop();
            } else {
                s.terminate();
            }
            // Only exit handlers may run on, and only after a stop.
            for (int i = 0; i < 500 && s.head().stage() != WorkflowStage.DONE; i++) {
                advance(s, seed);
            }
            assertThat(s.head().stage())
                    .as("seed %d, %s: open %s", seed, stop ? "stop" : "terminate", open(s))
                    .isEqualTo(WorkflowStage.DONE);
            assertThat(s.state().openNodes()).as("seed %d", seed).isEmpty();
            assertThat(s.claimants()).as("seed %d", seed).isEmpty();
            refold(s, seed);
        }
    }

    @Test
    void everyArtifactHasAPlaceOfItsOwnAndIsGivenUpOnceInItsTime() {
        for (int seed = 0; seed < RUNS; seed++) {
            Scenario s = play(seed, 1 + seed % 7);
            Set<String> places = new HashSet<>();
            s.history().stream()
                    .flatMap(d -> d.events().stream())
                    .filter(WorkflowEvent.StepRequested.class::isInstance)
                    .map(e -> ((WorkflowEvent.StepRequested) e).spec())
                    .forEach(spec -> assertPlaced(spec, places));
            assertThat(s.discarded())
                    .as("seed %d", seed)
                    .isEqualTo(kept(s, "OnWorkflowCompletion"));
            Map<String, List<Artifact>> last = new TreeMap<>(s.discarded());
            last.putAll(kept(s, "OnWorkflowDeletion"));
            s.discarded().keySet().forEach(id -> s.discards(s.state().node(id).name(), null));
            s.delete();
            assertThat(s.discarded()).as("seed %d", seed).isEqualTo(last);
            refold(s, seed);
        }
    }

    private static void assertPlaced(StepSpec spec, Set<String> places) {
        Template template = spec.template();
        if (template.inputs() != null) {
            for (Artifact in : template.inputs().artifacts()) {
                assertThat(in.local() != null || Boolean.TRUE.equals(in.optional()))
                        .as("%s: %s", spec.nodeName(), in)
                        .isTrue();
                assertThat(in.from()).isNull();
            }
        }
        if (template.outputs() != null) {
            for (Artifact out : template.outputs().artifacts()) {
                assertThat(places.add(Stored.key(out))).as(spec.nodeName()).isTrue();
            }
        }
    }

    /** What leaves stored that has this strategy, by the manifest alone. */
    private static Map<String, List<Artifact>> kept(Scenario s, String strategy) {
        String general = s.state().source().spec().path("artifactGC").path("strategy").asString();
        Map<String, List<Artifact>> all = new TreeMap<>();
        for (String id : s.state().nodes()) {
            Node node = s.state().node(id);
            if (node.type() == NodeType.POD && node.outputs() != null && general.equals(strategy)) {
                List<Artifact> artifacts =
                        node.outputs().artifacts().stream()
                                .filter(a -> a.artifactGC() == null)
                                .toList();
                if (!artifacts.isEmpty()) {
                    all.put(id, artifacts);
                }
            }
        }
        return all;
    }

    /** Every other workflow takes locks. */
    private static boolean locks(int seed) {
        return seed % 2 == 1;
    }

    private static List<String> open(Scenario s) {
        return s.state().openNodes().stream().map(id -> s.state().node(id).name()).toList();
    }

    /**
     * Folding the events, also after they went through JSON, gives the state that stood after each
     * input.
     */
    private static void refold(Scenario s, int seed) {
        InMemoryWorkflow folded = new InMemoryWorkflow();
        for (Scenario.Decided decided : s.history()) {
            for (WorkflowEvent event : decided.events()) {
                String json =
                        Json.mapper().writerFor(WorkflowEvent.class).writeValueAsString(event);
                Evolution.apply(
                        folded,
                        "default",
                        Scenario.NAME,
                        Json.mapper().readValue(json, WorkflowEvent.class));
            }
        }
        assertThat(dump(folded)).as("seed %d", seed).isEqualTo(dump(s.state()));
    }

    /** The recorded inputs with the recorded instants give the same events. */
    private static void redecide(Scenario s, int seed) {
        InMemoryWorkflow state = new InMemoryWorkflow();
        for (Scenario.Decided decided : s.history()) {
            List<WorkflowEvent> events =
                    new WorkflowMachine()
                            .decide(
                                    state,
                                    "default",
                                    Scenario.NAME,
                                    decided.input(),
                                    decided.now());
            assertThat(events).as("seed %d", seed).isEqualTo(decided.events());
            events.forEach(e -> Evolution.apply(state, "default", Scenario.NAME, e));
        }
    }

    private static List<String> dump(InMemoryWorkflow state) {
        List<String> lines = new ArrayList<>();
        lines.add(Json.tree(state.head()).toString());
        lines.add(Json.tree(state.source()).toString());
        for (String id : state.nodes()) {
            lines.add(Json.tree(state.node(id)) + " " + state.children(id));
        }
        return lines;
    }

    private static List<String> tree(Scenario s) {
        List<String> lines = new ArrayList<>();
        lines.add(s.head().phase() + " " + s.head().message());
        for (String id : s.state().nodes()) {
            Node node = s.state().node(id);
            List<String> children = s.state().children(id).stream().sorted().toList();
            lines.add(
                    node.name()
                            + " "
                            + node.type()
                            + " "
                            + node.phase()
                            + " "
                            + node.message()
                            + " "
                            + node.inputs()
                            + " "
                            + node.outputs()
                            + " "
                            + children
                            + " "
                            + node.outboundNodes().stream().sorted().toList());
        }
        return lines;
    }

    /**
     * A random workflow whose steps end as their names and the seed say, so that order and portions
     * cannot matter.
     */
    private static Scenario play(int seed, int budget) {
        Scenario s =
                Scenario.given(new RandomWorkflow(new Random(seed), locks(seed)).spec(), budget);
        for (int i = 0; i < 5_000 && s.head().stage() != WorkflowStage.DONE; i++) {
            advance(s, seed);
        }
        return s;
    }

    /** Locks are granted, or one step ends, or time goes by, or a pause is ended by hand. */
    private static void advance(Scenario s, int seed) {
        Optional<LockHolder> asking =
                s.asking().stream().min(Comparator.comparing(LockHolder::key));
        if (asking.isPresent()) {
            s.granted(asking.get());
            return;
        }
        List<String> running = s.running().stream().sorted().toList();
        if (running.isEmpty()) {
            s.after(Duration.ofSeconds(5));
            if (s.running().isEmpty() && s.head().stage() != WorkflowStage.DONE) {
                s.resume(null);
            }
            return;
        }
        String step = running.getFirst();
        int chance = Math.floorMod((step + seed).hashCode(), 10);
        if (chance < 7) {
            s.gives(step, "\"" + chance + "\"", Map.of("out", Integer.toString(chance)));
        } else if (chance < 9) {
            s.fails(step, chance);
        } else {
            s.errs(step, "lost");
        }
    }
}
