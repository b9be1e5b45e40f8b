package dev.millrace.bench.load;

import dev.millrace.log.Topics;
import dev.millrace.workflowengine.topology.WorkflowEngine;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The same number of no-op steps in many small workflows and in few large ones: what a step takes
 * must not depend on the size of its workflow.
 */
public final class WorkflowSize {
    private static final int STEPS = 30_000;
    private static final int WARM_UP_STEPS = 20_000;
    private static final int WARM_UP_STEPS_OF_CHAINS = 1_000;
    private static final long STUCK_SECONDS = 1_800;
    private static final String CHANGELOG = WorkflowEngine.APPLICATION_ID + "-workflows-changelog";

    private final EngineAlone engine;
    private final WorkflowEnds ends;
    private final Shape shape;
    private int next;

    private WorkflowSize(EngineAlone engine, WorkflowEnds ends, Shape shape) {
        this.engine = engine;
        this.ends = ends;
        this.shape = shape;
    }

    /**
     * Runs it.
     *
     * @param arguments the shape, then sizes in steps, the smallest first; small workflows are as
     *     many as it takes for 30,000 steps, all at once
     */
    public static void main(String[] arguments) {
        Program.runAndExit(() -> measure(arguments));
    }

    private static void measure(String[] arguments) throws InterruptedException {
        Shape shape = Shape.of(arguments[0]);
        List<Integer> sizes = Stream.of(arguments).skip(1).map(Integer::valueOf).toList();
        try (EngineAlone engine = EngineAlone.start();
                WorkflowEnds ends = new WorkflowEnds(engine.log())) {
            new WorkflowSize(engine, ends, shape).measure(sizes);
        }
    }

    private void measure(List<Integer> sizes) throws InterruptedException {
        int warmUp = shape == Shape.CHAIN ? WARM_UP_STEPS_OF_CHAINS : WARM_UP_STEPS;
        run(Math.min(1_000, sizes.getFirst()), warmUp);
        try (LargestRecords largest =
                new LargestRecords(
                        engine.log(),
                        List.of(
                                Topics.WORKFLOW_EVENTS,
                                Topics.WORKFLOW_COMMANDS,
                                Topics.STEPS,
                                CHANGELOG))) {
            double smallest = 0;
            for (int size : sizes) {
                // Of chains one runs at a time, whatever its length: three are enough.
                int steps = shape == Shape.CHAIN ? 3 * size : Math.max(size, STEPS);
                Cpu before = Cpu.now();
                run(size, steps);
                Cpu used = Cpu.now().since(before);
                double millis = used.jvmNanos() / 1e6 / steps;
                smallest = smallest == 0 ? millis : smallest;
                print(size, steps, used, millis / smallest, largest.look());
            }
        }
    }

    private void print(int size, int steps, Cpu used, double ratio, Map<String, Long> records) {
        List<String> kib = new ArrayList<>();
        for (String topic :
                List.of(
                        Topics.WORKFLOW_EVENTS,
                        Topics.WORKFLOW_COMMANDS,
                        Topics.STEPS,
                        CHANGELOG)) {
            kib.add("%.1f".formatted(records.getOrDefault(topic, 0L) / 1024.0));
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %d | %d | %.0f | %.3f | %.2f | %.0f | %d | %d | %s | %.2f |%n",
                shape.text(),
                size,
                steps,
                steps * 1e9 / used.wallNanos(),
                used.jvmNanos() / 1e6 / steps,
                ratio,
                used.allocatedBytes() / 1024.0 / steps,
                heapAfterCollection() / 1024 / 1024,
                used.gcMillis(),
                String.join(" | ", kib),
                used.coresOfOthers());
        System.out.flush();
    }

    /** Runs so many steps in workflows of this size. */
    private void run(int size, int steps) throws InterruptedException {
        int workflows = Math.max(1, steps / size);
        String spec = shape.spec(size);
        if (shape == Shape.CHAIN) {
            for (int i = 0; i < workflows; i++) {
                submit(spec);
                ends.await(1, STUCK_SECONDS);
            }
            return;
        }
        for (int i = 0; i < workflows; i++) {
            submit(spec);
        }
        ends.await(workflows, STUCK_SECONDS);
    }

    private void submit(String spec) {
        engine.submit("size-" + next++, spec).orTimeout(1, TimeUnit.MINUTES).join();
    }

    /** What is alive now: all nodes of the last workflows are in the state. */
    private static long heapAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
