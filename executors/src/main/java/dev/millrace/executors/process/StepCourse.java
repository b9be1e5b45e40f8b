package dev.millrace.executors.process;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The course of one step: from wherever its folder says it stands to its end. Each call blocks a
 * virtual thread.
 */
final class StepCourse {
    private static final Logger LOG = LoggerFactory.getLogger(StepCourse.class);

    /** Exit code of a supervising shell that found the step claimed by another one. */
    private static final int CLAIMED_BY_ANOTHER = 75;

    private final ProcessSettings settings;
    private final InstantSource clock;
    private final Sandbox sandbox;
    private final StepLauncher launcher;
    private final ReportDelivery delivery;
    private final Readiness readiness;
    private final OutcomeReader outcomes;
    private final OutputSaving saving;

    StepCourse(
            ProcessSettings settings,
            InstantSource clock,
            Sandbox sandbox,
            StepLauncher launcher,
            ReportDelivery delivery,
            Readiness readiness,
            OutputSaving saving) {
        this.settings = settings;
        this.clock = clock;
        this.sandbox = sandbox;
        this.launcher = launcher;
        this.delivery = delivery;
        this.readiness = readiness;
        this.outcomes = new OutcomeReader(settings.maxParameterBytes());
        this.saving = saving;
    }

    /** Starts a step, or goes on watching it, and waits for its end. */
    StepReport.Finished toItsEnd(StepRun run) throws IOException, InterruptedException {
        StepFolder folder = run.folder;
        if (folder.isUnclaimed()) {
            if (folder.stop().isPresent()) {
                return neverRun(run);
            }
            try {
                Process shell = launch(run);
                delivery.deliver(started(run));
                readiness.begin(run);
                if (shell.waitFor() != CLAIMED_BY_ANOTHER) {
                    return ended(run);
                }
            } catch (StepRefusedException e) {
                return finished(
                        run,
                        null,
                        new StepOutcome(NodePhase.ERROR, e.getMessage(), null, null, Map.of()));
            } catch (StepLauncher.CommandNotFoundException e) {
                return finished(run, null, outcomes.commandNotFound(run.spec, e));
            } catch (InputStaging.NotWantedException e) {
                return e.isPastDeadline()
                        ? finished(
                                run,
                                null,
                                new StepOutcome(
                                        NodePhase.FAILED,
                                        OutcomeReader.DEADLINE,
                                        null,
                                        null,
                                        Map.of()))
                        : neverRun(run);
            }
        } else {
            delivery.deliver(started(run));
            readiness.begin(run);
        }
        return adopt(run);
    }

    private Process launch(StepRun run)
            throws StepRefusedException,
                    StepLauncher.CommandNotFoundException,
                    InputStaging.NotWantedException,
                    InterruptedException {
        try {
            return launcher.launch(run);
        } catch (IOException | RuntimeException e) {
            if (Thread.interrupted()) {
                // The executor is being closed: the next one starts the step.
                throw new InterruptedException(e.toString());
            }
            LOG.error("step {} could not be started in {}", run.spec.stepId(), run.folder.dir(), e);
            throw new StepRefusedException("the step could not be started: " + e.getMessage(), e);
        }
    }

    /** Watches a step that another shell than one of ours runs, or ran. */
    private StepReport.Finished adopt(StepRun run) throws IOException, InterruptedException {
        StepFolder folder = run.folder;
        // A claim without content: its shell ended, or is just about to write it.
        for (int i = 0; !folder.isOver() && folder.claim().isEmpty(); i++) {
            if (i == 10) {
                folder.removeClaim();
                return toItsEnd(run);
            }
            Thread.sleep(settings.lookInterval());
        }
        while (!folder.isOver() && folder.claim().filter(ProcessIdentity::isAlive).isPresent()) {
            Thread.sleep(settings.lookInterval());
        }
        return ended(run);
    }

    private StepReport.Finished ended(StepRun run) throws IOException, InterruptedException {
        // If the shell was killed, what it ran may be left.
        if (sandbox.leavesProcesses() || !run.folder.isOver()) {
            Signals.killStrays(run.spec.stepId());
        }
        StepOutcome outcome = saving.save(run, outcomes.read(run.spec, run.folder));
        return finished(run, run.folder.claimedAt().orElse(null), outcome);
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

    /** The end of a step that was stopped before anything of it ran. */
    StepReport.Finished neverRun(StepRun run) throws IOException {
        return finished(run, null, outcomes.read(run.spec, run.folder));
    }

    /** What is left of a grace period that began before this executor. */
    Duration remaining(StepRun run, StepCommand.Stop stop) {
        Instant since = run.folder.stoppedAt().orElseGet(clock::instant);
        return Duration.between(clock.instant(), since.plusSeconds(stop.graceSeconds()));
    }

    /**
     * Ends a step's processes: asked first, then forced. Does not wait for a step that does not
     * run.
     */
    void end(StepRun run, Duration grace) throws InterruptedException {
        long limit = System.nanoTime() + grace.toNanos();
        Set<Long> asked = new HashSet<>();
        while (run.isRunning() && System.nanoTime() < limit) {
            // A container that was begun just now has no processes yet.
            Signals.terminate(run.folder, asked);
            run.awaitStill(asked.isEmpty() ? 20 : 100);
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
}
