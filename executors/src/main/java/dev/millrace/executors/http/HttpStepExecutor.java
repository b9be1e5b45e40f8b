package dev.millrace.executors.http;

import dev.millrace.executors.Executor;
import dev.millrace.executors.KeyValues;
import dev.millrace.executors.ReportSink;
import dev.millrace.executors.process.ReportDelivery;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs http steps in this JVM. Every step has a virtual thread that makes its call.
 *
 * <p>A call is at least once: one that was under way when the server was killed is made again by
 * the next, with the same {@code Idempotency-Key}, since nobody can know whether it had arrived.
 * The end of a step is settled once, in its file, before it is reported; so however often it is
 * reported, it is the same.
 */
public final class HttpStepExecutor implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(HttpStepExecutor.class);
    private static final Duration LAST_REPORTS = Duration.ofSeconds(2);

    /** A step that is not reported yet. */
    private static final class Run {
        private final StepSpec spec;
        private final CompletableFuture<Void> cancelled = new CompletableFuture<>();

        Run(StepSpec spec) {
            this.spec = spec;
        }

        void cancel() {
            cancelled.complete(null);
        }
    }

    private final HttpSettings settings;
    private final InstantSource clock;
    private final StepFiles files;
    private final StepCalls calls;
    private final Semaphore room;
    private final ReportDelivery delivery = new ReportDelivery();
    private final Map<String, Run> runs = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** Held while what is known of a step changes. */
    private final ReentrantLock changes = new ReentrantLock();

    private volatile boolean closing;

    /**
     * Prepares the folder.
     *
     * @throws UncheckedIOException if the folder cannot be used
     */
    public HttpStepExecutor(HttpSettings settings, KeyValues secrets, InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.room = new Semaphore(settings.parallelism(), true);
        try {
            this.files = new StepFiles(settings.root());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot use the folder of http steps " + settings.root(), e);
        }
        this.calls = new StepCalls(secrets, settings.maxBodyBytes());
    }

    @Override
    public String describe() {
        return "Calls of http templates are made by the server itself, at most %d at a time."
                .formatted(settings.parallelism());
    }

    /** Whether the step was accepted here and not forgotten. */
    public boolean knows(String stepId) {
        try {
            return files.find(stepId).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for step " + stepId, e);
        }
    }

    @Override
    public void recover(ReportSink sink) {
        delivery.open(sink);
        try {
            for (RememberedStep step : files.all()) {
                if (!step.reported()) {
                    begin(step.spec());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for steps in " + settings.root(), e);
        }
    }

    @Override
    public void start(StepSpec spec) {
        changes.lock();
        try {
            if (!runs.containsKey(spec.stepId())) {
                if (files.find(spec.stepId()).isEmpty()) {
                    files.save(RememberedStep.accepted(spec));
                }
                begin(spec);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot accept step " + spec.stepId(), e);
        } finally {
            changes.unlock();
        }
    }

    private void begin(StepSpec spec) {
        Run run = new Run(spec);
        if (runs.putIfAbsent(spec.stepId(), run) == null) {
            inBackground(run.spec.stepId(), () -> work(run));
        }
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void inBackground(String stepId, Task task) {
        threads.execute(
                () -> {
                    try {
                        task.run();
                    } catch (InterruptedException e) {
                        // The executor is being closed; the next one finds the step in its file.
                        Thread.currentThread().interrupt();
                    } catch (IOException | RuntimeException e) {
                        runs.remove(stepId);
                        if (!closing) {
                            LOG.error(
                                    "http step {} is left to the next start of the server",
                                    stepId,
                                    e);
                        }
                    }
                });
    }

    /** Brings a step from wherever it stands to its reported end. */
    private void work(Run run) throws IOException, InterruptedException {
        Optional<RememberedStep> known = files.find(run.spec.stepId());
        if (known.isPresent() && known.get().end() != null) {
            report(run);
            return;
        }
        room.acquire();
        try {
            Instant begun = begun(run);
            if (begun == null) {
                return;
            }
            delivery.deliver(
                    new StepReport.Started(
                            run.spec.stepId(),
                            run.spec.nodeId(),
                            run.spec.workflow(),
                            begun,
                            "localhost"));
            Optional<StepOutcome> outcome =
                    calls.call(run.spec, remaining(run.spec, begun), run.cancelled);
            if (outcome.isEmpty() || !settle(run, outcome.get())) {
                return;
            }
        } finally {
            room.release();
        }
        report(run);
    }

    /** Remembers that the call is about to be made; null if it shall not be made. */
    private @Nullable Instant begun(Run run) throws IOException {
        changes.lock();
        try {
            Optional<RememberedStep> open = open(run);
            if (open.isEmpty() || closing) {
                return null;
            }
            Instant before = open.get().begunAt();
            if (before != null) {
                LOG.info(
                        "the call of http step {} is made again: the server ended before the answer",
                        run.spec.stepId());
                return before;
            }
            Instant now = clock.instant();
            files.save(open.get().begun(now));
            return now;
        } finally {
            changes.unlock();
        }
    }

    /** What is known of a step that has no end yet and was not forgotten. */
    private Optional<RememberedStep> open(Run run) throws IOException {
        return runs.get(run.spec.stepId()) == run
                ? files.find(run.spec.stepId()).filter(step -> step.end() == null)
                : Optional.empty();
    }

    private @Nullable Duration remaining(StepSpec spec, Instant begun) {
        return spec.deadlineSeconds() == null
                ? null
                : Duration.between(clock.instant(), begun.plusSeconds(spec.deadlineSeconds()));
    }

    /** Writes down how a step ended; false if that is settled already or nobody wants to know. */
    private boolean settle(Run run, StepOutcome outcome) throws IOException {
        changes.lock();
        try {
            Optional<RememberedStep> open = open(run);
            if (open.isEmpty()) {
                return false;
            }
            files.save(
                    open.get()
                            .ended(
                                    new StepReport.Finished(
                                            run.spec.stepId(),
                                            run.spec.nodeId(),
                                            run.spec.workflow(),
                                            clock.instant(),
                                            open.get().begunAt(),
                                            outcome)));
            return true;
        } finally {
            changes.unlock();
        }
    }

    private void report(Run run) throws IOException, InterruptedException {
        Optional<RememberedStep> known = files.find(run.spec.stepId());
        if (known.isPresent() && known.get().end() != null && isWanted(run)) {
            delivery.deliver(known.get().end());
        }
        changes.lock();
        try {
            if (known.isPresent() && isWanted(run)) {
                files.save(known.get().told());
            }
            runs.remove(run.spec.stepId(), run);
        } finally {
            changes.unlock();
        }
    }

    private boolean isWanted(Run run) {
        return runs.get(run.spec.stepId()) == run;
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        Run run = runs.get(stop.stepId());
        try {
            if (run == null) {
                StepReport answer =
                        files.find(stop.stepId())
                                .map(RememberedStep::end)
                                .orElseGet(() -> unknown(stop));
                inBackground(stop.stepId(), () -> delivery.deliver(answer));
            } else if (settle(run, StepCalls.failed(stop.reason()))) {
                run.cancel();
                inBackground(run.spec.stepId(), () -> report(run));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stop step " + stop.stepId(), e);
        }
    }

    private StepReport.Finished unknown(StepCommand.Stop stop) {
        return new StepReport.Finished(
                stop.stepId(),
                stop.nodeId(),
                stop.workflow(),
                clock.instant(),
                null,
                new StepOutcome(
                        NodePhase.ERROR,
                        "the step is not known in " + settings.root() + "; it cannot be stopped",
                        null,
                        null,
                        Map.of()));
    }

    @Override
    public void forget(String stepId) {
        changes.lock();
        try {
            Run run = runs.remove(stepId);
            if (run != null) {
                run.cancel();
            }
            files.delete(stepId);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove what is known of step " + stepId, e);
        } finally {
            changes.unlock();
        }
    }

    /** Steps that call by HTTP mount nothing. */
    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> claims) {}

    /** Steps that call by HTTP store no artifacts. */
    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        return new StepReport.Discarded(
                discard.stepId(),
                discard.nodeId(),
                discard.workflow(),
                clock.instant(),
                List.of(),
                "http steps store no artifacts");
    }

    /**
     * Ends the executor.
     *
     * @param keepSteps whether calls under way are made again by the next executor; else they fail
     */
    @Override
    public void close(boolean keepSteps) {
        closing = true;
        delivery.closing();
        try {
            if (!keepSteps) {
                endAll();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot end the steps in " + settings.root(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            runs.values().forEach(Run::cancel);
            threads.shutdownNow();
            calls.close();
        }
    }

    private void endAll() throws IOException, InterruptedException {
        List<Run> ended = new ArrayList<>();
        for (Run run : runs.values()) {
            boolean begun =
                    files.find(run.spec.stepId()).filter(s -> s.begunAt() != null).isPresent();
            if (begun && settle(run, StepCalls.failed("the server was stopped"))) {
                run.cancel();
                inBackground(run.spec.stepId(), () -> report(run));
                ended.add(run);
            }
        }
        long limit = System.nanoTime() + LAST_REPORTS.toNanos();
        while (System.nanoTime() < limit && ended.stream().anyMatch(this::isWanted)) {
            Thread.sleep(10);
        }
    }
}
