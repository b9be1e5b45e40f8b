package dev.millrace.bench.load;

import dev.millrace.log.LogConnection;
import dev.millrace.log.LogRecord;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import dev.millrace.log.serde.JsonSerde;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowEvent;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import tools.jackson.databind.JsonNode;

/**
 * From the POST to a webhook until {@code workflow-events} says that the first step of the workflow
 * which it started runs.
 */
public final class StartLatency {

    private static final int WARM_UP = 50;
    private static final int POSTS = 200;
    private static final Duration BETWEEN = Duration.ofMillis(100);
    private static final Duration STUCK = Duration.ofSeconds(60);
    private static final int IDLE_SECONDS = 10;

    /** Between the last workflow's end and the measurement of a server that does nothing. */
    private static final int SETTLING_SECONDS = 10;

    /** What became of one post; times are of {@link System#nanoTime()}, 0 until they are known. */
    private static final class Post {
        // Answered, reported, running: in whatever order they are seen.
        final CountDownLatch done = new CountDownLatch(3);
        final CountDownLatch finished = new CountDownLatch(1);
        volatile long due;
        volatile long answered;
        volatile long commanded;
        volatile long requested;
        volatile long started;
        volatile long running;
    }

    private final Map<String, Post> posts = new ConcurrentHashMap<>();
    private final Map<String, Post> byWorkflow = new ConcurrentHashMap<>();
    private final URI webhook;
    private final WholeServer server;

    private StartLatency(WholeServer server, URI webhook) {
        this.server = server;
        this.webhook = webhook;
    }

    /**
     * Runs it.
     *
     * @param arguments {@code none} or {@code bubblewrap}: the isolation of the steps
     */
    public static void main(String[] arguments) {
        Program.runAndExit(() -> measure(arguments));
    }

    private static void measure(String[] arguments) throws InterruptedException {
        String isolation = arguments[0];
        double load = Cpu.loadAverage();
        int port = WholeServer.freePort();
        try (WholeServer server =
                WholeServer.start(
                        isolation, Map.of("source.yaml", source(port), "sensor.yaml", sensor()))) {
            URI webhook = URI.create("http://127.0.0.1:" + port + "/start");
            new StartLatency(server, webhook).run(isolation, load);
        }
    }

    private void run(String isolation, double load) throws InterruptedException {
        LogConnection log = server.log();
        WorkflowTail.Listener listener =
                new WorkflowTail.Listener() {
                    @Override
                    public void submitted(String name, WorkflowEvent.Submitted event, long at) {
                        post(name, event.spec());
                    }

                    @Override
                    public void stepRequested(String name, long at) {
                        of(name).requested = at;
                    }

                    @Override
                    public void stepRunning(String name, long at) {
                        Post post = of(name);
                        post.running = at;
                        post.done.countDown();
                    }

                    @Override
                    public void finished(String name, long at) {
                        of(name).finished.countDown();
                    }
                };
        try (WorkflowTail _ = new WorkflowTail(log, listener);
                TailReader<WorkflowCommand> _ =
                        TailReader.start(
                                log,
                                "bench-commands",
                                Topics.WORKFLOW_COMMANDS,
                                Positions.START,
                                JsonSerde.of(WorkflowCommand.class),
                                (batch, _) -> batch.forEach(this::commanded));
                TailReader<StepReport> _ =
                        TailReader.start(
                                log,
                                "bench-step-results",
                                Topics.STEP_RESULTS,
                                Positions.START,
                                JsonSerde.of(StepReport.class),
                                (batch, _) -> batch.forEach(this::reported))) {
            awaitFirst();
            send("warm-up-", WARM_UP);
            Cpu before = Cpu.now();
            List<Post> sent = send("post-", POSTS);
            Cpu used = Cpu.now().since(before);
            long[] total = sorted(sent, p -> p.running - p.due);
            String name = "POST to first step running, server, isolation " + isolation;
            new Result(name, "workflow", POSTS, total, used, load).print();
            stages(sent);
            for (Post post : sent) {
                await(post.finished, "a workflow did not end");
            }
            idle(load);
        }
    }

    /** A server that does nothing: its CPU time is the price of being ready. */
    private static void idle(double load) throws InterruptedException {
        TimeUnit.SECONDS.sleep(SETTLING_SECONDS);
        Cpu before = Cpu.now();
        TimeUnit.SECONDS.sleep(IDLE_SECONDS);
        Cpu used = Cpu.now().since(before);
        new Result("server that does nothing", "second", IDLE_SECONDS, null, used, load).print();
    }

