package dev.millrace.server.api;

import com.google.re2j.Pattern;
import dev.millrace.executors.LogStore;
import dev.millrace.executors.LogTimes;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.server.readmodel.WorkflowRows;
import dev.millrace.server.readmodel.WorkflowRows.Found;
import dev.millrace.workflowengine.core.NodeNames;
import dev.millrace.workflowengine.state.WorkflowState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The log of a workflow's steps. What is there is told by time; with follow, lines come as they are
 * written, and new steps join in.
 */
final class WorkflowLog {

    private static final Logger LOG = LoggerFactory.getLogger(WorkflowLog.class);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
                    .withZone(ZoneOffset.UTC);
    private static final long LOOK_MILLIS = 200;
    private static final long KEEP_ALIVE_NANOS = TimeUnit.SECONDS.toNanos(15);

    /**
     * So long a step that has ended may still write; one that never began has no log to wait for.
     */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** A step that has a log, or may come to have one. */
    record Step(String id, String pod, Instant started, @Nullable Instant finished) {}

    /**
     * @param position where the line ends in the log of its step, in bytes, by which a client that
     *     comes back knows what it has seen; negative where nothing is followed
     * @param time when it was written; null where nobody asks
     */
    record Line(String pod, String text, long position, @Nullable Instant time) {}

    private final LogRequest request;
    private final ReadModel model;
    private final LogStore logs;
    private final UnaryOperator<String> redact;

    /**
     * @param redact masks secrets: a step may print what it was given
     */
    WorkflowLog(LogRequest request, ReadModel model, LogStore logs, UnaryOperator<String> redact) {
        this.redact = redact;
        this.request = request;
        this.model = model;
        this.logs = logs;
    }

    /** Sends the lines. */
    void run(EventStream stream, WorkflowChanges changes) throws IOException, InterruptedException {
        if (request.follow()) {
            try (Following following = new Following(changes)) {
                following.run(stream);
            }
            return;
        }
        new MergedLogs(logs, request).read(steps(), line -> send(stream, line));
    }

    private void send(EventStream stream, Line line) {
        Pattern grep = request.grep();
        String text = redact.apply(line.text());
        Instant since = request.since();
        if ((grep != null && !grep.matcher(text).find())
                || (since != null && line.time() != null && line.time().isBefore(since))) {
            return;
        }
        String content =
                request.timestamps() && line.time() != null
                        ? TIME.format(line.time()) + " " + text
                        : text;
        ObjectNode message = Json.object().put("content", content).put("podName", line.pod());
        stream.send(line.position() < 0 ? message : message.put("position", line.position()));
    }

    /**
     * Refuses the name of a step that is not there. A workflow that is followed may still get it.
     *
     * @throws RefusedException saying which ones there are
     */
    void check(Found found) {
        if (request.step().isEmpty() || (request.follow() && !found.isFinished())) {
            return;
        }
        List<String> pods = new ArrayList<>();
        for (String id : found.state().nodes()) {
            Node node = Objects.requireNonNull(found.state().node(id));
            if (!hasLog(node)) {
                continue;
            }
            String pod = NodeNames.podName(request.name(), node);
            if (id.equals(request.step()) || pod.equals(request.step())) {
                return;
            }
            pods.add(pod);
        }
        throw new RefusedException(
                Code.NOT_FOUND,
                "the workflow %s has no pod \"%s\"; %s"
                        .formatted(
                                request.name(),
                                request.step(),
                                pods.isEmpty()
                                        ? "none of its steps has begun"
                                        : "there are " + String.join(", ", pods)));
    }

    private Optional<Found> workflow() {
        return model.read(
                handle -> WorkflowRows.in(handle).find(request.namespace(), request.name()));
    }

    private List<Step> steps() {
        return workflow().map(found -> steps(found.state())).orElse(List.of());
    }

    private List<Step> steps(WorkflowState state) {
        Instant since = request.since() == null ? Instant.MIN : request.since();
        return state.nodes().stream()
                .map(id -> Objects.requireNonNull(state.node(id)))
                .filter(WorkflowLog::hasLog)
                .map(node -> step(node))
                .filter(step -> step.finished() == null || !step.finished().isBefore(since))
                .sorted(Comparator.comparing(Step::started).thenComparing(Step::pod))
                .toList()
                .stream()
                .filter(step -> isWanted(state, step))
                .toList();
    }

    /** Calls by HTTP write none. */
    private static boolean hasLog(Node node) {
        return node.type() == NodeType.POD && node.stepId() != null;
    }

    private Step step(Node node) {
        return new Step(
                Objects.requireNonNull(node.stepId()),
                NodeNames.podName(request.name(), node),
                node.startedAt(),
                node.ended() ? node.finishedAt() : null);
    }

