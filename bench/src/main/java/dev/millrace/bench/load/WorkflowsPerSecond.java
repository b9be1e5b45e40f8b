package dev.millrace.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Single-step no-op workflows, so many in flight all the time: how many end in a second. */
public final class WorkflowsPerSecond {

    private static final int IN_FLIGHT = 500;

    /** Submissions that wait for their answer; each takes a connection to the server. */
    private static final int CLIENTS = 32;

    private static final int WARM_UP_SECONDS = 10;
    private static final Duration STUCK = Duration.ofSeconds(120);
    private static final String NO_OP =
            """
            {"entrypoint": "main",
             "templates": [{"name": "main", "container": {"image": "busybox", "command": ["true"]}}]}""";

    private final Semaphore room = new Semaphore(IN_FLIGHT);
    private final Semaphore clients = new Semaphore(CLIENTS);
    private final Map<String, Long> submitted = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Long> durations = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Throwable failure;
    private int next;

    private WorkflowsPerSecond() {}

    /**
     * Runs it.
     *
     * @param arguments {@code engine} (steps end at once, no server), {@code none} or {@code
     *     bubblewrap} (the server, with that isolation of processes); then seconds, 30 by default
     */
    public static void main(String[] arguments) {
        Program.runAndExit(() -> measure(arguments));
    }

    private static void measure(String[] arguments) throws InterruptedException {
        String setUp = arguments[0];
        int seconds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 30;
        double load = Cpu.loadAverage();
        Installation installation =
                switch (setUp) {
                    case "engine" -> EngineAlone.start();
                    case "none", "bubblewrap" -> WholeServer.start(setUp, Map.of());
                    default ->
                            throw new IllegalArgumentException(
                                    "the set-up is engine, none or bubblewrap, not " + setUp);
                };
        try (installation) {
            new WorkflowsPerSecond().run(installation, setUp, seconds, load);
        }
    }

    private void run(Installation installation, String setUp, int seconds, double load)
            throws InterruptedException {
        WorkflowTail.Listener listener =
                new WorkflowTail.Listener() {
                    @Override
                    public void finished(String workflow, long at) {
                        Long from = submitted.remove(workflow);
                        if (from != null) {
                            durations.add(at - from);
                            room.release();
                        }
                    }
                };
        try (WorkflowTail _ = new WorkflowTail(installation.log(), listener)) {
            submitFor(installation, Duration.ofSeconds(WARM_UP_SECONDS));
            durations.clear();
            Cpu before = Cpu.now();
            submitFor(installation, Duration.ofSeconds(seconds));
            Cpu used = Cpu.now().since(before);
            long[] sorted = Result.sorted(durations.stream(), Long::longValue);
            String name =
                    setUp.equals("engine")
                            ? "workflows of one step, engine alone"
                            : "workflows of one step, server, isolation " + setUp;
            new Result(name, "workflow", sorted.length, sorted, used, load).print();
            if (!room.tryAcquire(IN_FLIGHT, STUCK.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        submitted.size() + " workflows did not end within " + STUCK);
            }
        }
    }

    private void submitFor(Installation installation, Duration duration)
            throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        while (System.nanoTime() < end) {
            if (!room.tryAcquire(STUCK.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("no workflow ended within " + STUCK);
            }
            clients.acquire();
            String name = "noop-" + next++;
            submitted.put(name, System.nanoTime());
            installation
                    .submit(name, NO_OP)
                    .whenComplete(
                            (_, e) -> {
                                clients.release();
                                if (e != null) {
                                    failure = e;
                                }
                            });
            Throwable failed = failure;
            if (failed != null) {
                throw new IllegalStateException("a workflow was not accepted", failed);
            }
        }
    }
}
