package dev.millrace.executors.artifact;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks an archive into a new folder. What it says is not trusted: an entry that leads out of the
 * folder is refused, and links are made last, so that nothing is written through one.
 */
final class Unpacking {
    private final Path folder;
    private final Cancellation cancellation;

    /** Made at the end: from a link's path to where it leads. */
    private final Map<Path, Path> links = new LinkedHashMap<>();

    /** Set at the end: a folder may have no right to be written into. */
    private final Map<Path, Integer> folderModes = new LinkedHashMap<>();

    private Unpacking(Path folder, Cancellation cancellation) {
        this.folder = folder;
        this.cancellation = cancellation;
    }

    /** Whether a file is a gzipped tar: its first entry can be read. */
    static boolean isGzippedTar(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] start = in.readNBytes(2);
            if (start.length < 2 || start[0] != 0x1f || start[1] != (byte) 0x8b) {
                return false;
            }
        }
        try (TarArchiveInputStream tar = tar(file)) {
            TarArchiveEntry first = tar.getNextEntry();
            return first != null && first.isCheckSumOK();
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }

    private static TarArchiveInputStream tar(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), 64 * 1024);
        try {
            InputStream gzip = new GzipCompressorInputStream(in, true);
            return new TarArchiveInputStream(gzip, StandardCharsets.UTF_8.name());
        } catch (IOException e) {
            in.close();
            throw e;
        }
    }

    /**
     * Unpacks a gzipped tar.
     *
     * @param target does not exist; what is packed alone in the archive takes this very path,
     *     several things become a folder
     * @param scratch a folder beside it that does not exist
     */
    static void tar(Path archive, Path target, Path scratch, Cancellation cancellation)
            throws IOException, ArtifactException {
        Unpacking into = new Unpacking(Files.createDirectories(scratch), cancellation);
        try (TarArchiveInputStream tar = tar(archive)) {
            for (TarArchiveEntry entry = tar.getNextEntry();
                    entry != null;
                    entry = tar.getNextEntry()) {
                into.add(entry, tar);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw broken("gzipped tar", e);
        }
        into.finish(target);
    }

    /** Unpacks a zip file, as {@link #tar} does. */
    static void zip(Path archive, Path target, Path scratch, Cancellation cancellation)
            throws IOException, ArtifactException {
        Unpacking into = new Unpacking(Files.createDirectories(scratch), cancellation);
        try (ZipFile zip = ZipFile.builder().setPath(archive).get()) {
            for (Enumeration<ZipArchiveEntry> i = zip.getEntries(); i.hasMoreElements(); ) {
                ZipArchiveEntry entry = i.nextElement();
                into.add(zip, entry);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw broken("zip file", e);
        }
        into.finish(target);
    }

    private static ArtifactException broken(String kind, Exception e) {
        return new ArtifactException(
                "it is no whole %s, as its archive says: %s; look at what was stored, or set archive.none"
                        .formatted(kind, e.getMessage()),
                e);
    }

    private void add(TarArchiveEntry entry, TarArchiveInputStream content)
            throws IOException, ArtifactException {
        Path file = place(entry.getName());
        if (file == null) {
            return;
        }
        if (entry.isDirectory()) {
            folder(file, entry.getMode());
        } else if (entry.isSymbolicLink()) {
            link(file, entry.getLinkName());
        } else if (entry.isLink()) {
            Path linked = place(entry.getLinkName());
            if (linked == null || !Files.isRegularFile(linked, LinkOption.NOFOLLOW_LINKS)) {
                throw refused(entry.getName(), "is a link to a file that does not come before it");
            }
            Files.createDirectories(file.getParent());
            Files.deleteIfExists(file);
            Files.createLink(file, linked);
        } else if (entry.isFile()) {
            write(file, content, entry.getMode());
        } else {
            throw refused(entry.getName(), "is a device or a pipe");
        }
    }

    private void add(ZipFile zip, ZipArchiveEntry entry) throws IOException, ArtifactException {
        Path file = place(entry.getName());
        if (file == null) {
            return;
        }
        int mode = entry.getUnixMode() & 0777;
        if (entry.isDirectory()) {
            folder(file, mode == 0 ? 0755 : mode);
        } else if (entry.isUnixSymlink()) {
            link(file, zip.getUnixSymlink(entry));
        } else {
            try (InputStream content = zip.getInputStream(entry)) {
                write(file, content, mode == 0 ? 0644 : mode);
            }
        }
    }

    /** Where an entry goes; null for the folder itself. */
    private @Nullable Path place(String name) throws ArtifactException {
        Path at = Path.of(name).normalize();
        if (!name.startsWith("/") && at.toString().isEmpty()) {
            return null;
        }
        return Keys.inside(folder, name, "the archive");
    }

    private static ArtifactException refused(String name, String what) {
        return new ArtifactException(
                "the archive is refused: its entry '%s' %s".formatted(name, what));
    }

    private void folder(Path path, int mode) throws IOException {
        Files.createDirectories(path);
        folderModes.put(path, mode & 0777 | 0700);
    }

    private void link(Path path, String to) throws IOException {
        Files.createDirectories(path.getParent());
        Files.deleteIfExists(path);
        links.put(path, Path.of(to));
    }

    private void write(Path file, InputStream content, int mode)
            throws IOException, ArtifactException {
        Files.createDirectories(file.getParent());
        links.remove(file);
        // A name may come twice; the later one stands, and no hard link is written through.
        Files.deleteIfExists(file);
        byte[] piece = new byte[64 * 1024];
        try (OutputStream out =
                Files.newOutputStream(
                        file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int length = content.read(piece); length >= 0; length = content.read(piece)) {
                cancellation.check();
                out.write(piece, 0, length);
            }
        }
        Files.setPosixFilePermissions(file, FileModes.permissions(mode & 0777 | 0400));
    }

    private void finish(Path target) throws IOException, ArtifactException {
        for (var link : links.entrySet()) {
            if (Files.exists(link.getKey(), LinkOption.NOFOLLOW_LINKS)) {
                throw refused(
                        folder.relativize(link.getKey()).toString(), "is a link and a folder too");
            }
            Files.createSymbolicLink(link.getKey(), link.getValue());
        }
        for (var mode : folderModes.entrySet()) {
            Files.setPosixFilePermissions(mode.getKey(), FileModes.permissions(mode.getValue()));
        }
        List<Path> top;
        try (Stream<Path> entries = Files.list(folder)) {
            top = entries.limit(2).toList();
        }
        if (top.size() == 1) {
            Files.move(top.getFirst(), target);
            Files.delete(folder);
        } else {
            Files.move(folder, target);
        }
    }
}
