package dev.millrace.log.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/**
 * A data folder and the right to use it. It has one owner at a time: two brokers on the same files
 * would destroy them. The lock is the kernel's and ends with the process, however it ends; the
 * owner file beside it only says who that is.
 */
public final class DataFolder implements AutoCloseable {

    private static final String LOCK_FILE = "lock";
    private static final String OWNER_FILE = "owner";

    private final Path path;
    private final FileChannel channel;
    private final FileLock lock;

    private DataFolder(Path path, FileChannel channel, FileLock lock) {
        this.path = path;
        this.channel = channel;
        this.lock = lock;
    }

    /**
     * Takes the folder, creating it if need be.
     *
     * @throws DataFolderInUseException if another process, or another part of this one, has it
     * @throws UncheckedIOException if the folder cannot be created or written
     */
    public static DataFolder claim(Path folder) {
        Path path = folder.toAbsolutePath().normalize();
        FileChannel channel = open(path);
        try {
            FileLock lock = tryLock(channel);
            if (lock == null) {
                throw inUse(path);
            }
            DataFolder claimed = new DataFolder(path, channel, lock);
            claimed.writeOwner();
            return claimed;
        } catch (IOException e) {
            closeQuietly(channel, e);
            throw new UncheckedIOException("data folder " + path + " cannot be locked", e);
        } catch (DataFolderInUseException e) {
            closeQuietly(channel, e);
            throw e;
        }
    }

    /** The folder, absolute. */
    public Path path() {
        return path;
    }

    /** A folder inside the data folder, created if need be. */
    public Path folder(String name) {
        try {
            return Files.createDirectories(path.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException("folder " + path.resolve(name) + " cannot be made", e);
        }
    }

    /** Gives the folder back. */
    @Override
    public void close() {
        try (channel) {
            if (lock.isValid()) {
                Files.deleteIfExists(path.resolve(OWNER_FILE));
                lock.release();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("data folder " + path + " cannot be released", e);
        }
    }

    /**
     * What events and workflows hold is for the owner's eyes; a folder that is there stays as it
     * is.
     */
    private static void createPrivate(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectory(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectory(path);
        }
    }

    private static FileChannel open(Path path) {
        try {
            createPrivate(path);
            return FileChannel.open(
                    path.resolve(LOCK_FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "data folder "
                            + path
                            + " cannot be used: "
                            + e.getMessage()
                            + "; choose a folder that this user may write",
                    e);
        }
    }

    @org.jspecify.annotations.Nullable
    private static FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Held by this very process: the same answer as from the kernel for another one.
            return null;
        }
    }

    private void writeOwner() throws IOException {
        ProcessHandle self = ProcessHandle.current();
        String started = self.info().startInstant().map(Instant::toString).orElse("unknown time");
        Path file = path.resolve(OWNER_FILE);
        try (FileChannel owner =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            owner.write(
                    ByteBuffer.wrap(
                            (self.pid() + "\n" + started + "\n").getBytes(StandardCharsets.UTF_8)));
        }
    }

    private static DataFolderInUseException inUse(Path path) {
        String owner;
        String cure;
        try {
            var lines = Files.readAllLines(path.resolve(OWNER_FILE));
            owner = "process " + lines.get(0) + " (running since " + lines.get(1) + ")";
            cure = "Stop it (kill " + lines.get(0) + ")";
        } catch (IOException | IndexOutOfBoundsException e) {
            // The owner is between taking the lock and writing its name.
            owner = "another process";
            cure = "Stop it";
        }
        return new DataFolderInUseException(
                "The data folder "
                        + path
                        + " is in use by "
                        + owner
                        + ". "
                        + cure
                        + ", or choose another folder with --data.");
    }

    private static void closeQuietly(FileChannel channel, Exception cause) {
        try {
            channel.close();
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
