package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.StringJoiner;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a decision takes does not depend on how large its workflow is. */
final class WorkflowSizeTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    /** The start and the end of a loop, of a DAG or of the workflow look at all there is, once. */
    private static final int ONCE = 6;

    private enum Shape {
        FLAT(1_000, 8_000) {
            @Override
            String main(int steps) {
                return "\"steps\": [[{\"name\": \"s\", \"template\": \"noop\", \"withSequence\": {\"count\": \"%d\"}}]]"
                        .formatted(steps);
            }
        },
        WRITTEN_OUT_ITEMS(1_000, 8_000) {
            @Override
            String main(int steps) {
                StringJoiner items = new StringJoiner(",");
                for (int i = 0; i < steps; i++) {
                    items.add(Integer.toString(i));
                }
                return "\"dag\": {\"tasks\": [{\"name\": \"s\", \"template\": \"noop\", \"withItems\": [%s]}]}"
                        .formatted(items);
            }
        },
        TASKS_OF_STEPS(1_000, 8_000) {
            @Override
            String main(int steps) {
                return dag(steps / 100, "steps", 0);
            }
        },
        CHAIN(500, 4_000) {
            @Override
            String main(int steps) {
                return oneByOne(steps);
            }
        },
        CHAIN_OF_TASKS(500, 4_000) {
            @Override
            String main(int steps) {
                StringJoiner tasks = new StringJoiner(",");
                for (int i = 0; i < steps; i++) {
                    tasks.add(
                            "{\"name\": \"t%d\", \"template\": \"noop\"%s}"
                                    .formatted(
                                            i,
                                            i == 0
                                                    ? ""
                                                    : ", \"depends\": \"t%d\", \"when\": \"'{{tasks.t%d.status}}' != ''\""
                                                            .formatted(i - 1, i - 1)));
                }
                return "\"dag\": {\"tasks\": [%s]}".formatted(tasks);
            }
        },
        LAYERS(1_000, 8_000) {
            @Override
            String main(int steps) {
                return dag(steps, "noop", 10);
            }
        },
        ATTEMPTS_OF_ONE_STEP(500, 4_000) {
            @Override
            String main(int steps) {
                return """
                       "container": {"image": "busybox"}, "retryStrategy": {"limit": %d,
                         "backoff": {"duration": "0"},
                         "expression": "lastRetry.status == 'Failed' && asInt(retries) >= 0"}"""
                        .formatted(steps);
            }

            @Override
            boolean fails(int ended, int steps) {
                return ended < steps - 1;
            }
        };

        private final int small;
        private final int large;

        Shape(int small, int large) {
            this.small = small;
            this.large = large;
        }

        abstract String main(int steps);

        /** Whether the step fails that ends after so many others, of so many in all. */
        boolean fails(int ended, int steps) {
            return false;
        }

        private static String dag(int count, String template, int dependencies) {
            Random chance = new Random(1);
            StringJoiner tasks = new StringJoiner(",");
            for (int i = 0; i < count; i++) {
                int above = i / 100 * 100 - 100;
                StringJoiner names = new StringJoiner(",");
                if (above >= 0) {
                    chance.ints(0, 100)
                            .distinct()
                            .limit(dependencies)
                            .forEach(p -> names.add("\"t%d\"".formatted(above + p)));
                }
                tasks.add(
                        "{\"name\": \"t%d\", \"template\": \"%s\", \"dependencies\": [%s]}"
                                .formatted(i, template, names));
            }
            return "\"dag\": {\"tasks\": [%s]}".formatted(tasks);
        }

        private static String oneByOne(int steps) {
            StringJoiner all = new StringJoiner(",");
            for (int i = 0; i < steps; i++) {
                all.add("[{\"name\": \"s%d\", \"template\": \"noop\"}]".formatted(i));
            }
            return "\"steps\": [%s]".formatted(all);
        }

        JsonNode spec(int steps) {
            return Json.mapper()
                    .readTree(
                            """
                            {"entrypoint": "main", "templates": [
                              {"name": "main", %s}, {"name": "steps", %s},
                              {"name": "noop", "container": {"image": "busybox"}}]}"""
                                    .formatted(main(steps), oneByOne(100)));
        }
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void aDecisionTakesTheSameInALargeWorkflow(Shape shape) {
        // The first run loads classes, which is no cost of a decision.
        new Run(shape, shape.small);
        Run small = new Run(shape, shape.small);
        Run large = new Run(shape, shape.large);

        assertThat(large.usual(large.entries))
                .as("entries that a decision touches")
                .isLessThanOrEqualTo(small.usual(small.entries) * 13 / 10);
        assertThat(large.usual(large.bytes))
                .as("bytes that a decision allocates")
                .isLessThanOrEqualTo(small.usual(small.bytes) * 13 / 10);
        assertThat(large.perStep(large.entries))
                .as("entries for each step")
                .isLessThanOrEqualTo(small.perStep(small.entries) * 1.3);
        assertThat(large.perStep(large.bytes))
                .as("bytes for each step")
                .isLessThanOrEqualTo(small.perStep(small.bytes) * 1.3);
    }

    /** A workflow from its submission to its end; steps end in the order of requests. */
    private static final class Run {
        final List<Long> entries = new ArrayList<>();
        final List<Long> bytes = new ArrayList<>();
        private final WorkflowMachine machine = new WorkflowMachine();
        private final InMemoryWorkflow state = new InMemoryWorkflow();
        private final Deque<StepSpec> waiting = new ArrayDeque<>();
        private final int steps;
        private int ended;

        Run(Shape shape, int steps) {
            this.steps = steps;
            JsonNode spec = shape.spec(steps);
            ObjectNode manifest = Json.object();
            manifest.putObject("metadata").put("name", "wf").put("namespace", "ns");
            manifest.set("spec", spec);
            decide(
                    new WorkflowInput.Command(
                            new WorkflowCommand.Submit(
                                    "c", "ns", "wf", "uid", manifest, spec, Map.of(), false, null,
                                    null)));
            while (true) {
                if (!Objects.requireNonNull(state.head()).work().isEmpty()) {
                    decide(new WorkflowInput.Continue());
                } else if (!waiting.isEmpty()) {
                    StepSpec step = waiting.removeFirst();
                    boolean fails = shape.fails(ended++, steps);
                    decide(
                            new WorkflowInput.Report(
                                    new StepReport.Finished(
                                            step.stepId(),
                                            step.nodeId(),
                                            step.workflow(),
                                            NOW,
                                            NOW,
                                            new StepOutcome(
                                                    fails ? NodePhase.FAILED : NodePhase.SUCCEEDED,
                                                    null,
                                                    fails ? 1 : 0,
                                                    null,
                                                    Map.of()))));
                } else {
                    break;
                }
            }
            assertThat(state.head().phase()).isEqualTo(WorkflowPhase.SUCCEEDED);
        }

        private void decide(WorkflowInput input) {
            CountedWorkflow counting = new CountedWorkflow(state);
            long before = allocated();
            List<WorkflowEvent> events = machine.decide(counting, "ns", "wf", input, NOW);
            bytes.add(allocated() - before);
            entries.add(counting.touched() + events.size());
            for (WorkflowEvent event : events) {
                Evolution.apply(state, "ns", "wf", event);
                if (event instanceof WorkflowEvent.StepRequested(var step)) {
                    waiting.add(step);
                }
            }
        }

        /** The most that a decision took, those left out that are made once. */
        long usual(List<Long> of) {
            List<Long> sorted = new ArrayList<>(of);
            Collections.sort(sorted);
            return sorted.get(sorted.size() - 1 - Math.max(ONCE, sorted.size() / 100));
        }

        double perStep(List<Long> of) {
            return of.stream().mapToLong(n -> n).sum() / (double) steps;
        }

        private static long allocated() {
            return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                    .getCurrentThreadAllocatedBytes();
        }
    }
}
