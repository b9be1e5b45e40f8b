package dev.millrace.executors;

import static org.assertj.core.api.Assertions.fail;

import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** A sink that remembers, and waits. */
public final class Reports implements ReportSink {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final List<StepReport> all = new CopyOnWriteArrayList<>();

    @Override
    public void report(StepReport report) {
        all.add(report);
    }

    public List<StepReport> of(String stepId) {
        return all.stream().filter(r -> r.stepId().equals(stepId)).toList();
    }

    public List<StepReport.Finished> ends(String stepId) {
        return of(stepId).stream()
                .filter(StepReport.Finished.class::isInstance)
                .map(StepReport.Finished.class::cast)
                .toList();
    }

    public boolean hasStarted(String stepId) {
        return of(stepId).stream().anyMatch(StepReport.Started.class::isInstance);
    }

    public StepOutcome awaitEnd(String stepId) {
        await("the end of " + stepId, () -> !ends(stepId).isEmpty());
        return ends(stepId).getFirst().outcome();
    }

    /** The address under which a daemon said that it is ready. */
    public String awaitReady(String stepId) {
        await("daemon " + stepId + " to be ready", () -> ready(stepId).isPresent());
        return ready(stepId).orElseThrow();
    }

    public Optional<String> ready(String stepId) {
        return of(stepId).stream()
                .filter(StepReport.Ready.class::isInstance)
                .map(r -> ((StepReport.Ready) r).address())
                .findFirst();
    }

    public void awaitStart(String stepId) {
        await("the start of " + stepId, () -> hasStarted(stepId));
    }

    public static void await(String what, BooleanSupplier fact) {
        Instant limit = Instant.now().plus(LIMIT);
        while (!fact.getAsBoolean()) {
            if (Instant.now().isAfter(limit)) {
                fail("waited %d s in vain for %s", LIMIT.toSeconds(), what);
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                fail("interrupted while waiting for %s", what);
            }
        }
    }
}
