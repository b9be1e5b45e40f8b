package dev.millrace.log.secrets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSecretsIT {

    @TempDir Path temp;
    private final Redactor redactor = new Redactor();
    private Path folder;
    private FileSecrets secrets;

    @BeforeEach
    void open() {
        folder = temp.resolve("secrets");
        secrets = new FileSecrets(folder, redactor);
    }

    @Test
    void filesAreForTheirOwnerAlone() throws Exception {
        secrets.put("ns", "git", Map.of("token", "t0ken-value"));
        assertThat(mode(folder)).isEqualTo("rwx------");
        assertThat(mode(folder.resolve("ns/git"))).isEqualTo("rwx------");
        assertThat(mode(folder.resolve("ns/git/token"))).isEqualTo("rw-------");
    }

    @Test
    void oneTrailingNewlineIsNotPartOfTheValue() {
        secrets.put("ns", "git", Map.of("a", "value\n", "b", "value\n\n"));
        assertThat(secrets.value("ns", "git", "a")).contains("value");
        assertThat(secrets.value("ns", "git", "b")).contains("value\n");
    }

    @Test
    void putReplacesAllKeysAndDeleteRemovesThem() {
        secrets.put("ns", "git", Map.of("a", "1", "b", "2"));
        secrets.put("ns", "git", Map.of("b", "3"));
        assertThat(secrets.value("ns", "git", "a")).isEmpty();
        assertThat(secrets.value("ns", "git", "b")).contains("3");
        assertThat(secrets.names("ns")).containsExactly("git");
        assertThat(secrets.keys("ns", "git")).hasValue(Set.of("b"));
        assertThat(secrets.keys("ns", "none")).isEmpty();
        secrets.delete("ns", "git");
        secrets.delete("ns", "git");
        assertThat(secrets.names("ns")).isEmpty();
        assertThat(secrets.names("other")).isEmpty();
    }

    @Test
    void aNameCannotLeaveTheFolder() throws Exception {
        Files.writeString(temp.resolve("outside"), "x");
        assertThat(secrets.value("..", "..", "outside")).isEmpty();
        assertThatThrownBy(() -> secrets.put("../x", "a", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("namespace");
    }

    @Test
    void valuesThatAreThereAtTheStartAreMaskedAtOnce() {
        secrets.put("ns", "git", Map.of("token", "t0ken-value"));
        Redactor fresh = new Redactor();
        assertThat(new FileSecrets(folder, fresh).names("ns")).hasSize(1);
        assertThat(fresh.redact("t0ken-value")).isEqualTo("***");
    }

    private static String mode(Path path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
