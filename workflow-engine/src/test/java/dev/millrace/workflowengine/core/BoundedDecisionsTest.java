package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.ShutdownStrategy;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.record.WorkflowStage;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * No decision of a workflow, from its submission to its deletion, looks at or writes more entries
 * because the workflow is large: also not the one in which something very wide starts, fails, ends,
 * is stopped or is taken up again.
 */
final class BoundedDecisionsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private enum Shape {
        A_TASK_FAILS_THAT_ALL_OTHERS_WAIT_FOR(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return dag(n, i -> i == 0 ? "" : ", \"depends\": \"t0\"");
            }

            @Override
            boolean fails(String node) {
                return node.endsWith(".t0");
            }
        },
        A_CHAIN_OF_TASKS_FAILS_AT_ITS_FIRST(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return dag(n, i -> i == 0 ? "" : ", \"depends\": \"t%d\"".formatted(i - 1));
            }

            @Override
            boolean fails(String node) {
                return node.endsWith(".t0");
            }
        },
        A_FLAT_DAG_SUCCEEDS(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return dag(n, _ -> "");
            }
        },
        HALF_OF_A_FLAT_DAG_FAILS(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return dag(n, _ -> "");
            }

            @Override
            boolean fails(String node) {
                return odd(node);
            }
        },
        A_TASK_WAITS_FOR_ALL_OTHERS(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return dag(
                        n,
                        i ->
                                i < n - 1
                                        ? ""
                                        : ", \"dependencies\": [%s]"
                                                .formatted(names(n, "\"", ",")));
            }
        },
        A_TASK_WAITS_FOR_ALL_OTHERS_AND_ONE_FAILS(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return A_TASK_WAITS_FOR_ALL_OTHERS.main(n);
            }

            @Override
            boolean fails(String node) {
                return node.endsWith(".t7");
            }
        },
        A_TASK_WAITS_FOR_THE_FAILURE_OF_ANY(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return dag(
                        n,
                        i ->
                                i < n - 1
                                        ? ""
                                        : ", \"depends\": \"%s\""
                                                .formatted(
                                                        names(n, "", ".Failed || ") + ".Failed"));
            }

            @Override
            boolean fails(String node) {
                return node.endsWith(".t" + (SMALL - 3));
            }
        },
        ITEMS_OF_A_LOOP_IN_STEPS_FAIL_BUT_ARE_TOLERATED(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return "\"steps\": [[{\"name\": \"s\", \"template\": \"noop\", \"continueOn\": {\"failed\": true}, \"withSequence\": {\"count\": \"%d\"}}], [{\"name\": \"last\", \"template\": \"noop\"}]]"
                        .formatted(n);
            }

            @Override
            boolean fails(String node) {
                return odd(node);
            }
        },
        ITEMS_OF_A_LOOP_IN_A_DAG_FAIL(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return "\"dag\": {\"tasks\": [{\"name\": \"s\", \"template\": \"noop\", \"withSequence\": {\"count\": \"%d\"}}, {\"name\": \"last\", \"depends\": \"s\", \"template\": \"noop\"}]}"
                        .formatted(n);
            }

            @Override
            boolean fails(String node) {
                return odd(node);
            }
        },
        ALL_ITEMS_OF_A_LOOP_ARE_SKIPPED(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return "\"steps\": [[{\"name\": \"s\", \"template\": \"noop\", \"when\": \"{{item}} == no\", \"withSequence\": {\"count\": \"%d\"}}]]"
                        .formatted(n);
            }
        },
        THE_FIRST_FAILURE_ENDS_A_WIDE_DAG(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return "\"failFast\": true, " + dag(n, _ -> "");
            }

            @Override
            boolean fails(String node) {
                return node.endsWith(".t0");
            }
        },
        THE_FIRST_FAILURE_ENDS_A_DAG_WITH_A_WIDE_LOOP(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return "\"failFast\": true, \"parallelism\": %d, \"dag\": {\"tasks\": [{\"name\": \"s\", \"template\": \"noop\", \"withSequence\": {\"count\": \"%d\"}}]}"
                        .formatted(n - 1, n);
            }

            @Override
            boolean fails(String node) {
                return node.contains("(0:");
            }
        },
        STEPS_IN_EACH_OTHER_END_WITH_A_WIDE_LOOP(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return """
                       "dag": {"tasks": [{"name": "a", "template": "outer"},
                         {"name": "b", "depends": "a", "template": "noop"}]}},
                       {"name": "outer", "steps": [[{"name": "o", "template": "inner"}]]},
                       {"name": "inner", "steps": [[{"name": "s", "template": "noop",
                         "withSequence": {"count": "%d"}}]]"""
                        .formatted(n);
            }
        },
        A_WIDE_DAG_INSIDE_OF_STEPS(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return """
                       "steps": [[{"name": "a", "template": "wide"}], [{"name": "b", "template": "noop"}]]},
                       {"name": "wide", %s"""
                        .formatted(dag(n, _ -> ""));
            }
        },
        A_LARGE_DAG_IS_TAKEN_UP_AGAIN(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return dag(n, _ -> "");
            }

            @Override
            boolean fails(String node) {
                return node.endsWith("9");
            }

            @Override
            @Nullable WorkflowCommand then() {
                return new WorkflowCommand.Retry("r", "ns", "wf", false, null, Map.of());
            }
        },
        A_CHAIN_IS_TAKEN_UP_AGAIN_AT_ITS_FIRST(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return A_CHAIN_OF_TASKS_FAILS_AT_ITS_FIRST.main(n);
            }

            @Override
            boolean fails(String node) {
                return A_CHAIN_OF_TASKS_FAILS_AT_ITS_FIRST.fails(node);
            }

            @Override
            @Nullable WorkflowCommand then() {
                return A_LARGE_DAG_IS_TAKEN_UP_AGAIN.then();
            }
        },
        A_TASK_THAT_ALL_OTHERS_WAIT_FOR_IS_DONE_AGAIN(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return A_TASK_FAILS_THAT_ALL_OTHERS_WAIT_FOR.main(n);
            }

            @Override
            boolean fails(String node) {
                return A_TASK_FAILS_THAT_ALL_OTHERS_WAIT_FOR.fails(node);
            }

            @Override
            @Nullable WorkflowCommand then() {
                return A_LARGE_DAG_IS_TAKEN_UP_AGAIN.then();
            }
        },
        A_LOOP_IN_A_DAG_IS_TAKEN_UP_AGAIN(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return ITEMS_OF_A_LOOP_IN_A_DAG_FAIL.main(n);
            }

            @Override
            boolean fails(String node) {
                return ITEMS_OF_A_LOOP_IN_A_DAG_FAIL.fails(node);
            }

            @Override
            @Nullable WorkflowCommand then() {
                return A_LARGE_DAG_IS_TAKEN_UP_AGAIN.then();
            }
        },
        A_TASK_THAT_WAITED_FOR_ALL_OTHERS_IS_TAKEN_UP_AGAIN(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return A_TASK_WAITS_FOR_ALL_OTHERS_AND_ONE_FAILS.main(n);
            }

            @Override
            boolean fails(String node) {
                return A_TASK_WAITS_FOR_ALL_OTHERS_AND_ONE_FAILS.fails(node);
            }

            @Override
            @Nullable WorkflowCommand then() {
                return A_LARGE_DAG_IS_TAKEN_UP_AGAIN.then();
            }
        },
        A_WIDE_LOOP_IS_STOPPED(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return "\"steps\": [[{\"name\": \"s\", \"template\": \"noop\", \"withSequence\": {\"count\": \"%d\"}}]]"
                        .formatted(n);
            }

            @Override
            boolean runs() {
                return false;
            }

            @Override
            @Nullable WorkflowCommand then() {
                return new WorkflowCommand.Shutdown(
                        "s", "ns", "wf", ShutdownStrategy.TERMINATE, null, null);
            }
        },
        STEPS_NEXT_TO_EACH_OTHER_WAIT_FOR_SLOTS(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                return """
                       %s},
                       {"name": "pair", "steps": [[{"name": "x", "template": "noop"}]]"""
                        .formatted(dag(n, _ -> "").replace("\"noop\"", "\"pair\""));
            }

            @Override
            String workflow() {
                return "\"parallelism\": 5,";
            }
        },
        ATTEMPTS_WAIT_FOR_SLOTS(WorkflowPhase.FAILED) {
            @Override
            String main(int n) {
                return """
                       "parallelism": %d, "steps": [[{"name": "s", "template": "again",
                         "withSequence": {"count": "%d"}}]]},
                       {"name": "again", "retryStrategy": {"limit": 1}, "container": {"image": "busybox"}"""
                        .formatted(n / 2, n);
            }

            @Override
            boolean fails(String node) {
                return true;
            }
        },
        HOOKS_OF_STEPS_NEXT_TO_EACH_OTHER(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                StringJoiner all = new StringJoiner(",");
                for (int i = 0; i < n; i++) {
                    all.add(
                            "{\"name\": \"t%d\", \"template\": \"noop\", \"hooks\": {\"h\": {\"template\": \"noop\", \"expression\": \"steps['t%d'].status == 'Error'\"}}}"
                                    .formatted(i, i));
                }
                return "\"steps\": [[%s]]".formatted(all);
            }
        },
        EXPRESSIONS_OVER_STEPS_BEFORE(WorkflowPhase.SUCCEEDED) {
            @Override
            String main(int n) {
                StringJoiner all = new StringJoiner(",");
                for (int i = 0; i < n; i++) {
                    all.add(
                            "[{\"name\": \"t%d\", \"template\": \"noop\"%s}]"
                                    .formatted(
                                            i,
                                            i == 0
                                                    ? ""
                                                    : ", \"when\": \"{{=steps.t0.status}} == Succeeded\""));
                }
                return "\"steps\": [%s]".formatted(all);
            }
        };

        private final WorkflowPhase end;

        Shape(WorkflowPhase end) {
            this.end = end;
        }

        abstract String main(int n);

        boolean fails(String node) {
            return false;
        }

        /** Whether steps end by themselves. */
        boolean runs() {
            return true;
        }

        /** What somebody does when nothing goes on by itself any more. */
        @Nullable WorkflowCommand then() {
            return null;
        }

        String workflow() {
            return "";
        }

        private static boolean odd(String node) {
            int end = node.endsWith(")") ? node.lastIndexOf(':') : node.length();
            return "13579".indexOf(node.charAt(end - 1)) >= 0 && !node.endsWith("last");
        }

        private static String names(int n, String quote, String between) {
            StringJoiner names = new StringJoiner(between);
            for (int i = 0; i < n - 1; i++) {
                names.add(quote + "t" + i + quote);
            }
            return names.toString();
        }

        private static String dag(int n, IntFunction<String> more) {
            StringJoiner tasks = new StringJoiner(",");
            for (int i = 0; i < n; i++) {
                tasks.add(
                        "{\"name\": \"t%d\", \"template\": \"noop\"%s}"
                                .formatted(i, more.apply(i)));
            }
            return "\"dag\": {\"tasks\": [%s]}".formatted(tasks);
        }

        JsonNode spec(int n) {
            return Json.mapper()
                    .readTree(
                            """
                            {"entrypoint": "main", %s "templates": [
                              {"name": "main", %s},
                              {"name": "noop", "container": {"image": "busybox"}}]}"""
                                    .formatted(workflow(), main(n)));
        }
    }

    /** Both are larger than what is looked at at once, and end with a whole portion. */
    private static final int SMALL = 3_000;

    private static final int LARGE = 6_000;

    @ParameterizedTest
    @EnumSource(Shape.class)
    void noDecisionGrowsWithTheWorkflow(Shape shape) {
        Run small = new Run(shape, SMALL);
        Run large = new Run(shape, LARGE);

        assertThat(large.most())
                .as("entries that a decision touches: %s", large.worst())
                .isLessThanOrEqualTo(small.most() * 5 / 4);
    }

    /** A workflow from its submission to its deletion. */
    private static final class Run {
        private final WorkflowMachine machine = new WorkflowMachine();
        private final InMemoryWorkflow state = new InMemoryWorkflow();
        private final Deque<StepSpec> waiting = new ArrayDeque<>();
        private final List<Long> touched = new ArrayList<>();
        private final Shape shape;
        private long most;
        private String worst = "";

        Run(Shape shape, int n) {
            this.shape = shape;
            JsonNode spec = shape.spec(n);
            ObjectNode manifest = Json.object();
            manifest.putObject("metadata").put("name", "wf").put("namespace", "ns");
            manifest.set("spec", spec);
            decide(
                    new WorkflowInput.Command(
                            new WorkflowCommand.Submit(
                                    "c", "ns", "wf", "uid", manifest, spec, Map.of(), false, null,
                                    null)));
            goOn(shape.runs(), true);
            WorkflowCommand then = shape.then();
            if (then != null) {
                decide(new WorkflowInput.Command(then));
                goOn(true, false);
            }
            assertThat(head().stage()).isEqualTo(WorkflowStage.DONE);
            assertThat(head().phase()).isEqualTo(shape.end);
            assertThat(state.openNodes()).isEmpty();
            decide(new WorkflowInput.Command(new WorkflowCommand.Delete("d", "ns", "wf")));
            goOn(true, false);
            assertThat(head().stage()).isEqualTo(WorkflowStage.DELETED);
        }

        long most() {
            return Collections.max(touched);
        }

        String worst() {
            return worst;
        }

        private WorkflowHead head() {
            return Objects.requireNonNull(state.head());
        }

        private void goOn(boolean runs, boolean fail) {
            while (true) {
                if (!head().work().isEmpty() && head().stage() != WorkflowStage.DONE) {
                    decide(new WorkflowInput.Continue());
                } else if (runs && !waiting.isEmpty()) {
                    StepSpec step = waiting.removeFirst();
                    NodePhase phase =
                            fail && shape.fails(step.nodeName())
                                    ? NodePhase.FAILED
                                    : NodePhase.SUCCEEDED;
                    decide(
                            new WorkflowInput.Report(
                                    new StepReport.Finished(
                                            step.stepId(),
                                            step.nodeId(),
                                            step.workflow(),
                                            NOW,
                                            NOW,
                                            new StepOutcome(phase, null, 0, null, Map.of()))));
                } else {
                    return;
                }
            }
        }

        private void decide(WorkflowInput input) {
            CountedWorkflow counted = new CountedWorkflow(state);
            String before = state.head() == null ? "" : head().work().toString();
            List<WorkflowEvent> events = machine.decide(counted, "ns", "wf", input, NOW);
            long all = counted.touched();
            for (WorkflowEvent event : events) {
                all += written(event);
                Evolution.apply(state, "ns", "wf", event);
                if (event instanceof WorkflowEvent.StepRequested(var step)) {
                    waiting.add(step);
                }
            }
            touched.add(all);
            if (all > most) {
                most = all;
                worst =
                        "%d by %s with the work %s, of which %d events"
                                .formatted(
                                        all,
                                        input.getClass().getSimpleName(),
                                        before.substring(0, Math.min(300, before.length())),
                                        events.size());
            }
        }

        /** An event counts as much as the lists in it are long. */
        private static long written(WorkflowEvent event) {
            return 1
                    + switch (event) {
                        case WorkflowEvent.ChildrenAdded(_, var ids) -> ids.size();
                        case WorkflowEvent.ChildrenRemoved(_, var ids) -> ids.size();
                        case WorkflowEvent.NodesRemoved(var ids) -> ids.size();
                        case WorkflowEvent.WorkDeferred(var work) -> work.size();
                        case WorkflowEvent.WorkBlocked(var work, _) -> work.size();
                        case WorkflowEvent.FrameChanged(_, var frame) ->
                                frame.blocked().size() + frame.awaits().size();
                        case WorkflowEvent.NodeFinished finished -> finished.outboundNodes().size();
                        default -> 0;
                    };
        }
    }
}
