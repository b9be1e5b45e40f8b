package dev.millrace.log.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderIT {

    @TempDir Path folder;

    @Test
    void aSecondProcessHearsWhoOwnsTheFolderAndAKillFreesIt() throws Exception {
        try (var owner = new ChildJvm(OwnedFolder.class, folder.toString())) {
            owner.awaitLine("claimed");
            assertThatThrownBy(() -> DataFolder.claim(folder))
                    .isInstanceOf(DataFolderInUseException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("process " + owner.pid())
                    .hasMessageContaining("kill " + owner.pid());
            owner.kill();
        }
        try (var claimed = DataFolder.claim(folder)) {
            assertThat(Files.readAllLines(folder.resolve("owner")).getFirst())
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
            assertThat(claimed.folder("broker")).isDirectory();
        }
    }

    @Test
    void theSameProcessCannotClaimItTwiceButAfterGivingItBack() {
        try (var first = DataFolder.claim(folder)) {
            assertThatThrownBy(() -> DataFolder.claim(folder))
                    .isInstanceOf(DataFolderInUseException.class);
            assertThat(first.path()).isAbsolute();
        }
        DataFolder.claim(folder).close();
    }
}
