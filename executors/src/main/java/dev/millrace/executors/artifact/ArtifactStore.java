package dev.millrace.executors.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One place for artifacts: a folder, a bucket, an address. A key names a file in it, or, as the
 * beginning of the keys of others, a folder. Every method may be called again with the same
 * outcome.
 */
public interface ArtifactStore extends AutoCloseable {

    /** What lies under a key. */
    enum Content {
        NOTHING,
        FILE,
        FOLDER
    }

    /** The place of a key as people know it, without anything secret. */
    String place(String key);

    /** What lies there. A key that ends in a slash means a folder. */
    Content look(String key) throws ArtifactException;

    /**
     * The bytes of a file as a stream, to be closed by the caller. A connection that is lost on the
     * way is an {@link IOException} of the stream.
     *
     * @throws ArtifactMissingException if there is no such file
     */
    InputStream open(String key) throws ArtifactException;

    /**
     * The paths of files of a folder, relative to it, in order; empty if there is none.
     *
     * @param key empty for the whole store
     * @param most so many at most; which ones if there are more is left open
     */
    List<String> list(String key, int most) throws ArtifactException;

    /** The paths of all files of a folder. */
    default List<String> list(String key) throws ArtifactException {
        return list(key, Integer.MAX_VALUE);
    }

    /** Stores a file, in place of what was there; readers see the old or the new one, whole. */
    void write(String key, Path file, Cancellation cancellation) throws ArtifactException;

    /** Removes a file or a whole folder; nothing happens if there is none. */
    void delete(String key) throws ArtifactException;

    /**
     * Brings a file or a folder.
     *
     * @param target does not exist yet; its parent does
     * @throws ArtifactMissingException if there is nothing
     */
    default void fetch(String key, Path target, Cancellation cancellation)
            throws ArtifactException, IOException {
        switch (look(key)) {
            case NOTHING -> throw new ArtifactMissingException(place(key));
            case FILE -> Pieces.copy(() -> open(key), target, place(key), cancellation);
            case FOLDER -> {
                Files.createDirectories(target);
                for (String name : list(key)) {
                    Path file = Keys.inside(target, name, place(key));
                    Files.createDirectories(file.getParent());
                    String one = Keys.join(key, name);
                    Pieces.copy(() -> open(one), file, place(one), cancellation);
                }
            }
        }
    }

    @Override
    void close();
}
