package dev.millrace.server.readmodel;

import dev.millrace.log.plain.Positions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The read model's file. One process owns it (the data folder's owner); in it the projector's
 * threads write one after the other, and readers see the last committed state without waiting for
 * them.
 */
public final class ReadModel implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ReadModel.class);

    /** Opening the file costs as much as reading a workflow. */
    private static final int KEPT_OPEN = 8;

    private final Jdbi jdbi;
    private final Handle writer;
    private final BlockingQueue<Handle> readers = new ArrayBlockingQueue<>(KEPT_OPEN);
    private volatile boolean closed;
    private final ReentrantLock writing = new ReentrantLock();

    private ReadModel(Jdbi jdbi) {
        this.jdbi = jdbi;
        this.writer = jdbi.open();
    }

    /**
     * Opens the file, making it if need be. A file of another version, of another log, or one that
     * cannot be read is deleted first.
     *
     * @param logId identity of the Kafka cluster: positions mean nothing in another one
     */
    public static ReadModel open(Path file, String logId) {
        if (Files.exists(file) && !isUsable(file, logId)) {
            delete(file);
        }
        boolean fresh = !Files.exists(file);
        Jdbi jdbi = jdbi(file);
        if (fresh) {
            jdbi.useTransaction(handle -> Schema.create(handle, logId));
        }
        return new ReadModel(jdbi);
    }

    /** Opens a file as it is, to look into it. */
    public static ReadModel openExisting(Path file) {
        if (!Files.exists(file)) {
            throw new IllegalArgumentException("there is no read model " + file);
        }
        return new ReadModel(jdbi(file));
    }

    /**
     * Deletes the file; the next {@link #open} makes an empty one that the projector fills from the
     * log.
     */
    public static void delete(Path file) {
        try {
            for (String suffix : List.of("", "-wal", "-shm")) {
                Files.deleteIfExists(file.resolveSibling(file.getFileName() + suffix));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the read model " + file + " cannot be deleted", e);
        }
    }

    /** Reads one consistent state. */
    public <T> T read(Function<Handle, T> reading) {
        Handle idle = readers.poll();
        Handle reader = idle == null ? jdbi.open() : idle;
        T found;
        try {
            found = reader.inTransaction(reading::apply);
        } catch (RuntimeException | Error e) {
            try (reader) {
                throw e;
            }
        }
        if (!readers.offer(reader)) {
            reader.close();
        }
        if (closed) {
            closeReaders();
        }
        return found;
    }

    /** Writes in one transaction, alone. */
    void write(Consumer<Handle> writing) {
        this.writing.lock();
        try {
            writer.useTransaction(writing::accept);
        } finally {
            this.writing.unlock();
        }
    }

    /** How far a topic was read. */
    public Positions positions(String topic) {
        return read(handle -> positions(handle, topic));
    }

    static Positions positions(Handle handle, String topic) {
        Map<Integer, Long> next = new TreeMap<>();
        handle.createQuery("SELECT part, next FROM positions WHERE topic = ?")
                .bind(0, topic)
                .map((row, _) -> next.put(row.getInt(1), row.getLong(2)))
                .list();
        return new Positions(next);
    }

    static void savePositions(Handle handle, String topic, Positions positions) {
        positions
                .next()
                .forEach(
                        (partition, next) ->
                                handle.execute(
                                        "INSERT OR REPLACE INTO positions (topic, part, next) VALUES (?, ?, ?)",
                                        topic,
                                        partition,
                                        next));
    }

    /** Every row of every table as text, in order: two models that say the same give the same. */
    public List<String> dump() {
        return read(
                handle ->
                        Schema.TABLES.stream()
                                .flatMap(
                                        table ->
                                                handle
                                                        .createQuery("SELECT * FROM " + table)
                                                        .mapToMap()
                                                        .list()
                                                        .stream()
                                                        .map(
                                                                row ->
                                                                        table
                                                                                + " "
                                                                                + new TreeMap<>(
                                                                                        row))
                                                        .sorted())
                                .toList());
    }

    @Override
    public void close() {
        closed = true;
        closeReaders();
        writing.lock();
        try {
            writer.close();
        } finally {
            writing.unlock();
        }
    }

    private void closeReaders() {
        for (Handle reader = readers.poll(); reader != null; reader = readers.poll()) {
            reader.close();
        }
    }

    private static boolean isUsable(Path file, String logId) {
        try {
            return jdbi(file)
                    .withHandle(
                            handle -> {
                                int version = Schema.versionOf(handle);
                                if (version != Schema.VERSION) {
                                    LOG.info(
                                            "The read model has version {}, this release writes {}: it is made anew",
                                            version,
                                            Schema.VERSION);
                                    return false;
                                }
                                String known =
                                        handle.createQuery("SELECT id FROM log")
                                                .mapTo(String.class)
                                                .one();
                                if (!known.equals(logId)) {
                                    LOG.info(
                                            "The read model was made from another log: it is made anew");
                                }
                                return known.equals(logId);
                            });
        } catch (RuntimeException e) {
            // Nothing in it is worth a rescue: the log has it all.
            LOG.warn("The read model {} cannot be read and is made anew: {}", file, e.toString());
            return false;
        }
    }

    private static Jdbi jdbi(Path file) {
        SQLiteConfig config = new SQLiteConfig();
        // Readers do not wait for the writer, nor the writer for them.
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        // A power cut may take the last transactions, rows and positions alike: they are read from
        // the log again.
        config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
        config.setBusyTimeout(10_000);
        SQLiteDataSource source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file);
        return Jdbi.create(source);
    }
}
