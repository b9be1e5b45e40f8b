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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server in a folder that goes with it. */
public final class TemporaryServer implements AutoCloseable {

    private static final String INTERRUPTED = "interrupted";

    // Held while the server starts: whoever is told to stop meanwhile waits, since a server that is
    // half there can be neither closed nor have its folder taken away.
    private final ReentrantLock starting = new ReentrantLock();
    private final ClosedOnExit closing = new ClosedOnExit(this::stopAndRemove);
    private @Nullable Path folder;
    private @Nullable RunningServer server;

    private TemporaryServer() {}

    /**
     * Starts a server.
     *
     * @param port of the API; 0 takes a free one
     * @param withLog whether the server's log is shown
     * @param say hears what a person should know
     * @throws CommandException if it cannot start, or the process is told to end meanwhile
     */
    public static TemporaryServer start(
            ServerLauncher launcher, int port, boolean withLog, Consumer<String> say) {
        TemporaryServer temporary = new TemporaryServer();
        if (!withLog) {
            QuietLog.begin();
        }
        try {
            temporary.launch(launcher, port, say);
        } catch (RuntimeException | Error e) {
            temporary.close();
            temporary.refuseIfAsked(e);
            throw e;
        }
        if (temporary.closing.isExiting()) {
            temporary.close();
            throw new CommandException(ExitCode.FAILED, INTERRUPTED);
        }
        return temporary;
    }

    /**
     * Does something with a server of its own.
     *
     * @throws CommandException also if the process is told to end meanwhile: what fails then fails
     *     because the server is gone, and that is nothing to report
     */
    public static <T> T during(
            ServerLauncher launcher,
            int port,
            boolean withLog,
            Consumer<String> say,
            Function<TemporaryServer, T> deed) {
        try (TemporaryServer own = start(launcher, port, withLog, say)) {
            try {
                return deed.apply(own);
            } catch (RuntimeException | Error e) {
                own.refuseIfAsked(e);
                throw e;
            }
        }
    }

    private void launch(ServerLauncher launcher, int port, Consumer<String> say) {
        starting.lock();
        try {
            if (closing.isExiting()) {
                throw new CommandException(ExitCode.FAILED, INTERRUPTED);
            }
            Path data = newFolder();
            folder = data;
            ServerPlan free = ServerPlan.temporary(data);
            server =
                    launcher.start(
                            new ServerPlan(
                                    free.data(),
                                    free.definitions(),
                                    Optional.of(port),
                                    free.bind(),
                                    false),
                            say);
        } finally {
            starting.unlock();
        }
    }

    /**
     * Whatever fails while the process ends, classes that cannot be loaded any more among it, fails
     * for that reason.
     */
    private void refuseIfAsked(Throwable failure) {
        if (closing.isExiting()) {
            throw new CommandException(ExitCode.FAILED, INTERRUPTED, failure);
        }
    }

    public RunningServer server() {
        return started(server);
    }

    public Path folder() {
        return started(folder);
    }

    private static <T> T started(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("the server was not started");
        }
        return part;
    }

    @Override
    public void close() {
        closing.close();
    }

    private void stopAndRemove() {
        starting.lock();
        try {
            if (server != null) {
                server.close();
            }
        } finally {
            if (folder != null) {
                remove(folder);
            }
            starting.unlock();
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
