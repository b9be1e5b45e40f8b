package dev.millrace.bench.load;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Thousands of single-step workflows, submitted as fast as the API takes them. All have to succeed,
 * and every question that the API is asked meanwhile has to be answered.
 */
public final class ManyAtOnce {

    /** Submissions that wait for their answer; each takes a connection to the server. */
    private static final int CLIENTS = 32;

    /** How long nothing may end before it counts as stuck. */
    private static final long STUCK_SECONDS = 300;

    private static final String NO_OP =
            """
            {"entrypoint": "main",
             "templates": [{"name": "main", "container": {"image": "busybox", "command": ["true"]}}]}""";

    private final WholeServer installation;
    private final int count;
    private final Map<String, Long> submitted = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Long> durations = new ConcurrentLinkedQueue<>();
    private final Semaphore ended = new Semaphore(0);
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    private ManyAtOnce(WholeServer installation, int count) {
        this.installation = installation;
        this.count = count;
    }

    /**
     * Runs it.
     *
     * @param arguments {@code none} or {@code bubblewrap}; then how many workflows
     */
    public static void main(String[] arguments) {
        Program.runAndExit(() -> measure(arguments[0], Integer.parseInt(arguments[1])));
    }

    private static void measure(String isolation, int count) throws InterruptedException {
        double load = Cpu.loadAverage();
        try (WholeServer server = WholeServer.start(isolation, Map.of())) {
            new ManyAtOnce(server, count).run(isolation, load);
        }
    }

    private void run(String isolation, double load) throws InterruptedException {
        WorkflowTail.Listener listener =
                new WorkflowTail.Listener() {
                    @Override
                    public void finished(String workflow, long at) {
                        durations.add(at - submitted.getOrDefault(workflow, at));
                        ended.release();
                    }
                };
        AtomicReference<@Nullable String> accepted = new AtomicReference<>();
        try (WorkflowTail _ = new WorkflowTail(installation.log(), listener);
                Questions questions = new Questions(installation, accepted)) {
            Cpu before = Cpu.now();
            submitAll(accepted);
            Cpu taken = Cpu.now().since(before);
            for (int i = 0; i < count; i++) {
                if (!ended.tryAcquire(STUCK_SECONDS, TimeUnit.SECONDS)) {
                    throw new IllegalStateException(
                            "%d of %d workflows ended, then none for %d s"
                                    .formatted(i, count, STUCK_SECONDS));
                }
            }
            Cpu used = Cpu.now().since(before);
            String name = "%d workflows at once, isolation %s".formatted(count, isolation);
            new Result(name + ", accepted", "workflow", count, null, taken, load).print();
            long[] sorted = Result.sorted(durations.stream(), Long::longValue);
            new Result(name + ", ended", "workflow", count, sorted, used, load).print();
            questions.print(used);
        }
    }

    private void submitAll(AtomicReference<@Nullable String> accepted) throws InterruptedException {
        Semaphore clients = new Semaphore(CLIENTS);
        for (int i = 0; i < count; i++) {
            clients.acquire();
            String name = "many-" + i;
            submitted.put(name, System.nanoTime());
            CompletableFuture<@Nullable Void> answer = installation.submit(name, NO_OP);
            answer.whenComplete(
                    (_, e) -> {
                        accepted.set(name);
                        failure.compareAndSet(null, e);
                        clients.release();
                    });
            throwFailure();
        }
        clients.acquire(CLIENTS);
        throwFailure();
    }

    private void throwFailure() {
        Throwable e = failure.get();
        if (e != null) {
            throw new IllegalStateException("a workflow was not accepted", e);
        }
    }
}
