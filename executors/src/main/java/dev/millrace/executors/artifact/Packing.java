package dev.millrace.executors.artifact;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.UnixStat;
import org.apache.commons.compress.archivers.zip.Zip64Mode;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/**
 * Packs a file or a folder. The archive has one top-level entry, named as what was packed, so that
 * unpacking knows a file from a folder. Links are kept as links; pipes and devices are left out.
 */
final class Packing {
    private final Cancellation cancellation;

    Packing(Cancellation cancellation) {
        this.cancellation = cancellation;
    }

    /** Takes one entry of what is packed. */
    @FunctionalInterface
    private interface Entries {
        void add(Path file, String name, BasicFileAttributes attributes)
                throws IOException, ArtifactException;
    }

    void tar(Path source, Path archive, int level) throws IOException, ArtifactException {
        GzipParameters parameters = new GzipParameters();
        parameters.setCompressionLevel(level);
        try (OutputStream file =
                        new BufferedOutputStream(Files.newOutputStream(archive), 64 * 1024);
                OutputStream gzip = new GzipCompressorOutputStream(file, parameters);
                TarArchiveOutputStream tar =
                        new TarArchiveOutputStream(gzip, StandardCharsets.UTF_8.name())) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
            walk(source, (path, name, attributes) -> addToTar(tar, path, name, attributes));
        }
    }

    private void addToTar(
            TarArchiveOutputStream tar, Path path, String name, BasicFileAttributes attributes)
            throws IOException, ArtifactException {
        TarArchiveEntry entry;
        if (attributes.isSymbolicLink()) {
            entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(Files.readSymbolicLink(path).toString());
        } else if (attributes.isDirectory()) {
            entry = new TarArchiveEntry(name + "/");
            entry.setMode(UnixStat.DIR_FLAG | mode(path));
        } else {
            entry = new TarArchiveEntry(name);
            entry.setMode(UnixStat.FILE_FLAG | mode(path));
            entry.setSize(attributes.size());
        }
        entry.setLastModifiedTime(attributes.lastModifiedTime());
        tar.putArchiveEntry(entry);
        if (attributes.isRegularFile()) {
            copy(path, attributes.size(), tar);
        }
        tar.closeArchiveEntry();
    }

    void zip(Path source, Path archive) throws IOException, ArtifactException {
        try (ZipArchiveOutputStream zip = new ZipArchiveOutputStream(archive)) {
            zip.setUseZip64(Zip64Mode.AsNeeded);
            walk(source, (path, name, attributes) -> addToZip(zip, path, name, attributes));
        }
    }

    private void addToZip(
            ZipArchiveOutputStream zip, Path path, String name, BasicFileAttributes attributes)
            throws IOException, ArtifactException {
        ZipArchiveEntry entry = new ZipArchiveEntry(attributes.isDirectory() ? name + "/" : name);
        entry.setTime(attributes.lastModifiedTime());
        if (attributes.isSymbolicLink()) {
            byte[] link = Files.readSymbolicLink(path).toString().getBytes(StandardCharsets.UTF_8);
            entry.setUnixMode(UnixStat.LINK_FLAG | UnixStat.DEFAULT_LINK_PERM);
            entry.setSize(link.length);
            zip.putArchiveEntry(entry);
            zip.write(link);
        } else if (attributes.isDirectory()) {
            entry.setUnixMode(UnixStat.DIR_FLAG | mode(path));
            zip.putArchiveEntry(entry);
        } else {
            entry.setUnixMode(UnixStat.FILE_FLAG | mode(path));
            entry.setSize(attributes.size());
            zip.putArchiveEntry(entry);
            copy(path, attributes.size(), zip);
        }
        zip.closeArchiveEntry();
    }

    private static void walk(Path source, Entries entries) throws IOException, ArtifactException {
        String top = String.valueOf(source.getFileName());
        try (Stream<Path> all = Files.walk(source)) {
            for (Iterator<Path> i = all.sorted().iterator(); i.hasNext(); ) {
                Path path = i.next();
                var attributes =
                        Files.readAttributes(
                                path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                if (!attributes.isOther()) {
                    String below = source.relativize(path).toString();
                    entries.add(path, below.isEmpty() ? top : top + "/" + below, attributes);
                }
            }
        } catch (java.io.UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Exactly so many bytes: a process that the step left behind may still write. */
    private void copy(Path path, long size, OutputStream out)
            throws IOException, ArtifactException {
        byte[] piece = new byte[64 * 1024];
        try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
            long left = size;
            while (left > 0) {
                cancellation.check();
                int length = in.read(piece, 0, (int) Math.min(piece.length, left));
                if (length < 0) {
                    throw new ArtifactException(
                            path.getFileName() + " became shorter while it was packed");
                }
                out.write(piece, 0, length);
                left -= length;
            }
        }
    }

    private static int mode(Path path) throws IOException {
        Set<PosixFilePermission> permissions =
                Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        return FileModes.bits(permissions);
    }
}