    private boolean isWanted(WorkflowState state, Step step) {
        boolean named =
                request.step().isEmpty()
                        || step.pod().equals(request.step())
                        || Optional.ofNullable(state.node(request.step()))
                                .map(node -> step.id().equals(node.stepId()))
                                .orElse(false);
        return named
                && request.selector()
                        .matches(
                                Map.of(
                                        "workflows.argoproj.io/workflow", request.name(),
                                        "workflows.argoproj.io/completed",
                                                Boolean.toString(step.finished() != null)));
    }

    /** Steps that are followed, each by a thread, their lines in one queue. */
    private final class Following implements AutoCloseable {

        private final BlockingQueue<Line> queue = new ArrayBlockingQueue<>(1_000);
        private final Set<String> followed = new HashSet<>();
        private final Map<String, Long> ended = new ConcurrentHashMap<>();
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicInteger live = new AtomicInteger();
        private final AtomicBoolean look = new AtomicBoolean(true);
        private final WorkflowChanges.Subscription subscription;
        private volatile boolean closed;

        Following(WorkflowChanges changes) {
            subscription =
                    changes.subscribe(
                            change -> {
                                if (change.namespace().equals(request.namespace())
                                        && change.name().equals(request.name())) {
                                    look.set(true);
                                }
                            });
        }

        void run(EventStream stream) throws IOException, InterruptedException {
            boolean over = false;
            long lastSign = System.nanoTime();
            while (true) {
                if (look.getAndSet(false)) {
                    over = take();
                }
                Line line = queue.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (line != null) {
                    send(stream, line);
                    lastSign = System.nanoTime();
                } else if (over && live.get() == 0 && queue.isEmpty()) {
                    return;
                } else if (System.nanoTime() - lastSign > KEEP_ALIVE_NANOS) {
                    stream.keepAlive();
                    lastSign = System.nanoTime();
                }
            }
        }

        /** Takes up new steps; true if there will be no more. */
        private boolean take() {
            Optional<Found> found = workflow();
            List<Step> steps = found.map(f -> steps(f.state())).orElse(List.of());
            for (Step step : steps) {
                if (step.finished() != null) {
                    ended.putIfAbsent(step.id(), System.nanoTime());
                }
                if (followed.add(step.id())) {
                    live.incrementAndGet();
                    threads.add(
                            Thread.ofVirtual().name("log-" + step.pod()).start(() -> follow(step)));
                }
            }
            boolean named =
                    !request.step().isEmpty()
                            && !steps.isEmpty()
                            && steps.stream().allMatch(s -> s.finished() != null);
            return named || found.map(Found::isFinished).orElse(true);
        }

        private void follow(Step step) {
            Times times = new Times(step);
            try {
                long from = request.from(logs, step.id());
                LineSplitter lines = new LineSplitter(from);
                Consumer<String> put =
                        text -> {
                            long end = lines.position();
                            put(new Line(step.pod(), text, end, times.at(end)));
                        };
                logs.follow(
                        step.id(),
                        request.container(),
                        from,
                        piece -> lines.add(piece, put),
                        () -> isWanted(step));
                lines.end(put);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException | UncheckedIOException e) {
                LOG.warn("the log of step {} cannot be read", step.id(), e);
                put(
                        new Line(
                                step.pod(),
                                "[the log cannot be read any further: " + e.getMessage() + "]",
                                Long.MAX_VALUE,
                                null));
            } finally {
                times.close();
                live.decrementAndGet();
            }
        }

        private boolean isWanted(Step step) {
            Long end = ended.get(step.id());
            return !closed && (end == null || System.nanoTime() - end < GRACE_NANOS);
        }

        private void put(Line line) {
            try {
                queue.put(line);
            } catch (InterruptedException e) {
                // Seen again by whoever waits next; the stream is at its end.
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            closed = true;
            subscription.close();
            threads.forEach(Thread::interrupt);
        }
    }

    /** The times of a log, if somebody asks for them. */
    private final class Times {
        private final Step step;
        private @Nullable LogTimes times;

        Times(Step step) {
            this.step = step;
        }

        @Nullable Instant at(long position) {
            if (!request.timestamps() && request.since() == null) {
                return null;
            }
            try {
                if (times == null) {
                    times = logs.times(step.id(), request.container()).orElse(null);
                }
                return times == null ? null : times.at(position);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void close() {
            try {
                if (times != null) {
                    times.close();
                }
            } catch (IOException e) {
                LOG.warn("the times of the log of step {} cannot be closed", step.id(), e);
            }
        }
    }
}
