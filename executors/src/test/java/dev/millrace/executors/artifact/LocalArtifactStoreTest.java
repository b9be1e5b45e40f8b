package dev.millrace.executors.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalArtifactStoreTest extends ArtifactStoreContract {

    @Override
    protected ArtifactStore create() {
        return new LocalArtifactStore(root());
    }

    private Path root() {
        return folder.resolve("store");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../a",
                "/a",
                "a/../../b",
                "a/../b",
                "..",
                ".",
                "a/..",
                "",
                ".unfinished/x",
                "a\0b"
            })
    void aKeyThatLeadsOutOfTheStoreIsRefused(String key) throws Exception {
        Files.writeString(folder.resolve("a"), "outside");
        Path file = Files.writeString(folder.resolve("file"), "x");
        assertThatThrownBy(() -> store.open(key)).isInstanceOf(ArtifactException.class);
        if (key.isEmpty()) {
            assertThat(store.list(key)).isEmpty();
        } else {
            assertThatThrownBy(() -> store.list(key)).isInstanceOf(ArtifactException.class);
        }
        assertThatThrownBy(() -> store.delete(key)).isInstanceOf(ArtifactException.class);
        assertThatThrownBy(() -> store.write(key, file, Cancellation.NONE))
                .isInstanceOf(ArtifactException.class);
        assertThat(folder.resolve("a")).hasContent("outside");
    }

    @Test
    void aLinkInTheStoreIsNotFollowed() throws Exception {
        Files.createDirectories(root());
        Files.writeString(folder.resolve("secret"), "secret");
        Files.createSymbolicLink(root().resolve("link"), folder.resolve("secret"));
        Files.createSymbolicLink(root().resolve("dir"), folder);
        assertThatThrownBy(() -> store.open("link")).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> store.open("dir/secret")).hasMessageContaining("symbolic link");
        assertThatThrownBy(() -> store.delete("dir/secret")).hasMessageContaining("symbolic link");
        assertThat(folder.resolve("secret")).hasContent("secret");
    }

    @Test
    void onlyTheServersUserCanReadIt() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        store.write("dir/a", file, Cancellation.NONE);
        assertThat(mode(root().resolve("dir/a"))).isEqualTo("rw-------");
        assertThat(mode(root().resolve("dir"))).isEqualTo("rwx------");
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void aFileWhereAFolderIsAndTheOtherWayRoundIsToldWithTheCure() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        store.write("a", file, Cancellation.NONE);
        store.write("d/x", file, Cancellation.NONE);
        assertThatThrownBy(() -> store.write("a/b", file, Cancellation.NONE))
                .hasMessageContaining("choose another key");
        assertThatThrownBy(() -> store.write("d", file, Cancellation.NONE))
                .hasMessageContaining("choose another key");
    }

    @Test
    void nothingHalfWrittenIsLeft() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "x");
        store.write("a", file, Cancellation.NONE);
        try (var left = Files.list(root().resolve(".unfinished"))) {
            assertThat(left).isEmpty();
        }
    }
}
