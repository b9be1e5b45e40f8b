package dev.millrace.executors.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.KeyValues;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Artifact;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is packed and unpacked between a step's files and a store. */
class ArchivingTest {
    @TempDir Path folder;
    private ArtifactStores stores;
    private ArtifactTransfer transfer;

    @BeforeEach
    void open() {
        stores = new ArtifactStores(folder.resolve("store"), KeyValues.none());
        transfer =
                new ArtifactTransfer(stores, "argo", folder.resolve("scratch"), Cancellation.NONE);
    }

    @AfterEach
    void close() {
        stores.close();
    }

    private static Artifact artifact(String key, String more) {
        return Json.mapper()
                .readValue(
                        "{\"name\":\"a\",\"local\":{\"key\":\"%s\"}%s}"
                                .formatted(
                                        key, more.isEmpty() ? "" : "," + more.replace('\'', '"')),
                        Artifact.class);
    }

    /** A folder with what may go wrong: names, modes, an empty folder, links, a large file. */
    private Path tree() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("out"));
        Files.writeString(tree.resolve("a b ü.txt"), "a");
        Path run = Files.writeString(tree.resolve("run.sh"), "#!/bin/sh");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-x---"));
        Files.createDirectories(tree.resolve("empty"));
        Path deep = Files.createDirectories(tree.resolve("d/" + "long".repeat(40) + "/e"));
        Files.write(deep.resolve("zeros"), new byte[300_000]);
        Files.createSymbolicLink(tree.resolve("link"), Path.of("a b ü.txt"));
        Files.createSymbolicLink(tree.resolve("python"), Path.of("/usr/bin/python3"));
        return tree;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "'archive':{'tar':{}}",
                "'archive':{'tar':{'compressionLevel':0}}",
                "'archive':{'zip':{}}"
            })
    void aFolderComesBackAsItWasLinksAndModesIncluded(String archive) throws Exception {
        Artifact artifact = artifact("k", archive);
        transfer.store(artifact, tree());
        Path back = folder.resolve("back");
        transfer.bring(artifact, back);
        assertThat(back.resolve("a b ü.txt")).hasContent("a");
        assertThat(back.resolve("empty")).isEmptyDirectory();
        assertThat(back.resolve("d/" + "long".repeat(40) + "/e/zeros")).hasSize(300_000);
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(back.resolve("run.sh"))))
                .isEqualTo("rwxr-x---");
        assertThat(Files.readSymbolicLink(back.resolve("link"))).hasToString("a b ü.txt");
        assertThat(Files.readSymbolicLink(back.resolve("python"))).hasToString("/usr/bin/python3");
        assertThat(folder.resolve("scratch")).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "'archive':{'zip':{}}", "'archive':{'none':{}}"})
    void aFileComesBackAsAFile(String archive) throws Exception {
        Path file = Files.writeString(folder.resolve("hello_world.txt"), "hello");
        Artifact artifact = artifact("k", archive);
        transfer.store(artifact, file);
        transfer.bring(artifact, folder.resolve("message"));
        assertThat(folder.resolve("message")).hasContent("hello");
    }

    @Test
    void withoutAnArchiveEveryFileHasAKeyOfItsOwn() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("out"));
        Files.writeString(tree.resolve("a"), "a");
        Files.createDirectories(tree.resolve("d"));
        Files.writeString(tree.resolve("d/b"), "b");
        Files.createSymbolicLink(tree.resolve("link"), Path.of("d/b"));
        Artifact artifact = artifact("dir", "'archive':{'none':{}}");
        transfer.store(artifact, tree);
        assertThat(folder.resolve("store/dir/d/b")).hasContent("b");
        assertThat(folder.resolve("store/dir/link")).hasContent("b");
        transfer.bring(artifact("dir/d", ""), folder.resolve("part"));
        assertThat(folder.resolve("part/b")).hasContent("b");
        // What a link leads to outside is not the step's to give.
        Files.createSymbolicLink(tree.resolve("out"), Path.of("/etc/hostname"));
        Files.createSymbolicLink(tree.resolve("gone"), Path.of("none"));
        transfer.store(artifact, tree);
        assertThat(folder.resolve("store/dir/out")).doesNotExist();
        assertThat(folder.resolve("store/dir/gone")).doesNotExist();
    }

    @Test
    void onlyAGzippedTarIsUnpackedUnasked() throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "hello");
        transfer.store(artifact("t", ""), file);
        transfer.store(artifact("z", "'archive':{'zip':{}}"), file);
        transfer.bring(artifact("t", "'archive':{'none':{}}"), folder.resolve("t"));
        transfer.bring(artifact("z", ""), folder.resolve("z"));
        assertThat(Files.readAllBytes(folder.resolve("t"))).startsWith(0x1f, 0x8b);
        assertThat(Files.readAllBytes(folder.resolve("z"))).startsWith('P', 'K');
        Path gzip = folder.resolve("plain.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
            out.write("no tar at all".repeat(100).getBytes(StandardCharsets.UTF_8));
        }
        transfer.store(artifact("g", "'archive':{'none':{}}"), gzip);
        transfer.bring(artifact("g", ""), folder.resolve("g"));
        assertThat(Files.mismatch(gzip, folder.resolve("g"))).isEqualTo(-1);
        assertThatThrownBy(
                        () ->
                                transfer.bring(
                                        artifact("z", "'archive':{'tar':{}}"), folder.resolve("x")))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("no whole gzipped tar")
                .hasMessageContaining("key z");
    }

    @Test
    void modesAreSetAfterwards() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("out"));
        Files.writeString(tree.resolve("f"), "f");
        Artifact stored = artifact("k", "");
        transfer.store(stored, tree);
        transfer.bring(artifact("k", "'mode':493,'recurseMode':true"), folder.resolve("all"));
        assertThat(mode("all/f")).isEqualTo("rwxr-xr-x");
        transfer.bring(artifact("k", "'mode':448"), folder.resolve("one"));
        assertThat(mode("one")).isEqualTo("rwx------");
        assertThat(mode("one/f")).isEqualTo("rw-r--r--");
        assertThatThrownBy(() -> transfer.bring(artifact("k", "'mode':755"), folder.resolve("x")))
                .hasMessageContaining("octal");
    }

    private String mode(String path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(path)));
    }

    @Test
    void whatWasThereIsReplaced() throws Exception {
        Path file = Files.writeString(folder.resolve("f"), "new");
        transfer.store(artifact("k", ""), file);
        Path target = Files.createDirectories(folder.resolve("target"));
        Files.writeString(target.resolve("old"), "old");
        transfer.bring(artifact("k", ""), target);
        assertThat(target).hasContent("new");
    }

    private interface Entries {
        void put(TarArchiveOutputStream tar) throws Exception;
    }

    private Artifact tar(Entries entries) throws Exception {
        Path file = folder.resolve("store/evil.tgz");
        Files.createDirectories(file.getParent());
        try (var tar =
                new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(file)))) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            entries.put(tar);
        }
        return artifact("evil.tgz", "");
    }

    private static void put(TarArchiveOutputStream tar, String name, String content)
            throws Exception {
        TarArchiveEntry entry = new TarArchiveEntry(name, true);
        entry.setSize(content.length());
        tar.putArchiveEntry(entry);
        tar.write(content.getBytes(StandardCharsets.UTF_8));
        tar.closeArchiveEntry();
    }

    private static void link(TarArchiveOutputStream tar, String name, byte kind, String to)
            throws Exception {
        TarArchiveEntry entry = new TarArchiveEntry(name, kind);
        entry.setLinkName(to);
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "/tmp/millrace-evil", "a/../../evil", ".."})
    void anEntryThatClimbsOutIsRefused(String name) throws Exception {
        Artifact evil =
                tar(
                        tar -> {
                            put(tar, "fine", "fine");
                            put(tar, name, "evil");
                        });
        assertThatThrownBy(() -> transfer.bring(evil, folder.resolve("target")))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("leads out");
        assertThat(folder.resolve("scratch/evil")).doesNotExist();
        assertThat(Path.of("/tmp/millrace-evil")).doesNotExist();
        assertThat(folder.resolve("target")).doesNotExist();
        assertThat(folder.resolve("scratch")).isEmptyDirectory();
    }

    @Test
    void nothingIsWrittenThroughALink() throws Exception {
        Path victim = Files.createDirectories(folder.resolve("victim"));
        Files.writeString(victim.resolve("f"), "mine");
        Artifact throughFolder =
                tar(
                        tar -> {
                            link(tar, "d", TarConstants.LF_SYMLINK, victim.toString());
                            put(tar, "d/f", "evil");
                        });
        assertThatThrownBy(() -> transfer.bring(throughFolder, folder.resolve("target")))
                .isInstanceOf(ArtifactException.class);
        Artifact throughFile =
                tar(
                        tar -> {
                            link(tar, "f", TarConstants.LF_SYMLINK, victim + "/f");
                            put(tar, "f", "evil");
                        });
        transfer.bring(throughFile, folder.resolve("target"));
        assertThat(folder.resolve("target")).hasContent("evil");
        Artifact hardLink = tar(tar -> link(tar, "f", TarConstants.LF_LINK, "../victim/f"));
        assertThatThrownBy(() -> transfer.bring(hardLink, folder.resolve("x")))
                .isInstanceOf(ArtifactException.class);
        assertThat(victim.resolve("f")).hasContent("mine");
    }

    @Test
    void aHardLinkInsideIsTheSameFile() throws Exception {
        Artifact linked =
                tar(
                        tar -> {
                            put(tar, "d/a", "same");
                            link(tar, "d/b", TarConstants.LF_LINK, "d/a");
                        });
        transfer.bring(linked, folder.resolve("target"));
        assertThat(folder.resolve("target/b")).hasContent("same");
    }

    @Test
    void aZipThatClimbsOutIsRefused() throws Exception {
        Path file = folder.resolve("store/evil.zip");
        Files.createDirectories(file.getParent());
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry("../evil"));
            zip.write('x');
        }
        assertThatThrownBy(
                        () ->
                                transfer.bring(
                                        artifact("evil.zip", "'archive':{'zip':{}}"),
                                        folder.resolve("target")))
                .isInstanceOf(ArtifactException.class)
                .hasMessageContaining("leads out");
    }

    @Test
    void severalThingsOnTopBecomeAFolder() throws Exception {
        Artifact two =
                tar(
                        tar -> {
                            put(tar, "./a", "a");
                            put(tar, "./b", "b");
                        });
        transfer.bring(two, folder.resolve("target"));
        assertThat(folder.resolve("target/b")).hasContent("b");
    }

    @Test
    void pipesAreLeftOut() throws Exception {
        Path tree = Files.createDirectories(folder.resolve("out"));
        Files.writeString(tree.resolve("f"), "f");
        assertThat(new ProcessBuilder("mkfifo", tree.resolve("pipe").toString()).start().waitFor())
                .isZero();
        transfer.store(artifact("k", ""), tree);
        transfer.bring(artifact("k", ""), folder.resolve("back"));
        assertThat(folder.resolve("back/f")).hasContent("f");
        assertThat(Files.exists(folder.resolve("back/pipe"), LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void anArtifactWithoutAKnownPlaceIsRefusedByName() {
        Artifact none = Json.mapper().readValue("{\"name\":\"a\"}", Artifact.class);
        assertThatThrownBy(() -> transfer.bring(none, folder.resolve("x")))
                .hasMessageContaining("artifactRepository");
        Artifact gcs =
                Json.mapper().readValue("{\"name\":\"a\",\"gcs\":{\"key\":\"k\"}}", Artifact.class);
        assertThatThrownBy(() -> transfer.bring(gcs, folder.resolve("x")))
                .hasMessage(
                        "a store of kind gcs is not known here; there are local, s3, http, git and raw");
    }
}
