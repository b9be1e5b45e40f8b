package dev.millrace.executors.process;

import dev.millrace.executors.LogStore;
import dev.millrace.executors.LogTimes;
import dev.millrace.executors.StepContainers;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * The logs that steps of a {@link ProcessExecutor} write into their folders: both outputs, in the
 * order of writing.
 */
public final class FileLogStore implements LogStore {
    private static final int PIECE = 64 * 1024;
    private static final long LOOK_MILLIS = 100;

    private final Path root;

    /**
     * @param root the folder of all steps, as in {@link ProcessSettings#root()}
     */
    public FileLogStore(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    @Override
    public Optional<InputStream> open(String stepId, String container, long position)
            throws IOException {
        try {
            FileChannel channel =
                    FileChannel.open(
                            log(StepFolder.of(root, stepId), container), StandardOpenOption.READ);
            channel.position(position);
            return Optional.of(Channels.newInputStream(channel));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public OptionalLong tailStart(String stepId, String container, int lines) throws IOException {
        Path log = log(StepFolder.of(root, stepId), container);
        if (!Files.exists(log)) {
            return OptionalLong.empty();
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            long end = file.length();
            long start = end;
            int found = 0;
            byte[] piece = new byte[PIECE];
            // From the end, piece by piece, until one line end more than asked for.
            while (start > 0 && found <= lines) {
                int length = (int) Math.min(PIECE, start);
                file.seek(start - length);
                file.readFully(piece, 0, length);
                int i = length - 1;
                for (; i >= 0; i--) {
                    boolean last = start - length + i == end - 1;
                    if (piece[i] == '\n' && !last && ++found == lines) {
                        break;
                    }
                }
                start = start - length + (i + 1);
                if (i >= 0) {
                    break;
                }
            }
            return OptionalLong.of(lines == 0 ? end : start);
        }
    }

    @Override
    public Optional<LogTimes> times(String stepId, String container) {
        StepFolder folder = StepFolder.of(root, stepId);
        return Files.exists(log(folder, container))
                ? Optional.of(LogMarks.times(folder.container(container)))
                : Optional.empty();
    }

    @Override
    public void follow(
            String stepId,
            String container,
            long position,
            Consumer<byte[]> sink,
            BooleanSupplier wanted)
            throws IOException, InterruptedException {
        StepFolder folder = StepFolder.of(root, stepId);
        long at = position;
        while (wanted.getAsBoolean()) {
            // Asked before reading: what was written until then is read below.
            boolean ended = folder.isOver() || folder.finished().isPresent();
            byte[] piece = read(log(folder, container), at);
            if (piece.length > 0) {
                at += piece.length;
                sink.accept(piece);
            } else if (ended) {
                return;
            } else {
                Thread.sleep(LOOK_MILLIS);
            }
        }
    }

    private static byte[] read(Path log, long position) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            in.skip(position);
            return in.readNBytes(PIECE);
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    /** A name that is no container's leads nowhere, and never out of the folder. */
    private static Path log(StepFolder folder, String container) {
        return StepContainers.isName(container)
                ? folder.container(container).log()
                : folder.dir().resolve("no-container.log/none");
    }

    @Override
    public List<String> containers(String stepId) throws IOException {
        List<String> names = new ArrayList<>();
        Path dir = StepFolder.of(root, stepId).dir();
        if (Files.isDirectory(dir)) {
            try (DirectoryStream<Path> logs = Files.newDirectoryStream(dir, "*.log")) {
                for (Path log : logs) {
                    String name = log.getFileName().toString();
                    names.add(name.substring(0, name.length() - ".log".length()));
                }
            }
        }
        names.removeIf(name -> !StepContainers.isName(name));
        Collections.sort(names);
        return names;
    }

    @Override
    public void delete(String stepId) throws IOException {
        for (String container : containers(stepId)) {
            ContainerFolder folder = StepFolder.of(root, stepId).container(container);
            Files.deleteIfExists(folder.log());
            Files.deleteIfExists(folder.logMarks());
        }
    }
}
