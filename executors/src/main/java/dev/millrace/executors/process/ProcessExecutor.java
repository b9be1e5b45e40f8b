package dev.millrace.executors.process;

import dev.millrace.executors.Executor;
import dev.millrace.executors.KeyValues;
import dev.millrace.executors.ReportSink;
import dev.millrace.executors.StepEnvironment;
import dev.millrace.executors.artifact.ArtifactException;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.artifact.Trees;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.record.WorkflowRef;
import dev.millrace.schemas.workflow.Artifact;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps as processes of this host, one folder per step. Every step has a virtual thread here
 * that waits for its end; what the step needs to go on, and what is needed to find it again, lies
 * in its folder (see {@link StepFolder}).
 */
public final class ProcessExecutor implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessExecutor.class);

    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(3);

    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** How exactly the times of lines are known. */
    private static final Duration LOG_INTERVAL = Duration.ofMillis(100);

    private final ProcessSettings settings;
    private final InstantSource clock;
    private final HostSetup host;
    private final ClaimFolders claims;
    private final StepCourse course;
    private final Semaphore room;
    private final Map<String, StepRun> runs = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Held while a step's folder is made or removed, so that two commands about one step do not
     * cross.
     */
    private final ReentrantLock folders = new ReentrantLock();

    private final ReportDelivery delivery = new ReportDelivery();
    private final ArtifactStores artifacts;
    private volatile boolean closing;

    /**
     * Looks at the host and prepares the folder.
     *
     * @param artifacts where inputs come from and outputs go to; stays with the caller
     * @throws IllegalStateException if the configured isolation does not work here
     * @throws UncheckedIOException if the folder cannot be used
     */
    public ProcessExecutor(
            ProcessSettings settings,
            KeyValues secrets,
            KeyValues configMaps,
            ArtifactStores artifacts,
            InstantSource clock) {
        this.artifacts = artifacts;
        this.settings = settings;
        this.clock = clock;
        this.room = new Semaphore(settings.parallelism(), true);
        try {
            Files.createDirectories(settings.root());
            this.claims = new ClaimFolders(settings.root().resolve(".claims"));
            String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
            this.host = HostSetup.of(settings, path);
            var launcher =
                    new StepLauncher(
                            settings,
                            host.sandbox(),
                            new StepEnvironment(secrets, configMaps),
                            claims,
                            host.newSession(),
                            clock,
                            new InputStaging(artifacts, clock));
            this.course =
                    new StepCourse(
                            settings,
                            clock,
                            host.sandbox(),
                            launcher,
                            delivery,
                            new Readiness(clock, delivery, threads),
                            new OutputSaving(artifacts, host.sandbox()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot use the folder of steps " + settings.root(), e);
        }
    }

    @Override
    public String describe() {
        String summary =
                "Steps run as processes of this host, at most %d at a time, in %s."
                        .formatted(settings.parallelism(), settings.root());
        return summary
                + "\n"
                + host.sandbox()
                        .warning()
                        .map(w -> "WARNING: " + w)
                        .orElse(
                                "Every step has files and processes of its own (bubblewrap); the network is the host's.")
                + "\nThe containers and steps of this host share its ports; a daemon finds its port taken, or not, as any process does."
                + "\nA hostPath volume shows the real path of this host. Persistent volume claims are folders in "
                + claims.root()
                + "."
                + "\nLimits on memory and processes are not enforced.";
    }

    @Override
    public void recover(ReportSink reports) {
        delivery.open(reports);
        try (Stream<Path> entries = Files.list(settings.root())) {
            claims.tidy();
            for (Path entry : entries.sorted().toList()) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(".") && name.endsWith(".new")) {
                    Trees.delete(entry);
                } else if (!name.startsWith(".") && Files.isDirectory(entry)) {
                    recover(new StepFolder(entry));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for steps in " + settings.root(), e);
        }
        inBackground(this::watchProgress);
        inBackground(this::watchLogs);
    }

    private void recover(StepFolder folder) throws IOException {
        Optional<StepSpec> spec = folder.spec();
        if (spec.isEmpty()) {
            LOG.warn("{} is no folder of a step; it is left alone", folder.dir());
        } else if (folder.isReported()) {
            folder.tidy();
        } else {
            begin(new StepRun(spec.get(), folder));
        }
    }

    @FunctionalInterface
    private interface Task {
        void run() throws IOException, InterruptedException;
    }

    private void inBackground(Task task) {
        threads.execute(
                () -> {
                    try {
                        task.run();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    } catch (IOException | RuntimeException e) {
                        if (!closing) {
                            LOG.error("a task of the executor in {} failed", settings.root(), e);
                        }
                    }
                });
    }

    private void begin(StepRun run) {
        if (runs.putIfAbsent(run.spec.stepId(), run) == null) {
            inBackground(() -> work(run));
        }
    }

    @Override
    public void start(StepSpec spec) {
        StepFolder folder = StepFolder.of(settings.root(), spec.stepId());
        folders.lock();
        try {
            if (runs.containsKey(spec.stepId())) {
                return;
            }
            Optional<StepSpec> owner = folder.spec();
            boolean ours = owner.map(StepSpec::stepId).filter(spec.stepId()::equals).isPresent();
            if (!ours) {
                Trees.delete(folder.dir());
                folder.create(spec);
            }
            begin(new StepRun(ours ? owner.orElseThrow() : spec, folder));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot accept step " + spec.stepId() + " in " + folder.dir(), e);
        } finally {
            folders.unlock();
        }
    }

    /** Brings a step from wherever it stands to its reported end. */
    private void work(StepRun run) {
        try {
            if (run.folder.finished().isEmpty() && run.folder.isUnclaimed()) {
                room.acquire();
                run.enterRoom(room::release);
                if (closing || !run.take()) {
                    return;
                }
            } else {
                // It runs already, even if that is one more than there is room for.
                if (!run.take()) {
                    return;
                }
                if (room.tryAcquire()) {
                    run.enterRoom(room::release);
                }
            }
            if (run.folder.finished().isEmpty()) {
                run.setRunning();
                resumeStop(run);
                run.folder.writeFinished(course.toItsEnd(run));
                run.setStill();
            }
        } catch (InterruptedException e) {
            // The executor is being closed; the next one finds the step in its folder.
            Thread.currentThread().interrupt();
            return;
        } catch (IOException | RuntimeException e) {
            leave(run, e);
            return;
        } finally {
            run.leaveRoom();
        }
        settle(run);
    }

    /** Goes on with the end that an earlier executor had begun. */
    private void resumeStop(StepRun run) {
        Optional<StepCommand.Stop> stop =
                run.folder.isUnclaimed() ? Optional.empty() : run.folder.stop();
        stop.ifPresent(begun -> inBackground(() -> course.end(run, course.remaining(run, begun))));
    }

    /** Reports a step that has ended, and removes what is no longer needed. */
    private void settle(StepRun run) {
        try {
            run.setStill();
            if (!run.forgotten) {
                delivery.deliver(run.folder.finished().orElseThrow());
                run.folder.markReported();
            }
            run.folder.tidy();
            runs.remove(run.spec.stepId(), run);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            leave(run, e);
        }
    }

    private void leave(StepRun run, Exception e) {
        run.setStill();
        runs.remove(run.spec.stepId(), run);
        if (closing) {
            LOG.debug("step {} is left to the next start", run.spec.stepId(), e);
        } else {
            LOG.error(
                    "step {} in {} is left to the next start of the server",
                    run.spec.stepId(),
                    run.folder.dir(),
                    e);
        }
    }

    @Override
    public void stop(StepCommand.Stop stop) {
        StepFolder folder = StepFolder.of(settings.root(), stop.stepId());
        folders.lock();
        try {
            StepRun run = runs.get(stop.stepId());
            if (run == null) {
                stopWithoutRun(stop, folder);
                return;
            }
            if (folder.isOver() || folder.stop().isPresent()) {
                return;
            }
            folder.writeStop(stop);
            if (folder.isUnclaimed() && run.take()) {
                // It still waited for room.
                folder.writeFinished(course.neverRun(run));
                inBackground(() -> settle(run));
            } else {
                inBackground(() -> course.end(run, Duration.ofSeconds(stop.graceSeconds())));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot stop step " + stop.stepId() + " in " + folder.dir(), e);
        } finally {
            folders.unlock();
        }
    }

    private void stopWithoutRun(StepCommand.Stop stop, StepFolder folder) {
        boolean ours =
                folder.spec().map(StepSpec::stepId).filter(stop.stepId()::equals).isPresent();
        StepReport answer =
                (ours ? folder.finished() : Optional.<StepReport.Finished>empty())
                        .orElseGet(
                                () ->
                                        new StepReport.Finished(
                                                stop.stepId(),
                                                stop.nodeId(),
                                                stop.workflow(),
                                                clock.instant(),
                                                null,
                                                new StepOutcome(
                                                        NodePhase.ERROR,
                                                        "the step is not known in "
                                                                + settings.root()
                                                                + "; it cannot be stopped",
                                                        null,
                                                        null,
                                                        Map.of())));
        inBackground(() -> delivery.deliver(answer));
    }

    @Override
    public void forget(String stepId) {
        StepFolder folder = StepFolder.of(settings.root(), stepId);
        StepRun run = runs.get(stepId);
        if (run == null) {
            remove(stepId, folder);
            return;
        }
        run.forgotten = true;
        inBackground(
                () -> {
                    if (folder.isUnclaimed() && run.take()) {
                        runs.remove(stepId, run);
                    } else {
                        course.end(run, Duration.ZERO);
                    }
                    while (runs.get(stepId) == run) {
                        Thread.sleep(20);
                    }
                    remove(stepId, folder);
                });
    }

    @Override
    public StepReport.Discarded discard(StepCommand.DiscardArtifacts discard) {
        List<String> gone = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Artifact artifact : discard.artifacts()) {
            try {
                artifacts.delete(discard.workflow().namespace(), artifact);
                gone.add(artifact.name());
            } catch (ArtifactException e) {
                problems.add("artifact %s: %s".formatted(artifact.name(), e.reason()));
            }
        }
        return new StepReport.Discarded(
                discard.stepId(),
                discard.nodeId(),
                discard.workflow(),
                clock.instant(),
                gone,
                problems.isEmpty() ? null : String.join("; ", problems));
    }

    private void remove(String stepId, StepFolder folder) {
        folders.lock();
        try {
            if (folder.spec().map(StepSpec::stepId).filter(stepId::equals).isPresent()) {
                Trees.delete(folder.dir());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder.dir(), e);
        } finally {
            folders.unlock();
        }
    }

    @Override
    public void releaseClaims(WorkflowRef workflow, List<String> names) {
        try {
            claims.release(workflow, names);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot remove the claims " + names + " of " + workflow.key(), e);
        }
    }

    private void watchProgress() throws InterruptedException {
        while (!closing) {
            Thread.sleep(PROGRESS_INTERVAL);
            for (StepRun run : runs.values()) {
                if (run.isRunning()) {
                    tellProgress(run);
                }
            }
        }
    }

    private void watchLogs() throws InterruptedException {
        while (!closing) {
            Thread.sleep(LOG_INTERVAL);
            for (StepRun run : runs.values()) {
                if (run.isRunning()) {
                    lookAtLogs(run);
                }
            }
        }
    }

    private static void lookAtLogs(StepRun run) {
        try {
            run.lookAtLogs();
        } catch (IOException | RuntimeException e) {
            if (run.isRunning()) {
                LOG.warn("cannot note the times of the log of step {}", run.spec.stepId(), e);
            }
        }
    }

    private void tellProgress(StepRun run) throws InterruptedException {
        try {
            Optional<String> now = OutcomeReader.progress(run.folder);
            if (now.isPresent() && !now.get().equals(run.progress)) {
                run.progress = now.get();
                delivery.deliver(
                        new StepReport.Progress(
                                run.spec.stepId(),
                                run.spec.nodeId(),
                                run.spec.workflow(),
                                clock.instant(),
                                now.get()));
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("cannot read the progress of step {}", run.spec.stepId(), e);
        }
    }

    @Override
    public void close(boolean keepSteps) {
        closing = true;
        delivery.closing();
        try {
            if (!keepSteps) {
                List<StepRun> running = runs.values().stream().filter(StepRun::isRunning).toList();
                running.forEach(
                        run ->
                                stop(
                                        new StepCommand.Stop(
                                                run.spec.stepId(),
                                                run.spec.workflow(),
                                                run.spec.nodeId(),
                                                "the server was stopped",
                                                settings.deadlineGrace().toSeconds())));
                for (StepRun run : running) {
                    // Longer than the grace period, since the forced end takes a moment too; then
                    // its report.
                    run.awaitStill(settings.deadlineGrace().plusSeconds(10).toMillis());
                    for (int i = 0; i < 100 && runs.containsValue(run); i++) {
                        Thread.sleep(20);
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            threads.shutdownNow();
            awaitThreads();
        }
    }

    /** What is removing files of a step that was reported gets to its end. */
    private void awaitThreads() {
        try {
            if (!threads.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("the executor's threads are still busy after {}", CLOSING);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
