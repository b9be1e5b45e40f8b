package dev.millrace.executors.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.Steps;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.artifact.Trees;
import dev.millrace.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BubblewrapExecutorIT extends ProcessExecutorContract {
    @BeforeAll
    static void needsBubblewrap(@TempDir Path scratch) {
        Path bwrap = Path.of("/usr/bin/bwrap");
        assumeTrue(
                Files.isExecutable(bwrap),
                "bubblewrap is not installed here: apt install bubblewrap");
        var against =
                new Bubblewrap(bwrap.toString(), scratch, scratch)
                        .reasonAgainst(scratch.resolve("trial"));
        assumeTrue(
                against.isEmpty(), () -> "bubblewrap does not work here: " + against.orElseThrow());
    }

    @Override
    Isolation isolation() {
        return Isolation.BUBBLEWRAP;
    }

    @Test
    void aStepSeesNeitherTheHostsFilesNorItsProcesses() {
        executor.start(
                Steps.script(
                        "s1",
                        "ls -d "
                                + root
                                + " /home/* /root/.* /srv/* 2>/dev/null; ls /proc | grep -c '^[0-9]'; touch /usr/x 2>&1"));
        var end = reports.awaitEnd("s1");
        assertThat(end.result())
                .doesNotContain(root.toString())
                .doesNotContain("/srv")
                .contains("Read-only file system");
        assertThat(
                        Integer.parseInt(
                                end.result()
                                        .lines()
                                        .filter(l -> l.matches("\\d+"))
                                        .findFirst()
                                        .orElseThrow()))
                .isLessThan(8);
    }

    @Test
    void aStepDoesNotSeeTheDataFolderThoughItLiesInAFolderThatItSees() throws IOException {
        Path opt = Path.of("/opt");
        assumeTrue(Files.isWritable(opt), "/opt cannot be written here");
        Path data = Files.createTempDirectory(opt, "millrace-test-");
        ProcessExecutor own =
                new ProcessExecutor(
                        ProcessSettings.of(data.resolve("steps")).withIsolation(isolation()),
                        SECRETS,
                        KeyValues.none(),
                        new ArtifactStores(data.resolve("artifacts"), SECRETS),
                        InstantSource.system());
        try {
            Files.writeString(data.resolve("secret"), "hidden");
            own.recover(reports);
            own.start(Steps.script("seen", "ls -d /opt; ls -A " + data));
            assertThat(reports.awaitEnd("seen").result()).isEqualTo("/opt");
            Await.until(
                    "the step's files are gone",
                    () -> !Files.exists(data.resolve("steps/seen/files")));
        } finally {
            own.close(false);
            Trees.delete(data);
        }
    }

    @Test
    void aStepMayWriteAnywhereElseEvenBelowReadOnlyFolders() {
        executor.start(
                Steps.template(
                        "s1",
                        "{'script':{'image':'x','command':['sh'],'workingDir':'/usr/src/app','source':'pwd; echo 1 > here; echo 2 > /opt/tool/out; ls /usr/bin/env; mkdir /data; echo 3 > /data/x; cat /data/x here'},"
                                + "'outputs':{'parameters':[{'name':'o','valueFrom':{'path':'/opt/tool/out'}},{'name':'d','valueFrom':{'path':'/data/x'}}]}}"));
        var end = reports.awaitEnd("s1");
        assertThat(end.result()).isEqualTo("/usr/src/app\n/usr/bin/env\n3\n1");
        assertThat(end.parameters()).containsEntry("o", "2").containsEntry("d", "3");
    }

    @Test
    void whatAStepFoundInAFolderOfTheHostCanBeStored() throws IOException {
        executor.start(
                Steps.script(
                        "s1",
                        "mkdir /mnt/out; cat /etc/os-release > /mnt/out/copy",
                        "{'outputs':{'artifacts':[{'name':'a','path':'/usr/lib/os-release','archive':{'none':{}},'local':{'key':'a'}},{'name':'c','path':'/mnt/out/copy','archive':{'none':{}},'local':{'key':'c'}}]}}",
                        false,
                        null));
        var end = reports.awaitEnd("s1");
        assertThat(end.artifacts()).as(end.message()).hasSize(2);
        assertThat(Files.readString(root.resolve(".artifacts/a")))
                .isNotEmpty()
                .isEqualTo(Files.readString(root.resolve(".artifacts/c")));
    }

    @Test
    void anOutputThatIsALinkOutOfTheStepIsNotFollowed() {
        executor.start(
                Steps.script(
                        "s1",
                        "ln -s /etc/passwd /tmp/a; ln -s ../../../../../../etc/passwd /tmp/b; echo fine > /tmp/real; ln -s /tmp/real /tmp/c",
                        "{'outputs':{'parameters':[{'name':'a','valueFrom':{'path':'/tmp/a','default':'none'}},{'name':'b','valueFrom':{'path':'/tmp/b','default':'none'}},{'name':'c','valueFrom':{'path':'/tmp/c'}}]}}",
                        false,
                        null));
        assertThat(reports.awaitEnd("s1").parameters())
                .containsEntry("a", "none")
                .containsEntry("b", "none")
                .containsEntry("c", "fine");
    }

    @Test
    void theDescriptionHasNoWarning() {
        assertThat(executor.describe()).contains("bubblewrap").doesNotContain("WARNING");
    }
}
