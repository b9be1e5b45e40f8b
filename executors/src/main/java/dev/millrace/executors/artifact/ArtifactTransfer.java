package dev.millrace.executors.artifact;

import dev.millrace.schemas.workflow.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Brings artifacts to files and stores files as artifacts, packed and unpacked as the artifact
 * says. Nothing is held in memory as a whole. A transfer that was broken off can be made again.
 *
 * @param namespace that of the workflow
 * @param scratch a folder for what is under way, on the same disk as the files; made where it is
 *     missing
 */
public record ArtifactTransfer(
        ArtifactStores stores, String namespace, Path scratch, Cancellation cancellation) {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactTransfer.class);

    /**
     * Brings an artifact.
     *
     * @param target its path; what is there is replaced. Its folder exists
     * @throws ArtifactMissingException if nothing is stored there
     * @throws ArtifactException why it cannot be brought, and what to do
     * @throws IOException if this host's disk cannot take it
     */
    public void bring(Artifact artifact, Path target) throws ArtifactException, IOException {
        Path fetched = fresh("fetched");
        Path ready = fresh("ready");
        try (ArtifactPlace place = stores.open(namespace, artifact)) {
            place.store().fetch(place.key(), fetched, cancellation);
            unpack(ArchiveStrategy.of(artifact.archive()), fetched, ready, place);
            Integer mode = mode(artifact.mode());
            if (mode != null) {
                FileModes.set(ready, mode, Boolean.TRUE.equals(artifact.recurseMode()));
            }
            Trees.delete(target);
            Files.move(ready, target);
        } finally {
            Trees.delete(fetched);
            Trees.delete(ready);
        }
    }

    private void unpack(ArchiveStrategy strategy, Path fetched, Path ready, ArtifactPlace place)
            throws ArtifactException, IOException {
        boolean file = Files.isRegularFile(fetched, LinkOption.NOFOLLOW_LINKS);
        Path unpacked = fresh("unpacked");
        try {
            switch (strategy) {
                case ArchiveStrategy.Tar _ when file ->
                        Unpacking.tar(fetched, ready, unpacked, cancellation);
                case ArchiveStrategy.Zip _ when file ->
                        Unpacking.zip(fetched, ready, unpacked, cancellation);
                case ArchiveStrategy.Unstated _ when file && Unpacking.isGzippedTar(fetched) ->
                        Unpacking.tar(fetched, ready, unpacked, cancellation);
                case ArchiveStrategy.Tar _,
                        ArchiveStrategy.Zip _,
                        ArchiveStrategy.None _,
                        ArchiveStrategy.Unstated _ ->
                        Files.move(fetched, ready);
            }
        } catch (ArtifactException e) {
            throw new ArtifactException("%s: %s".formatted(place, e.reason()), e);
        } finally {
            Trees.delete(unpacked);
        }
    }

    private static @Nullable Integer mode(@Nullable JsonNode mode) throws ArtifactException {
        if (mode == null || mode.isNull()) {
            return null;
        }
        int bits = mode.asInt(-1);
        if (bits < 0 || bits > 0777) {
            throw new ArtifactException(
                    "mode is %s; it goes from 0 to 0777, in octal with a leading zero"
                            .formatted(mode.asString("")));
        }
        return bits;
    }

    /**
     * Stores a file or a folder, in place of what was stored there.
     *
     * @param source exists; links in it are not followed out of it
     * @throws ArtifactException why it cannot be stored, and what to do
     * @throws IOException if this host's disk cannot be read, or cannot take the archive
     */
    public void store(Artifact artifact, Path source) throws ArtifactException, IOException {
        Path archive = fresh("archive");
        try (ArtifactPlace place = stores.open(namespace, artifact)) {
            switch (ArchiveStrategy.of(artifact.archive())) {
                case ArchiveStrategy.None _ -> storeAsIs(place, source);
                case ArchiveStrategy.Zip _ -> {
                    new Packing(cancellation).zip(source, archive);
                    place.store().write(place.key(), archive, cancellation);
                }
                case ArchiveStrategy.Tar tar -> storeTar(place, source, archive, tar.level());
                case ArchiveStrategy.Unstated _ -> storeTar(place, source, archive, -1);
            }
        } finally {
            Trees.delete(archive);
        }
    }

    /** Stores a log: as it is, so that it can be read at its place. */
    public void storeLog(Artifact artifact, Path log) throws ArtifactException {
        try (ArtifactPlace place = stores.open(namespace, artifact)) {
            place.store().write(place.key(), log, cancellation);
        }
    }

    private void storeTar(ArtifactPlace place, Path source, Path archive, int level)
            throws ArtifactException, IOException {
        new Packing(cancellation).tar(source, archive, level);
        place.store().write(place.key(), archive, cancellation);
    }

    private void storeAsIs(ArtifactPlace place, Path source) throws ArtifactException, IOException {
        if (Files.isRegularFile(source)) {
            place.store().write(place.key(), source, cancellation);
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(source)) {
            files = all.filter(f -> !Files.isDirectory(f, LinkOption.NOFOLLOW_LINKS)).toList();
        }
        Path inside = source.toRealPath();
        List<Path> left = new ArrayList<>();
        for (Path file : files) {
            Path real = Files.isSymbolicLink(file) ? follow(file, inside) : file;
            if (real == null) {
                left.add(source.relativize(file));
            } else if (Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
                String key = Keys.join(place.key(), source.relativize(file).toString());
                place.store().write(key, real, cancellation);
            }
        }
        if (!left.isEmpty()) {
            LOG.warn(
                    "{}: left out {} symbolic links that lead to no file of the artifact, such as {}; a tar archive keeps links",
                    place,
                    left.size(),
                    left.getFirst());
        }
    }

    /**
     * A store has no links: one that leads to a file of the same artifact is stored as that file.
     */
    private static @Nullable Path follow(Path link, Path inside) throws IOException {
        if (!Files.exists(link)) {
            return null;
        }
        Path real = link.toRealPath();
        return real.startsWith(inside) && Files.isRegularFile(real) ? real : null;
    }

    private Path fresh(String name) throws IOException {
        Path path = Files.createDirectories(scratch).resolve(name);
        Trees.delete(path);
        return path;
    }
}
