package dev.millrace.executors.artifact;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Copies bytes piece by piece, asking between pieces whether it is still wanted. */
final class Pieces {
    private static final int PIECE = 64 * 1024;

    /** Opens what is to be copied, from its beginning each time. */
    @FunctionalInterface
    interface Source {
        InputStream open() throws ArtifactException, IOException;
    }

    private Pieces() {}

    /**
     * Copies a source to a file, from its beginning again if the connection is lost.
     *
     * @param place where the source is, for the error
     */
    static void copy(Source source, Path file, String place, Cancellation cancellation)
            throws ArtifactException, IOException {
        Retries.DEFAULT.call(
                cancellation,
                () -> {
                    try (OutputStream out =
                            Files.newOutputStream(
                                    file,
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.TRUNCATE_EXISTING,
                                    StandardOpenOption.WRITE,
                                    java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
                        read(source, out, place, cancellation);
                    }
                    return file;
                });
    }

    private static void read(
            Source source, OutputStream out, String place, Cancellation cancellation)
            throws ArtifactException, IOException {
        try (InputStream in = open(source, place)) {
            byte[] piece = new byte[PIECE];
            while (true) {
                cancellation.check();
                int length = next(in, piece, place);
                if (length < 0) {
                    return;
                }
                // A disk that is full is no fault of the source, and does not pass by itself.
                out.write(piece, 0, length);
            }
        }
    }

    private static InputStream open(Source source, String place) throws ArtifactException {
        try {
            return source.open();
        } catch (IOException e) {
            throw lost(place, e);
        }
    }

    private static int next(InputStream in, byte[] piece, String place) throws ArtifactException {
        try {
            return in.read(piece);
        } catch (InterruptedIOException e) {
            throw lost(place, e);
        } catch (IOException e) {
            throw lost(place, e);
        }
    }

    private static ArtifactException lost(String place, IOException e) {
        return ArtifactException.passing(
                "reading %s broke off: %s".formatted(place, e.getMessage()), e);
    }
}
