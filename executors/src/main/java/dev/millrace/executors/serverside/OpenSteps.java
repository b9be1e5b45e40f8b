package dev.millrace.executors.serverside;

import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps that are worked on, and what their files say. Every change is written down before it
 * counts, one at a time.
 */
final class OpenSteps {
    private static final Logger LOG = LoggerFactory.getLogger(OpenSteps.class);

    /** The work on a step that is not reported yet. */
    record Run(StepSpec spec, CompletableFuture<Void> cancelled) {
        void cancel() {
            cancelled.complete(null);
        }
    }

    private final StepFiles files;
    private final InstantSource clock;
    private final Map<String, Run> runs = new ConcurrentHashMap<>();

    /** Held while what is known of a step changes. */
    private final ReentrantLock changes = new ReentrantLock();

    OpenSteps(StepFiles files, InstantSource clock) {
        this.files = files;
        this.clock = clock;
    }

    Optional<RememberedStep> find(String stepId) throws IOException {
        return files.find(stepId);
    }

    List<RememberedStep> all() throws IOException {
        return files.all();
    }

    Collection<Run> runs() {
        return runs.values();
    }

    @Nullable Run run(String stepId) {
        return runs.get(stepId);
    }

    /** Whether somebody still wants to know how a step ends. */
    boolean isWanted(Run run) {
        return runs.get(run.spec().stepId()) == run;
    }

    /** Remembers a step; empty if it is worked on already. */
    Optional<Run> accept(StepSpec spec) throws IOException {
        changes.lock();
        try {
            if (runs.containsKey(spec.stepId())) {
                return Optional.empty();
            }
            if (files.find(spec.stepId()).isEmpty()) {
                files.save(RememberedStep.accepted(spec));
            }
            return open(spec);
        } finally {
            changes.unlock();
        }
    }

    /** Begins the work on a step that is remembered; empty if it is worked on already. */
    Optional<Run> open(StepSpec spec) {
        Run run = new Run(spec, new CompletableFuture<>());
        return runs.putIfAbsent(spec.stepId(), run) == null ? Optional.of(run) : Optional.empty();
    }

    /** Gives the work up; the step stays remembered. */
    void leave(String stepId) {
        runs.remove(stepId);
    }

    /** What is known of a step that has no end yet and was not forgotten. */
    Optional<RememberedStep> withoutEnd(Run run) throws IOException {
        return isWanted(run)
                ? files.find(run.spec().stepId()).filter(step -> step.end() == null)
                : Optional.empty();
    }

    /** Remembers that a turn is about to be taken; null if it shall not be. */
    @Nullable RememberedStep begun(Run run) throws IOException {
        changes.lock();
        try {
            Optional<RememberedStep> open = withoutEnd(run);
            if (open.isEmpty()) {
                return null;
            }
            RememberedStep step = open.get();
            if (step.begunAt() == null) {
                step = step.begun(clock.instant());
                files.save(step);
            } else if (step.turns() == 0) {
                LOG.info(
                        "step {} is carried out again: the server ended before its end",
                        run.spec().stepId());
            }
            return step;
        } finally {
            changes.unlock();
        }
    }

    /** Remembers that a turn has ended, and when the next is to be taken. */
    void due(Run run, Duration pause) throws IOException {
        changes.lock();
        try {
            Optional<RememberedStep> open = withoutEnd(run);
            if (open.isPresent()) {
                files.save(open.get().due(clock.instant().plus(pause)));
            }
        } finally {
            changes.unlock();
        }
    }

    /** Writes down how a step ended; false if that is settled already or nobody wants to know. */
    boolean settle(Run run, StepOutcome outcome) throws IOException {
        changes.lock();
        try {
            Optional<RememberedStep> open = withoutEnd(run);
            if (open.isEmpty()) {
                return false;
            }
            StepSpec spec = run.spec();
            files.save(
                    open.get()
                            .ended(
                                    new StepReport.Finished(
                                            spec.stepId(),
                                            spec.nodeId(),
                                            spec.workflow(),
                                            clock.instant(),
                                            open.get().begunAt(),
                                            outcome)));
            return true;
        } finally {
            changes.unlock();
        }
    }

    /** The end of a step, as long as somebody wants to know it. */
    Optional<StepReport.Finished> endToReport(Run run) throws IOException {
        return isWanted(run)
                ? files.find(run.spec().stepId()).map(RememberedStep::end)
                : Optional.empty();
    }

    /** Remembers that the log has the end of a step, and ends the work on it. */
    void told(Run run) throws IOException {
        changes.lock();
        try {
            Optional<RememberedStep> known = files.find(run.spec().stepId());
            if (known.isPresent() && isWanted(run)) {
                files.save(known.get().told());
            }
            runs.remove(run.spec().stepId(), run);
        } finally {
            changes.unlock();
        }
    }

    /** Ends the work on a step and removes what is known of it. */
    void forget(String stepId) throws IOException {
        changes.lock();
        try {
            Run run = runs.remove(stepId);
            if (run != null) {
                run.cancel();
            }
            files.delete(stepId);
        } finally {
            changes.unlock();
        }
    }
}
