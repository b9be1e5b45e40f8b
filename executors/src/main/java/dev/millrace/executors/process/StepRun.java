package dev.millrace.executors.process;

import dev.millrace.executors.StepContainers;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A step that is on its way: waiting, running, or ended and not yet reported. */
final class StepRun {
    final StepSpec spec;
    final StepFolder folder;

    /** Set while {@code forget} waits for the end: nobody wants to hear of it. */
    volatile boolean forgotten;

    /**
     * Set when nothing of the step runs (any more), or will run before the next start of the
     * server.
     */
    private final CountDownLatch still = new CountDownLatch(1);

    /** The last progress that was told. */
    volatile String progress = "";

    /** The times of what its containers write; by one thread, once the step runs. */
    private List<LogMarks> logs = List.of();

    private final AtomicBoolean taken = new AtomicBoolean();
    private volatile boolean running;

    /** Gives back the place among the steps that run, if it has one. */
    private final AtomicReference<Runnable> room = new AtomicReference<>(() -> {});

    StepRun(StepSpec spec, StepFolder folder) {
        this.spec = spec;
        this.folder = folder;
    }

    /**
     * Whether the caller is the one who may bring the step to its end; a step that waits for room
     * can be stopped by another.
     */
    boolean take() {
        return taken.compareAndSet(false, true);
    }

    /**
     * The step has a place among those that run.
     *
     * @param release gives it back
     */
    void enterRoom(Runnable release) {
        room.set(release);
    }

    /** Gives the place back; a daemon that is ready keeps none, for others wait for it. */
    void leaveRoom() {
        room.getAndSet(() -> {}).run();
    }

    /** Notes the times of what was written since the last look. */
    void lookAtLogs() throws IOException {
        if (logs.isEmpty()) {
            try {
                logs =
                        StepContainers.of(spec).all().stream()
                                .map(c -> new LogMarks(folder.container(c.name())))
                                .toList();
            } catch (StepRefusedException e) {
                return; // It never ran.
            }
        }
        for (LogMarks log : logs) {
            log.look();
        }
    }

    boolean isRunning() {
        return running;
    }

    void setRunning() {
        running = true;
    }

    void setStill() {
        running = false;
        still.countDown();
    }

    boolean awaitStill(long millis) throws InterruptedException {
        return still.await(millis, TimeUnit.MILLISECONDS);
    }
}
