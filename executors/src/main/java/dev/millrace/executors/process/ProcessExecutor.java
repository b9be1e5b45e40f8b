package dev.millrace.executors.process;

import dev.millrace.executors.Executor;
import dev.millrace.executors.KeyValues;
import dev.millrace.executors.ReportSink;
import dev.millrace.executors.StepEnvironment;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps as processes of this host, one folder per step. Every step has a virtual thread here
 * that waits for its end; what the step needs to go on, and what is needed to find it again, lies
 * in its folder (see {@link StepFolder}).
 */
public final class ProcessExecutor implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessExecutor.class);

    /** Exit code of a supervising shell that found the step claimed by another one. */
    private static final int CLAIMED_BY_ANOTHER = 75;

    private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(3);

    private final ProcessSettings settings;
    private final InstantSource clock;
    private final HostSetup host;
    private final StepLauncher launcher;
    private final OutcomeReader outcomes;
    private final Semaphore room;
    private final Map<String, StepRun> runs = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * Held while a step's folder is made or removed, so that two commands about one step do not
     * cross.
     */
    private final ReentrantLock folders = new ReentrantLock();

    private volatile @Nullable ReportSink sink;
    private volatile boolean closing;

    /**
     * Looks at the host and prepares the folder.
     *
     * @throws IllegalStateException if the configured isolation does not work here
     * @throws UncheckedIOException if the folder cannot be used
     */
    public ProcessExecutor(
            ProcessSettings settings,
            KeyValues secrets,
            KeyValues configMaps,
            InstantSource clock) {
        this.settings = settings;
        this.clock = clock;
        this.room = new Semaphore(settings.parallelism(), true);
        this.outcomes = new OutcomeReader(settings.maxParameterBytes());
        try {
            Files.createDirectories(settings.root());
            String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
            this.host = HostSetup.of(settings, path);
            this.launcher =
                    new StepLauncher(
                            settings,
                            host.sandbox(),
                            new StepEnvironment(secrets, configMaps),
                            host.newSession(),
                            clock);
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
                + "\nLimits on memory and processes are not enforced.";
    }

    @Override
    public void recover(ReportSink reports) {
        sink = reports;
        try (Stream<Path> entries = Files.list(settings.root())) {
            for (Path entry : entries.sorted().toList()) {
                String name = String.valueOf(entry.getFileName());
                if (name.startsWith(".") && name.endsWith(".new")) {
                    PrivateFiles.deleteTree(entry);
                } else if (!name.startsWith(".") && Files.isDirectory(entry)) {
                    recover(new StepFolder(entry));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look for steps in " + settings.root(), e);
        }
        inBackground(this::watchProgress);
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
                PrivateFiles.deleteTree(folder.dir());
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
        boolean hasRoom = false;
        try {
            if (run.folder.finished().isEmpty() && isUnclaimed(run.folder)) {
                room.acquire();
                hasRoom = true;
                if (closing || !run.take()) {
                    return;
                }
            } else {
                // It runs already, even if that is one more than there is room for.
                hasRoom = run.take() && room.tryAcquire();
            }
            if (run.folder.finished().isEmpty()) {
                run.setRunning();
                run.folder.writeFinished(toItsEnd(run));
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
            if (hasRoom) {
                room.release();
            }
        }
        settle(run);
    }

    /** Reports a step that has ended, and removes what is no longer needed. */
    private void settle(StepRun run) {
        try {
            run.setStill();
            if (!run.forgotten) {
                deliver(run.folder.finished().orElseThrow());
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

    private boolean isUnclaimed(StepFolder folder) {
        return !folder.isClaimed() && folder.exitCode().isEmpty();
    }

    private StepReport.Finished toItsEnd(StepRun run) throws IOException, InterruptedException {
        StepFolder folder = run.folder;
        if (isUnclaimed(folder)) {
            if (folder.stop().isPresent()) {
                return finished(run, null, outcomes.read(run.spec, folder));
            }
            try {
                Process shell = launch(run);
                deliver(started(run));
                if (shell.waitFor() != CLAIMED_BY_ANOTHER) {
                    return ended(run);
                }
            } catch (StepRefusedException e) {
                return finished(
                        run,
                        null,
                        new StepOutcome(NodePhase.ERROR, e.getMessage(), null, null, Map.of()));
            } catch (StepLauncher.CommandNotFoundException e) {
                String message = "main: Error (exit code 64): " + e.getMessage();
                return finished(
                        run, null, new StepOutcome(NodePhase.FAILED, message, 64, null, Map.of()));
            }
        } else {
            deliver(started(run));
        }
        return adopt(run);
    }

    private Process launch(StepRun run)
            throws StepRefusedException, StepLauncher.CommandNotFoundException {
        try {
            return launcher.launch(run.spec, run.folder);
        } catch (IOException | RuntimeException e) {
            LOG.error("step {} could not be started in {}", run.spec.stepId(), run.folder.dir(), e);
            throw new StepRefusedException("the step could not be started: " + e.getMessage(), e);
        }
    }

    /** Watches a step that another shell than one of ours runs, or ran. */
    private StepReport.Finished adopt(StepRun run) throws IOException, InterruptedException {
        StepFolder folder = run.folder;
        folder.stop().ifPresent(stop -> inBackground(() -> end(run, remaining(folder, stop))));
        // A claim without content: its shell ended, or is just about to write it.
        for (int i = 0; folder.exitCode().isEmpty() && folder.claim().isEmpty(); i++) {
            if (i == 10) {
                folder.removeClaim();
                return toItsEnd(run);
            }
            Thread.sleep(settings.lookInterval());
        }
        while (folder.exitCode().isEmpty()
                && folder.claim().filter(ProcessIdentity::isAlive).isPresent()) {
            Thread.sleep(settings.lookInterval());
        }
        return ended(run);
    }

    private StepReport.Finished ended(StepRun run) throws IOException {
        if (host.sandbox().leavesProcesses()) {
            Signals.killStrays(run.spec.stepId());
        }
        return finished(
                run, run.folder.claimedAt().orElse(null), outcomes.read(run.spec, run.folder));
    }

    private StepReport.Finished finished(
            StepRun run, @Nullable Instant startedAt, StepOutcome outcome) {
        Instant at = run.folder.endedAt().orElseGet(clock::instant);
        return new StepReport.Finished(
                run.spec.stepId(), run.spec.nodeId(), run.spec.workflow(), at, startedAt, outcome);
    }

    private StepReport.Started started(StepRun run) {
        Instant at = run.folder.claimedAt().orElseGet(clock::instant);
        return new StepReport.Started(
                run.spec.stepId(), run.spec.nodeId(), run.spec.workflow(), at, "localhost");
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
            if (folder.exitCode().isPresent() || folder.stop().isPresent()) {
                return;
            }
            folder.writeStop(stop);
            if (run.take()) {
                // It still waited for room.
                folder.writeFinished(finished(run, null, outcomes.read(run.spec, folder)));
                inBackground(() -> settle(run));
            } else {
                inBackground(() -> end(run, Duration.ofSeconds(stop.graceSeconds())));
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
        inBackground(() -> deliver(answer));
    }

    private Duration remaining(StepFolder folder, StepCommand.Stop stop) {
        Instant since = folder.stoppedAt().orElseGet(clock::instant);
        return Duration.between(clock.instant(), since.plusSeconds(stop.graceSeconds()));
    }

    /**
     * Ends a step's processes: asked first, then forced. Does not wait for a step that does not
     * run.
     */
    private void end(StepRun run, Duration grace) throws InterruptedException {
        long limit = System.nanoTime() + grace.toNanos();
        boolean asked = false;
        while (run.isRunning() && System.nanoTime() < limit) {
            if (!asked && run.folder.leader().isPresent()) {
                Signals.terminate(run.folder);
                asked = true;
            }
            // A step that was claimed just now has no processes yet.
            run.awaitStill(asked ? Math.max(1, (limit - System.nanoTime()) / 1_000_000) : 20);
        }
        for (int i = 0; run.isRunning(); i++) {
            Signals.kill(run.folder);
            if (i >= 20) {
                Signals.killSupervisor(run.folder);
                Signals.killStrays(run.spec.stepId());
            }
            run.awaitStill(100);
        }
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
                    if (run.take()) {
                        runs.remove(stepId, run);
                    } else {
                        end(run, Duration.ZERO);
                    }
                    while (runs.get(stepId) == run) {
                        Thread.sleep(20);
                    }
                    remove(stepId, folder);
                });
    }

    private void remove(String stepId, StepFolder folder) {
        folders.lock();
        try {
            if (folder.spec().map(StepSpec::stepId).filter(stepId::equals).isPresent()) {
                PrivateFiles.deleteTree(folder.dir());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + folder.dir(), e);
        } finally {
            folders.unlock();
        }
    }

    private void deliver(StepReport report) throws InterruptedException {
        for (long wait = 50; ; wait = Math.min(wait * 2, 5_000)) {
            ReportSink to = sink;
            try {
                if (to == null) {
                    throw new IllegalStateException(
                            "recover() was not called before the first step");
                }
                to.report(report);
                return;
            } catch (RuntimeException e) {
                if (closing) {
                    throw e;
                }
                LOG.warn(
                        "a report of step {} could not be handed over; trying again",
                        report.stepId(),
                        e);
                Thread.sleep(wait);
            }
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

    private void tellProgress(StepRun run) throws InterruptedException {
        try {
            Optional<String> now = OutcomeReader.progress(run.folder);
            if (now.isPresent() && !now.get().equals(run.progress)) {
                run.progress = now.get();
                deliver(
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
        }
    }
}