    private static void stages(List<Post> sent) {
        stage("the sender has its answer", sent, p -> p.answered - p.due);
        stage("the workflow's command is in the log", sent, p -> p.commanded - p.due);
        stage("the engine has requested the step", sent, p -> p.requested - p.due);
        stage("the executor has reported its start", sent, p -> p.started - p.due);
        stage("the engine says that it runs", sent, p -> p.running - p.due);
    }

    private static void stage(String name, List<Post> sent, ToLongFunction<Post> nanos) {
        long[] sorted = sorted(sent, nanos);
        System.err.printf(
                Locale.ROOT,
                "  until %-40s p50 %6.1f ms, p99 %6.1f ms%n",
                name,
                Result.percentile(sorted, 50),
                Result.percentile(sorted, 99));
    }

    private static long[] sorted(List<Post> sent, ToLongFunction<Post> nanos) {
        return Result.sorted(sent.stream(), nanos);
    }

    /** A sensor holds for events after it was seen, so posts before are nobody's. */
    private void awaitFirst() throws InterruptedException {
        long end = System.nanoTime() + STUCK.toNanos();
        for (int i = 0; System.nanoTime() < end; i++) {
            Post first = new Post();
            first.due = System.nanoTime();
            posts.put("first-" + i, first);
            // Refused as long as nobody listens.
            boolean accepted =
                    server.post(webhook, body("first-" + i))
                            .thenRun(() -> answered(first))
                            .handle((_, e) -> e == null)
                            .join();
            if (accepted && first.done.await(2, TimeUnit.SECONDS)) {
                return;
            }
        }
        throw new IllegalStateException("no post started a workflow within " + STUCK);
    }

    /** Sends at fixed times, whatever becomes of the posts before; waits until all have started. */
    private List<Post> send(String prefix, int count) throws InterruptedException {
        List<Post> sent = new ArrayList<>();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            Post post = new Post();
            post.due = begin + i * BETWEEN.toNanos();
            posts.put(prefix + i, post);
            sent.add(post);
            TimeUnit.NANOSECONDS.sleep(post.due - System.nanoTime());
            server.post(webhook, body(prefix + i)).thenRun(() -> answered(post));
        }
        for (int i = 0; i < count; i++) {
            await(sent.get(i).done, "post " + prefix + i + " started no step");
        }
        return sent;
    }

    private static void await(CountDownLatch what, String otherwise) throws InterruptedException {
        if (!what.await(STUCK.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(otherwise + " within " + STUCK);
        }
    }

    private static void answered(Post post) {
        post.answered = System.nanoTime();
        post.done.countDown();
    }

    private void commanded(LogRecord<WorkflowCommand> record) {
        if (record.value() instanceof WorkflowCommand.Submit submit) {
            post(submit.name(), submit.spec()).commanded = System.nanoTime();
        }
    }

    private void reported(LogRecord<StepReport> record) {
        if (record.value() instanceof StepReport.Started report) {
            Post post = of(report.workflow().name());
            post.started = System.nanoTime();
            post.done.countDown();
        }
    }

    /** Which post a workflow comes from; its first parameter says so. */
    private Post post(String workflow, JsonNode spec) {
        String id = spec.path("arguments").path("parameters").path(0).path("value").asString("");
        Post post = posts.get(id);
        if (post == null) {
            throw new IllegalStateException("workflow " + workflow + " comes from no post: " + id);
        }
        byWorkflow.put(workflow, post);
        return post;
    }

    private Post of(String workflow) {
        return Objects.requireNonNull(
                byWorkflow.get(workflow), () -> workflow + " was not submitted yet");
    }

    private static String body(String id) {
        return "{\"id\": \"" + id + "\"}";
    }

    private static String source(int port) {
        return """
        apiVersion: argoproj.io/v1alpha1
        kind: EventSource
        metadata: {name: bench}
        spec:
          webhook:
            start: {port: "%d", endpoint: /start, method: POST}
        """
                .formatted(port);
    }

    private static String sensor() {
        return """
        apiVersion: argoproj.io/v1alpha1
        kind: Sensor
        metadata: {name: bench}
        spec:
          dependencies:
          - {name: start, eventSourceName: bench, eventName: start}
          triggers:
          - template:
              name: start
              argoWorkflow:
                operation: submit
                source:
                  resource:
                    apiVersion: argoproj.io/v1alpha1
                    kind: Workflow
                    metadata: {generateName: bench-}
                    spec:
                      entrypoint: main
                      arguments: {parameters: [{name: post, value: none}]}
                      templates:
                      - name: main
                        container: {image: busybox, command: ["true"]}
                parameters:
                - src: {dependencyName: start, dataKey: body.id}
                  dest: spec.arguments.parameters.0.value
        """;
    }
}
