package dev.millrace.executors.artifact;

/**
 * Where one artifact lies. To be closed after use.
 *
 * @param key its key in the store
 */
public record ArtifactPlace(ArtifactStore store, String key) implements AutoCloseable {

    @Override
    public String toString() {
        return store.place(key);
    }

    @Override
    public void close() {
        store.close();
    }
}
