package dev.millrace.executors.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Artifacts as files of a folder, readable by the server's user alone. A file appears under its key
 * when it is whole.
 */
final class LocalArtifactStore implements ArtifactStore {
    private static final FileAttribute<?> FOLDER_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    private static final FileAttribute<?> FILE_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** No key begins with it, so that what is half written is never listed. */
    private static final String UNFINISHED = ".unfinished";

    private final Path root;

    /**
     * @param root the folder; it need not exist
     */
    LocalArtifactStore(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    @Override
    public String place(String key) {
        return "key " + key + " of the local artifact store";
    }

    private Path file(String key) throws ArtifactException {
        Path file = Keys.inside(root, key, place(key));
        if (file.startsWith(root.resolve(UNFINISHED))) {
            throw new ArtifactException(
                    "%s: keys that begin with %s are the store's own"
                            .formatted(place(key), UNFINISHED));
        }
        // The store makes no links; one that was put there by hand may lead anywhere.
        Path at = root;
        for (Path part : root.relativize(file)) {
            at = at.resolve(part);
            if (Files.isSymbolicLink(at)) {
                throw new ArtifactException(
                        "%s: %s is a symbolic link; the store holds files and folders only"
                                .formatted(place(key), at));
            }
        }
        return file;
    }

    @Override
    public Content look(String key) throws ArtifactException {
        Path file = file(key);
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            return Content.FOLDER;
        }
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                ? Content.FILE
                : Content.NOTHING;
    }

    @Override
    public InputStream open(String key) throws ArtifactException {
        if (look(key) != Content.FILE) {
            throw new ArtifactMissingException(place(key));
        }
        try {
            return Files.newInputStream(file(key), LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw new ArtifactMissingException(place(key));
        } catch (IOException e) {
            throw unusable("read", key, e);
        }
    }

    @Override
    public List<String> list(String key, int most) throws ArtifactException {
        Path folder = key.isEmpty() ? root : file(key);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(f -> Files.isRegularFile(f, LinkOption.NOFOLLOW_LINKS))
                    .filter(f -> !f.startsWith(root.resolve(UNFINISHED)))
                    .map(f -> folder.relativize(f).toString())
                    .limit(most)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unusable("list", key, e);
        }
    }

    @Override
    public void write(String key, Path source, Cancellation cancellation) throws ArtifactException {
        Path target = file(key);
        try {
            Path unfinished = Files.createDirectories(root.resolve(UNFINISHED), FOLDER_MODE);
            Path fresh =
                    Files.createFile(unfinished.resolve(UUID.randomUUID().toString()), FILE_MODE);
            try {
                Pieces.copy(
                        () -> Files.newInputStream(source), fresh, source.toString(), cancellation);
                Files.createDirectories(target.getParent(), FOLDER_MODE);
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (FileAlreadyExistsException | NotDirectoryException e) {
            throw new ArtifactException(
                    "%s: a part of the key is a file that was stored before; choose another key"
                            .formatted(place(key)),
                    e);
        } catch (IOException e) {
            if (Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
                throw new ArtifactException(
                        "%s: a folder was stored there before; choose another key"
                                .formatted(place(key)),
                        e);
            }
            throw unusable("write", key, e);
        }
    }

    @Override
    public void delete(String key) throws ArtifactException {
        Path file = file(key);
        try {
            if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                try (Stream<Path> all = Files.walk(file)) {
                    for (Path one : all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                        Files.deleteIfExists(one);
                    }
                }
            } else {
                Files.deleteIfExists(file);
            }
            removeEmpty(file.getParent());
        } catch (IOException e) {
            throw unusable("delete", key, e);
        }
    }

    /** Folders are not stored for themselves: one without files is gone, as in a bucket. */
    private void removeEmpty(@Nullable Path folder) throws IOException {
        @Nullable Path at = folder;
        while (at != null && at.startsWith(root) && !at.equals(root)) {
            try {
                Files.deleteIfExists(at);
            } catch (java.nio.file.DirectoryNotEmptyException e) {
                return;
            }
            at = at.getParent();
        }
    }

    private ArtifactException unusable(String what, String key, IOException e) {
        return new ArtifactException(
                "cannot %s %s in %s: %s; look at the folder's permissions and free space"
                        .formatted(what, place(key), root, e),
                e);
    }

    @Override
    public void close() {}
}
