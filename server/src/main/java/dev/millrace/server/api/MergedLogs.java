package dev.millrace.server.api;

import dev.millrace.executors.LogStore;
import dev.millrace.executors.LogTimes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The logs of several steps as they are now, their lines by time. A log is open only while its turn
 * lasts: no more of them at once than steps wrote at the same time.
 */
final class MergedLogs {
    private static final int PIECE = 64 * 1024;

    private final LogStore logs;
    private final LogRequest request;

    MergedLogs(LogStore logs, LogRequest request) {
        this.logs = logs;
        this.request = request;
    }

    /**
     * Hands out the lines; of the same time those of earlier steps first.
     *
     * @param steps in the order in which they began
     */
    void read(List<WorkflowLog.Step> steps, Consumer<WorkflowLog.Line> sink) throws IOException {
        PriorityQueue<StepLog> queue =
                new PriorityQueue<>(
                        Comparator.comparing((StepLog log) -> log.next)
                                .thenComparingInt(log -> log.order));
        try {
            for (WorkflowLog.Step step : steps) {
                Optional<Instant> begin = begin(step);
                if (begin.isPresent()) {
                    queue.add(new StepLog(step, queue.size(), begin.get()));
                }
            }
            while (!queue.isEmpty()) {
                StepLog log = queue.remove();
                if (log.pass(sink)) {
                    queue.add(log);
                }
            }
        } finally {
            for (StepLog log : queue) {
                log.close();
            }
        }
    }

    /** When the first line of a log was written, or earlier; empty if there is no log. */
    private Optional<Instant> begin(WorkflowLog.Step step) throws IOException {
        Optional<LogTimes> times = logs.times(step.id(), request.container());
        if (times.isEmpty()) {
            return Optional.empty();
        }
        try (LogTimes open = times.get()) {
            return Optional.of(open.at(1));
        } catch (NoSuchFileException e) {
            return Optional.empty(); // It is being deleted.
        }
    }

    /** One log and how far it was read. */
    private final class StepLog {
        private final WorkflowLog.Step step;
        private final int order;
        private final Deque<WorkflowLog.Line> ready = new ArrayDeque<>();
        private LineSplitter lines = new LineSplitter();
        private @Nullable LogTimes times;
        private @Nullable InputStream in;

        /** When the next line was written, or earlier. */
        private Instant next;

        StepLog(WorkflowLog.Step step, int order, Instant begin) {
            this.step = step;
            this.order = order;
            this.next = begin;
        }

        /** Hands out the next line, or finds out its time; false at the end of the log. */
        boolean pass(Consumer<WorkflowLog.Line> sink) throws IOException {
            try {
                if (!ready.isEmpty()) {
                    sink.accept(ready.remove());
                }
                while (ready.isEmpty() && fill()) {
                    continue;
                }
            } catch (NoSuchFileException e) {
                ready.clear(); // It is being deleted.
            } catch (UncheckedIOException e) {
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    close();
                    throw e;
                }
                ready.clear();
            } catch (IOException | RuntimeException e) {
                close();
                throw e;
            }
            if (ready.isEmpty()) {
                close();
                return false;
            }
            next = Objects.requireNonNull(ready.element().time());
            return true;
        }

        /** Reads a piece; false if there is no more. */
        private boolean fill() throws IOException {
            if (times == null && !open()) {
                return false;
            }
            if (in == null) {
                return false;
            }
            byte[] piece = in.readNBytes(PIECE);
            if (piece.length == 0) {
                in.close();
                in = null;
                lines.end(this::take);
            } else {
                lines.add(piece, this::take);
            }
            return true;
        }

        private boolean open() throws IOException {
            long from = request.from(logs, step.id());
            in = logs.open(step.id(), request.container(), from).orElse(null);
            times = logs.times(step.id(), request.container()).orElse(null);
            lines = new LineSplitter(from);
            return in != null && times != null;
        }

        private void take(String text) {
            try {
                Instant time = Objects.requireNonNull(times).at(lines.position());
                ready.add(new WorkflowLog.Line(step.pod(), text, -1, time));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void close() throws IOException {
            if (in != null) {
                in.close();
            }
            if (times != null) {
                times.close();
            }
        }
    }
}
