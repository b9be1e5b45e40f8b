package dev.millrace.executors.artifact;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A text that stands in the manifest itself. */
record RawArtifactStore(String data) implements ArtifactStore {

    @Override
    public String place(String key) {
        return "the manifest (raw)";
    }

    @Override
    public Content look(String key) {
        return Content.FILE;
    }

    @Override
    public InputStream open(String key) {
        return new ByteArrayInputStream(data.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public List<String> list(String key, int most) {
        return List.of();
    }

    @Override
    public void write(String key, Path file, Cancellation cancellation) throws ArtifactException {
        throw new ArtifactException(
                "raw artifacts are inputs only; give the output a place in a store, or none for the artifact repository");
    }

    @Override
    public void delete(String key) throws ArtifactException {
        throw new ArtifactException("raw artifacts cannot be deleted");
    }

    @Override
    public void close() {}
}
