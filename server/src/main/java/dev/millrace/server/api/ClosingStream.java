package dev.millrace.server.api;

import dev.millrace.executors.artifact.ArtifactPlace;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The content of an artifact; its store is closed with it. */
final class ClosingStream extends FilterInputStream {
    private final ArtifactPlace place;

    ClosingStream(InputStream content, ArtifactPlace place) {
        super(content);
        this.place = place;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return in.read(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
        try (place) {
            super.close();
        }
    }
}
