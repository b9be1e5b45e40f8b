package dev.millrace.cli.local;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server in a folder that goes with it. */
public final class TemporaryServer implements AutoCloseable {

    private final Path folder;
    private final ClosedOnExit closing;
    private volatile @Nullable RunningServer server;

    private TemporaryServer(Path folder) {
        this.folder = folder;
        this.closing = new ClosedOnExit(this::stopAndRemove);
    }

    /**
     * Starts a server.
     *
     * @param port of the API; 0 takes a free one
     * @param withLog whether the server's log is shown
     * @param say hears what a person should know
     */
    public static TemporaryServer start(
            ServerLauncher launcher, int port, boolean withLog, Consumer<String> say) {
        TemporaryServer temporary = new TemporaryServer(newFolder());
        if (!withLog) {
            QuietLog.begin();
        }
        try {
            ServerPlan free = ServerPlan.temporary(temporary.folder);
            temporary.server =
                    launcher.start(
                            new ServerPlan(
                                    free.data(),
                                    free.definitions(),
                                    Optional.of(port),
                                    free.bind(),
                                    false),
                            say);
            return temporary;
        } catch (RuntimeException e) {
            temporary.close();
            throw e;
        }
    }

    public RunningServer server() {
        RunningServer running = server;
        if (running == null) {
            throw new IllegalStateException("the server is not running");
        }
        return running;
    }

    public Path folder() {
        return folder;
    }

    @Override
    public void close() {
        closing.close();
    }

    private void stopAndRemove() {
        try {
            RunningServer running = server;
            if (running != null) {
                running.close();
            }
        } finally {
            remove(folder);
        }
    }

    private static Path newFolder() {
        try {
            return Files.createTempDirectory("millrace-");
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.UNAVAILABLE,
                    "no temporary folder can be made in %s: %s. Name another with MILLRACE_JAVA_OPTS=-Djava.io.tmpdir=FOLDER"
                            .formatted(System.getProperty("java.io.tmpdir"), e.getMessage()),
                    e);
        }
    }

    /** Links in it are removed, not followed. */
    private static void remove(Path folder) {
        try {
            Files.walkFileTree(
                    folder,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.deleteIfExists(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path visited, @Nullable IOException failure) throws IOException {
                            if (failure != null) {
                                throw failure;
                            }
                            Files.deleteIfExists(visited);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (NoSuchFileException e) {
            throw new UncheckedIOException("somebody else removes " + folder + " too", e);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the temporary folder " + folder + " cannot be removed", e);
        }
    }
}
