package dev.millrace.executors;

import java.io.IOException;
import java.time.Instant;

/** When the lines of one log were written. Used by one thread at a time. */
public interface LogTimes extends AutoCloseable {
    /**
     * When a line was written, to about a tenth of a second; never earlier than for a smaller
     * position.
     *
     * @param position the end of the line, in bytes from the beginning of the log
     */
    Instant at(long position) throws IOException;

    @Override
    void close() throws IOException;
}
