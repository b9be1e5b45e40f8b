package dev.millrace.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Ten no-op steps one after the other, one workflow at a time: what a step takes. */
public final class ChainOfSteps {

    private static final int STEPS = 10;
    private static final int WARM_UP = 100;
    private static final int WORKFLOWS = 100;
    private static final Duration STUCK = Duration.ofSeconds(60);

    private ChainOfSteps() {}

    /**
     * Runs it.
     *
     * @param arguments {@code engine}, {@code none} or {@code bubblewrap}, as in {@link
     *     WorkflowsPerSecond#main}
     */
    public static void main(String[] arguments) {
        Program.runAndExit(() -> measure(arguments));
    }

    private static void measure(String[] arguments) throws InterruptedException {
        String setUp = arguments[0];
        double load = Cpu.loadAverage();
        Installation installation =
                setUp.equals("engine") ? EngineAlone.start() : WholeServer.start(setUp, Map.of());
        // When each step was requested, and when the last one had ended.
        BlockingQueue<Long> moments = new LinkedBlockingQueue<>();
        WorkflowTail.Listener listener =
                new WorkflowTail.Listener() {
                    @Override
                    public void stepRequested(String workflow, long at) {
                        moments.add(at);
                    }

                    @Override
                    public void finished(String workflow, long at) {
                        moments.add(at);
                    }
                };
        try (installation;
                WorkflowTail _ = new WorkflowTail(installation.log(), listener)) {
            for (int i = 0; i < WARM_UP; i++) {
                run(installation, "warm-up-" + i, moments);
            }
            List<Long> all = new ArrayList<>();
            Cpu before = Cpu.now();
            for (int i = 0; i < WORKFLOWS; i++) {
                all.addAll(run(installation, "chain-" + i, moments));
            }
            Cpu used = Cpu.now().since(before);
            String name =
                    "a step in a chain of %d, %s"
                            .formatted(
                                    STEPS,
                                    setUp.equals("engine")
                                            ? "engine alone"
                                            : "server, isolation " + setUp);
            long[] sorted = Result.sorted(all.stream(), Long::longValue);
            new Result(name, "step", sorted.length, sorted, used, load).print();
        }
    }

    /** How long each step took, from its request to the next one's. */
    private static List<Long> run(
            Installation installation, String name, BlockingQueue<Long> moments)
            throws InterruptedException {
        installation.submit(name, spec()).orTimeout(STUCK.toSeconds(), TimeUnit.SECONDS).join();
        List<Long> durations = new ArrayList<>();
        long last = moment(name, moments);
        for (int i = 0; i < STEPS; i++) {
            long at = moment(name, moments);
            durations.add(at - last);
            last = at;
        }
        return durations;
    }

    private static long moment(String name, BlockingQueue<Long> moments)
            throws InterruptedException {
        Long at = moments.poll(STUCK.toSeconds(), TimeUnit.SECONDS);
        if (at == null) {
            throw new IllegalStateException("workflow " + name + " stood still for " + STUCK);
        }
        return at;
    }

    private static String spec() {
        String steps =
                IntStream.range(0, STEPS)
                        .mapToObj("[{\"name\": \"s%d\", \"template\": \"noop\"}]"::formatted)
                        .collect(Collectors.joining(", "));
        return Stream.of(
                        "{\"entrypoint\": \"main\", \"templates\": [",
                        "{\"name\": \"main\", \"steps\": [" + steps + "]},",
                        "{\"name\": \"noop\", \"container\": {\"image\": \"busybox\", \"command\": [\"true\"]}}",
                        "]}")
                .collect(Collectors.joining());
    }
}
