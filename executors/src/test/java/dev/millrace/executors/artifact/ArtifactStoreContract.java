package dev.millrace.executors.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What every store that can be written to must do. */
@Timeout(60)
public abstract class ArtifactStoreContract {
    @TempDir protected Path folder;
    protected ArtifactStore store;

    /** A new store with nothing in it. */
    protected abstract ArtifactStore create() throws Exception;

    @BeforeEach
    void open() throws Exception {
        store = create();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Path file(String content) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "source", ""), content);
    }

    private String read(String key) throws Exception {
        try (InputStream in = store.open(key)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void whatIsWrittenIsRead() throws Exception {
        store.write("wf/pod/a.tgz", file("hello"), Cancellation.NONE);
        assertThat(read("wf/pod/a.tgz")).isEqualTo("hello");
        assertThat(store.look("wf/pod/a.tgz")).isEqualTo(ArtifactStore.Content.FILE);
    }

    @Test
    void anEmptyFileIsAFile() throws Exception {
        store.write("a", file(""), Cancellation.NONE);
        assertThat(read("a")).isEmpty();
        assertThat(store.look("a")).isEqualTo(ArtifactStore.Content.FILE);
    }

    @Test
    void aSecondWriteReplacesTheFirst() throws Exception {
        store.write("a", file("one"), Cancellation.NONE);
        store.write("a", file("two"), Cancellation.NONE);
        assertThat(read("a")).isEqualTo("two");
    }

    @Test
    void whatIsNotThereIsMissing() throws Exception {
        assertThat(store.look("none")).isEqualTo(ArtifactStore.Content.NOTHING);
        assertThat(store.list("none")).isEmpty();
        assertThatThrownBy(() -> store.open("none"))
                .isInstanceOf(ArtifactMissingException.class)
                .hasMessageContaining("none");
        assertThatThrownBy(() -> store.fetch("none", folder.resolve("x"), Cancellation.NONE))
                .isInstanceOf(ArtifactMissingException.class);
    }

    @Test
    void keysWithTheSameBeginningAreAFolder() throws Exception {
        store.write("dir/b/c.txt", file("c"), Cancellation.NONE);
        store.write("dir/a.txt", file("a"), Cancellation.NONE);
        store.write("dirt", file("no part of it"), Cancellation.NONE);
        assertThat(store.look("dir")).isEqualTo(ArtifactStore.Content.FOLDER);
        assertThat(store.look("dir/")).isEqualTo(ArtifactStore.Content.FOLDER);
        assertThat(store.list("dir")).containsExactly("a.txt", "b/c.txt");
        assertThat(store.list("dir/")).containsExactly("a.txt", "b/c.txt");
        Path target = folder.resolve("target");
        store.fetch("dir", target, Cancellation.NONE);
        assertThat(target.resolve("a.txt")).hasContent("a");
        assertThat(target.resolve("b/c.txt")).hasContent("c");
        assertThat(target.resolve("dirt")).doesNotExist();
    }

    @Test
    void aListingIsBoundedAndMayBeOfTheWholeStore() throws Exception {
        for (String key : List.of("a/1", "a/2", "b/3", "c")) {
            store.write(key, file(key), Cancellation.NONE);
        }
        assertThat(store.list("")).containsExactly("a/1", "a/2", "b/3", "c");
        assertThat(store.list("", 2)).hasSize(2).isSubsetOf("a/1", "a/2", "b/3", "c");
        assertThat(store.list("a", 2)).containsExactly("1", "2");
    }

    @Test
    void namesMayHoldAnyCharacter() throws Exception {
        String key = "a b/ü+%20&?#'=/x.txt";
        store.write(key, file("odd"), Cancellation.NONE);
        assertThat(read(key)).isEqualTo("odd");
        assertThat(store.list("a b")).containsExactly("ü+%20&?#'=/x.txt");
        store.delete(key);
        assertThat(store.look(key)).isEqualTo(ArtifactStore.Content.NOTHING);
    }

    @Test
    void deletionTakesAFileOrAFolderAndMayBeRepeated() throws Exception {
        store.write("keep", file("k"), Cancellation.NONE);
        store.write("a", file("a"), Cancellation.NONE);
        store.write("dir/b", file("b"), Cancellation.NONE);
        store.write("dir/c/d", file("d"), Cancellation.NONE);
        for (int i = 0; i < 2; i++) {
            store.delete("a");
            store.delete("dir");
        }
        assertThat(store.look("a")).isEqualTo(ArtifactStore.Content.NOTHING);
        assertThat(store.look("dir")).isEqualTo(ArtifactStore.Content.NOTHING);
        assertThat(store.look("dir/c/d")).isEqualTo(ArtifactStore.Content.NOTHING);
        assertThat(read("keep")).isEqualTo("k");
    }

    @Test
    void aLargeFileComesBackByteForByte() throws Exception {
        Path large = Files.createTempFile(folder, "large", "");
        Random random = new Random(7);
        byte[] piece = new byte[1 << 20];
        try (OutputStream out = Files.newOutputStream(large)) {
            for (int i = 0; i < 13; i++) {
                random.nextBytes(piece);
                out.write(piece);
            }
            out.write(1);
        }
        store.write("large", large, Cancellation.NONE);
        Path back = folder.resolve("back");
        store.fetch("large", back, Cancellation.NONE);
        assertThat(Files.mismatch(large, back)).isEqualTo(-1);
    }

    @Test
    void aTransferThatIsNoLongerWantedEnds() throws Exception {
        store.write("a", file("hello"), Cancellation.NONE);
        Cancellation cancelled =
                () -> {
                    throw new ArtifactException("not wanted");
                };
        Path b = file("b");
        assertThatThrownBy(() -> store.fetch("a", folder.resolve("x"), cancelled))
                .hasMessage("not wanted");
        assertThatThrownBy(() -> store.write("b", b, cancelled)).hasMessage("not wanted");
        assertThat(store.look("b")).isEqualTo(ArtifactStore.Content.NOTHING);
    }

    @Test
    void thePlaceNamesTheKey() {
        assertThat(store.place("some/key")).contains("some/key");
    }
}
