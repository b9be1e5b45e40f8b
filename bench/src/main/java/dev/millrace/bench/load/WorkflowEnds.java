package dev.millrace.bench.load;

import dev.millrace.log.LogConnection;
import dev.millrace.log.Topics;
import dev.millrace.log.plain.Positions;
import dev.millrace.log.plain.TailReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Waits for workflows to succeed. Looks into a transition only where it may hold an end: reading
 * all would take a good part of what the engine takes.
 */
final class WorkflowEnds implements AutoCloseable {
    private static final String END = "{\"kind\":\"Finished\"";
    private static final String GOOD_END = END + ",\"phase\":\"Succeeded\"";

    private final Semaphore ended = new Semaphore(0);
    private final TailReader<String> reader;

    WorkflowEnds(LogConnection log) {
        reader =
                TailReader.start(
                        log,
                        "bench-workflow-ends",
                        Topics.WORKFLOW_EVENTS,
                        Positions.START,
                        r ->
                                r.value() == null
                                        ? ""
                                        : new String(r.value(), StandardCharsets.ISO_8859_1),
                        (batch, _) -> batch.forEach(r -> take(Objects.requireNonNull(r.value()))));
        reader.caughtUp().orTimeout(1, TimeUnit.MINUTES).join();
    }

    private void take(String transition) {
        if (transition.contains(GOOD_END)) {
            ended.release();
        } else if (transition.contains(END)) {
            int at = transition.indexOf(END);
            throw new IllegalStateException(
                    "a workflow did not succeed: "
                            + transition.substring(at, Math.min(transition.length(), at + 500)));
        }
    }

    /** Waits until so many more have ended. */
    void await(int workflows, long seconds) throws InterruptedException {
        if (!ended.tryAcquire(workflows, seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException(
                    "%d workflows did not end within %d s, %d did"
                            .formatted(workflows, seconds, ended.availablePermits()));
        }
    }

    @Override
    public void close() {
        reader.close();
    }
}
