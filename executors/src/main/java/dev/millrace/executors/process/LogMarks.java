package dev.millrace.executors.process;

import dev.millrace.executors.LogTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a log had which size: marks of 16 bytes (milliseconds since 1970, bytes) in a file beside
 * it. Steps write their logs themselves, so somebody looks again and again while they run. What
 * comes behind the last mark was written when the log was changed last: a step that ran for a
 * moment, or before there were marks, has none and needs none.
 */
final class LogMarks {
    private static final int SIZE = 2 * Long.BYTES;

    private final Path log;
    private final Path file;
    private long marked = -1;

    LogMarks(ContainerFolder container) {
        log = container.log();
        file = container.logMarks();
    }

    /** Adds a mark if the log has grown. */
    void look() throws IOException {
        BasicFileAttributes now;
        try {
            now = Files.readAttributes(log, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            return;
        }
        if (now.size() <= marked || now.size() == 0) {
            return;
        }
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            // Of a mark that a killed server did not finish nothing is kept.
            long marks = channel.size() / SIZE;
            marked = marks == 0 ? 0 : read(channel, marks - 1).getLong(Long.BYTES);
            if (now.size() > marked) {
                ByteBuffer mark =
                        ByteBuffer.allocate(SIZE)
                                .putLong(now.lastModifiedTime().toMillis())
                                .putLong(now.size())
                                .flip();
                channel.write(mark, marks * SIZE);
                marked = now.size();
            }
        }
    }

    private static ByteBuffer read(FileChannel channel, long mark) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, mark * SIZE + buffer.position()) < 0) {
                throw new IOException("a mark of a log is gone");
            }
        }
        return buffer.flip();
    }

    /** The times of the lines, also while more are written. */
    static LogTimes times(ContainerFolder container) {
        return new Times(container.log(), container.logMarks());
    }

    private static final class Times implements LogTimes {
        private final Path log;
        private final Path file;
        private @Nullable FileChannel channel;

        // The mark that was found last covers more than one line as a rule.
        private long from;
        private long to;
        private Instant time = Instant.EPOCH;

        Times(Path log, Path file) {
            this.log = log;
            this.file = file;
        }

        @Override
        public Instant at(long position) throws IOException {
            if (position > from && position <= to) {
                return time;
            }
            FileChannel marks = open();
            long count = marks == null ? 0 : marks.size() / SIZE;
            long low = 0;
            long high = count;
            while (marks != null && low < high) {
                long middle = (low + high) / 2;
                if (read(marks, middle).getLong(Long.BYTES) < position) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            if (marks == null || low == count) {
                return Files.getLastModifiedTime(log).toInstant();
            }
            ByteBuffer mark = read(marks, low);
            time = Instant.ofEpochMilli(mark.getLong(0));
            to = mark.getLong(Long.BYTES);
            from = low == 0 ? 0 : read(marks, low - 1).getLong(Long.BYTES);
            return time;
        }

        private @Nullable FileChannel open() throws IOException {
            if (channel == null) {
                try {
                    channel = FileChannel.open(file, StandardOpenOption.READ);
                } catch (NoSuchFileException e) {
                    return null;
                }
            }
            return channel;
        }

        @Override
        public void close() throws IOException {
            if (channel != null) {
                channel.close();
            }
        }
    }
}
