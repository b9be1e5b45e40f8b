package dev.millrace.executors.artifact;

import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How an artifact is packed, as its {@code archive} says. */
sealed interface ArchiveStrategy {

    /** As it is: one file, or each file of a folder by itself. */
    record None() implements ArchiveStrategy {}

    /**
     * A gzipped tar.
     *
     * @param level of the compression, 0 (none) to 9, or -1 for the usual one
     */
    record Tar(int level) implements ArchiveStrategy {}

    /** A zip file. */
    record Zip() implements ArchiveStrategy {}

    /** Nothing is said: packed as tar; unpacked if it is a gzipped tar. */
    record Unstated() implements ArchiveStrategy {}

    static ArchiveStrategy of(@Nullable JsonNode archive) throws ArtifactException {
        if (archive == null) {
            return new Unstated();
        }
        if (archive.has("none")) {
            return new None();
        }
        if (archive.has("zip")) {
            return new Zip();
        }
        int level =
                archive.path("tar").path("compressionLevel").asInt(Deflater.DEFAULT_COMPRESSION);
        if (level < Deflater.DEFAULT_COMPRESSION || level > Deflater.BEST_COMPRESSION) {
            throw new ArtifactException(
                    "archive.tar.compressionLevel is %d; it goes from 0 to 9, or -1 for the usual one"
                            .formatted(level));
        }
        return archive.has("tar") ? new Tar(level) : new Unstated();
    }
}
