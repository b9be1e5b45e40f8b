package dev.millrace.bench.load;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks the API at fixed times what people and probes ask, while it has other things to do. */
final class Questions implements AutoCloseable {
    private static final int EVERY_MILLIS = 200;

    private enum Question {
        LIST("a page of 50 workflows"),
        GET("the workflow accepted last"),
        READY("/readyz");

        private final String text;

        Question(String text) {
            this.text = text;
        }

        /**
         * @param workflow the name of one that is there
         */
        String path(String workflow) {
            return switch (this) {
                case LIST -> "/api/v1/workflows/default?listOptions.limit=50";
                case GET -> "/api/v1/workflows/default/" + workflow;
                case READY -> "/readyz";
            };
        }
    }

    private final WholeServer server;
    private final AtomicReference<@Nullable String> accepted;
    private final Map<Question, List<Long>> nanos = new EnumMap<>(Question.class);
    private final List<CompletableFuture<?>> open = Collections.synchronizedList(new ArrayList<>());
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /**
     * Begins to ask.
     *
     * @param accepted the name of the workflow that was accepted last, at any time; null before
     */
    Questions(WholeServer server, AtomicReference<@Nullable String> accepted) {
        this.server = server;
        this.accepted = accepted;
        for (Question question : Question.values()) {
            nanos.put(question, Collections.synchronizedList(new ArrayList<>()));
        }
        clock.scheduleAtFixedRate(this::askAll, EVERY_MILLIS, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void askAll() {
        String workflow = accepted.get();
        if (workflow == null) {
            return;
        }
        for (Question question : Question.values()) {
            open.add(ask(question, question.path(workflow)));
        }
        open.removeIf(CompletableFuture::isDone);
    }

    private CompletableFuture<?> ask(Question question, String path) {
        URI to = server.server().apiAddress().resolve(path);
        long from = System.nanoTime();
        return server.http()
                .sendAsync(HttpRequest.newBuilder(to).build(), HttpResponse.BodyHandlers.ofString())
                .handle(
                        (answer, e) -> {
                            list(question).add(System.nanoTime() - from);
                            if (e != null || answer.statusCode() != 200) {
                                failure.compareAndSet(
                                        null,
                                        "GET %s: %s"
                                                .formatted(path, e != null ? e : answer.body()));
                            }
                            return null;
                        });
    }

    private List<Long> list(Question question) {
        return nanos.getOrDefault(question, List.of());
    }

    /**
     * Asks no more, waits for the answers and prints how long they took.
     *
     * @throws IllegalStateException if one was not answered with 200
     */
    void print(Cpu used) {
        clock.shutdown();
        List.copyOf(open).forEach(CompletableFuture::join);
        for (Question question : Question.values()) {
            long[] sorted = Result.sorted(List.copyOf(list(question)).stream(), Long::longValue);
            System.out.printf(
                    Locale.ROOT,
                    "| meanwhile, GET %s | answer | %d | %.1f | %.1f | | | | | | %.2f |%n",
                    question.text,
                    sorted.length,
                    Result.percentile(sorted, 50),
                    Result.percentile(sorted, 99),
                    used.coresOfOthers());
        }
        String failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("a question was not answered: " + failed);
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
