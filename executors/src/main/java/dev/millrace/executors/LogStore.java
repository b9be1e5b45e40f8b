package dev.millrace.executors;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What steps wrote to standard output and standard error, by step id and container; also while they
 * run.
 */
public interface LogStore {
    /**
     * The log from a byte position to what is there now.
     *
     * @param stepId the step
     * @param container name of one of its containers, usually {@code main}
     * @param position bytes to leave out at the beginning, not negative; beyond the end gives an
     *     empty stream
     * @return the rest of the log, to be closed by the caller; empty if the step has none (yet)
     */
    Optional<InputStream> open(String stepId, String container, long position) throws IOException;

    /**
     * Where the last lines of the log begin as it is now.
     *
     * @param lines at most this many; the last one may lack its line end
     * @return a position in bytes; empty if the step has no log (yet)
     */
    OptionalLong tailStart(String stepId, String container, int lines) throws IOException;

    /**
     * The last lines of the log as it is now.
     *
     * @param lines at most this many; the last one may lack its line end
     * @return the lines as text; empty if the step has no log (yet)
     */
    default Optional<String> tail(String stepId, String container, int lines) throws IOException {
        OptionalLong start = tailStart(stepId, container, lines);
        Optional<InputStream> log =
                start.isEmpty() ? Optional.empty() : open(stepId, container, start.getAsLong());
        if (log.isEmpty()) {
            return Optional.empty();
        }
        try (InputStream in = log.get()) {
            return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /**
     * When the lines of a log were written.
     *
     * @return to be closed by the caller; empty if the step has no log (yet)
     */
    Optional<LogTimes> times(String stepId, String container) throws IOException;

    /**
     * Hands out the log piece by piece until the step has finished and all was handed out, or the
     * reader wants no more. Waits for a step that has no log yet.
     *
     * @param stepId the step
     * @param container name of one of its containers, usually {@code main}
     * @param position where to begin, in bytes
     * @param sink gets the pieces in order, on the calling thread
     * @param wanted asked between pieces; false ends it
     * @throws InterruptedException if the calling thread is interrupted while it waits for more
     */
    void follow(
            String stepId,
            String container,
            long position,
            Consumer<byte[]> sink,
            BooleanSupplier wanted)
            throws IOException, InterruptedException;

    /** The containers of a step that have a log (by now), in order of name. */
    List<String> containers(String stepId) throws IOException;

    /** Removes the logs of a step. Nothing happens if there is none. */
    void delete(String stepId) throws IOException;
}
