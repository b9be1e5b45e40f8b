package dev.millrace.executors.serverside;

import dev.millrace.executors.Executor;
import dev.millrace.executors.ReportSink;
import dev.millrace.executors.process.ReportDelivery;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.workflow.Template;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out steps in this JVM. Every step has a virtual thread that takes its turns.
 *
 * <p>A turn is at least once: one that was under way when the server was killed is taken again by
 * the next, under the same number, since nobody can know how far it had come. When the next turn is
 * due stands in the step's file, so a restart neither forgets nor hurries it. The end of a step is
 * settled once, in its file, before it is reported; so however often it is reported, it is the
 * same.
 */
public final class ServerSideExecutor implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(ServerSideExecutor.class);
    private static final Duration LAST_REPORTS = Duration.ofSeconds(2);

    private final Path root;
    private final int parallelism;
    private final List<StepWork> works;
    private final InstantSource clock;
    private final OpenSteps steps;
    private final Semaphore room;
    private final ReportDelivery delivery = new ReportDelivery();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private volatile boolean closing;

    /**
     * Prepares the folder.
     *
     * @param root the folder of what is known of the steps; one executor at a time uses it
     * @param parallelism turns at the same time; the others wait in order
     * @param works each for a kind of template of its own; they are closed with this executor
     * @throws UncheckedIOException if the folder cannot be used
     */
    public ServerSideExecutor(
            Path root, int parallelism, List<StepWork> works, InstantSource clock) {
        this.root = root;
        this.parallelism = parallelism;
        this.works = List.copyOf(works);
        this.clock = clock;
        this.room = new Semaphore(parallelism, true);
        try {
            this.steps = new OpenSteps(new StepFiles(root), clock);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot use the folder of the server's own steps " + root, e);
        }
    }

    @Override
    public String describe() {
        return works.stream().map(StepWork::describe).collect(Collectors.joining(" "))
                + " At most %d of these steps do something at a time.".formatted(parallelism);
    }

    /** Whether steps of this template are carried out here. */
    public boolean takes(Template template) {
        return works.stream().anyMatch(work -> work.isFor(template));
    }

    private StepWork work(StepSpec spec) {
        return works.stream()
                .filter(work -> work.isFor(spec.template()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "template "
                                                + spec.template().name()
                                                + " is not carried out by the server itself"));
    }

    /** Whether the step was accepted here and not forgotten. */
    public boolean knows(String stepId) {
        try {
            return steps.find(stepId).isPresent();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for step " + stepId, e);
        }
    }

    @Override
    public void recover(ReportSink sink) {
        delivery.open(sink);
        try {
            for (RememberedStep step : steps.all()) {
                if (!step.reported()) {
                    steps.open(step.spec()).ifPresent(this::work);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for steps in " + root, e);
        }
    }

    @Override
    public void start(StepSpec spec) {
        try {
            steps.accept(spec).ifPresent(this::work);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot accept step " + spec.stepId(), e);
        }
    }

    private void work(OpenSteps.Run run) {
        inBackground(run.spec().stepId(), () -> bringToItsEnd(run));
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
                        steps.leave(stepId);
                        if (!closing) {
                            LOG.error("step {} is left to the next start of the server", stepId, e);
                        }
                    }
                });
    }

    /** Where a step stands after a turn. */
    private enum Standing {
        /** Another turn is to come. */
        OPEN,
        /** Its end is settled and not reported yet. */
        ENDED,
        /** Somebody else ended it, or the next executor will go on with it. */
        LEFT
    }

    /** Brings a step from wherever it stands to its reported end. */
    private void bringToItsEnd(OpenSteps.Run run) throws IOException, InterruptedException {
        if (steps.find(run.spec().stepId()).filter(step -> step.end() != null).isPresent()) {
            report(run);
            return;
        }
        boolean told = false;
        while (pause(run)) {
            switch (turn(run, told)) {
                case OPEN -> told = true;
                case ENDED -> {
                    report(run);
                    return;
                }
                case LEFT -> {
                    return;
                }
            }
        }
    }

    /** Waits, without room, until a turn is due; false if none is to be taken any more. */
    private boolean pause(OpenSteps.Run run) throws IOException, InterruptedException {
        Optional<RememberedStep> open = steps.withoutEnd(run);
        if (open.isEmpty()) {
            return false;
        }
        Instant dueAt = open.get().dueAt();
        Instant begun = open.get().begunAt();
        if (dueAt == null || begun == null) {
            return true;
        }
        Duration pause = Duration.between(clock.instant(), dueAt);
        Duration left = remaining(run.spec(), begun);
        if (left != null && left.compareTo(pause) < 0) {
            pause = left;
        }
        try {
            run.cancelled().get(Math.max(0, pause.toMillis()), TimeUnit.MILLISECONDS);
            return false;
        } catch (TimeoutException e) {
            return true;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run is cancelled without a cause", e);
        }
    }

    /**
     * Takes a turn, as soon as there is room.
     *
     * @param told whether the log was told that the step has begun
     */
    private Standing turn(OpenSteps.Run run, boolean told)
            throws IOException, InterruptedException {
        room.acquire();
        try {
            RememberedStep step = closing ? null : steps.begun(run);
            if (step == null || step.begunAt() == null) {
                return Standing.LEFT;
            }
            if (!told) {
                delivery.deliver(
                        new StepReport.Started(
                                run.spec().stepId(),
                                run.spec().nodeId(),
                                run.spec().workflow(),
                                step.begunAt(),
                                "localhost"));
            }
            StepWork work = work(run.spec());
            Duration remaining = remaining(run.spec(), step.begunAt());
            StepWork.Turn turn =
                    remaining != null && !remaining.isPositive()
                            ? new StepWork.Turn.Ended(work.outOfTime())
                            : work.take(
                                    new StepWork.Order(
                                            run.spec(), step.turns(), remaining, run.cancelled()));
            return switch (turn) {
                case StepWork.Turn.Ended(var outcome) ->
                        steps.settle(run, outcome) ? Standing.ENDED : Standing.LEFT;
                case StepWork.Turn.Again again -> {
                    again(run, again);
                    yield Standing.OPEN;
                }
                case StepWork.Turn.Cancelled() -> Standing.LEFT;
            };
        } finally {
            room.release();
        }
    }

    private void again(OpenSteps.Run run, StepWork.Turn.Again again)
            throws IOException, InterruptedException {
        steps.due(run, again.pause());
        if (again.progress() != null || again.message() != null) {
            delivery.deliver(
                    new StepReport.Progress(
                            run.spec().stepId(),
                            run.spec().nodeId(),
                            run.spec().workflow(),
                            clock.instant(),
                            again.progress(),
                            again.message()));
        }
    }

    private @Nullable Duration remaining(StepSpec spec, Instant begun) {
        return spec.deadlineSeconds() == null
                ? null
                : Duration.between(clock.instant(), begun.plusSeconds(spec.deadlineSeconds()));
    }

    private void report(OpenSteps.Run run) throws IOException, InterruptedException {
        Optional<StepReport.Finished> end = steps.endToReport(run);
        if (end.isPresent()) {
            delivery.deliver(end.get());
        }
        steps.told(run);
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        OpenSteps.Run run = steps.run(stop.stepId());
        try {
            if (run != null && steps.settle(run, StepWork.failed(stop.reason()))) {
                run.cancel();
                inBackground(run.spec().stepId(), () -> report(run));
            } else {
                StepReport answer =
                        steps.find(stop.stepId())
                                .map(RememberedStep::end)
                                .orElseGet(() -> unknown(stop));
                inBackground(stop.stepId(), () -> delivery.deliver(answer));
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
                        "the step is not known in " + root + "; it cannot be stopped",
                        null,
                        null,
                        Map.of()));
    }

    @Override
    public void forget(String stepId) {
        try {
            steps.forget(stepId);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove what is known of step " + stepId, e);
        }
    }

    /** What the server does itself mounts nothing. */
    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> claims) {}

    /** What the server does itself stores no artifacts. */
    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        return new StepReport.Discarded(
                discard.stepId(),
                discard.nodeId(),
                discard.workflow(),
                clock.instant(),
                List.of(),
                "steps of the server itself store no artifacts");
    }

    /**
     * Ends the executor.
     *
     * @param keepSteps whether turns under way are taken again by the next executor; else the steps
     *     fail
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
            throw new UncheckedIOException("cannot end the steps in " + root, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            steps.runs().forEach(OpenSteps.Run::cancel);
            threads.shutdownNow();
            works.forEach(StepWork::close);
        }
    }

    private void endAll() throws IOException, InterruptedException {
        List<OpenSteps.Run> ended = new ArrayList<>();
        for (OpenSteps.Run run : steps.runs()) {
            boolean begun =
                    steps.find(run.spec().stepId()).filter(s -> s.begunAt() != null).isPresent();
            if (begun && steps.settle(run, StepWork.failed("the server was stopped"))) {
                run.cancel();
                inBackground(run.spec().stepId(), () -> report(run));
                ended.add(run);
            }
        }
        long limit = System.nanoTime() + LAST_REPORTS.toNanos();
        while (System.nanoTime() < limit && ended.stream().anyMatch(steps::isWanted)) {
            Thread.sleep(10);
        }
    }
}
