package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process with a server of its own that is told to end before it has begun. */
final class InterruptedRunIT {

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"millrace-", "meta.properties", "read-model.db", "Running"})
    void nothingIsLeftAndNothingIsSaidButTheInterruption(String fact) throws Exception {
        Path temporary = Files.createDirectory(folder.resolve("tmp"));
        Files.writeString(
                folder.resolve("wf.yaml"),
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata:
                  generateName: x-
                spec:
                  entrypoint: main
                  templates:
                    - name: main
                      suspend: {}
                """);
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process run =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.io.tmpdir=" + temporary,
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "dev.millrace.cli.Main",
                                "run",
                                "wf.yaml")
                        .directory(folder.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        try {
            Await.until(
                    "it has come to " + fact,
                    Duration.ofMinutes(2),
                    () -> !run.isAlive() || text(out).contains(fact) || isThere(temporary, fact));
            assertThat(run.isAlive()).as(text(err)).isTrue();
            // SIGTERM
            run.destroy();
            assertThat(run.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            run.destroyForcibly();
        }

        assertThat(text(err).lines().filter(line -> !line.equals("millrace: interrupted")))
                .isEmpty();
        assertThat(isThere(temporary, "millrace-")).isFalse();
    }

    private static boolean isThere(Path below, String name) {
        try (Stream<Path> files = Files.walk(below)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith(name));
        } catch (IOException | UncheckedIOException e) {
            // The folder changes while it is looked at; the next look tells.
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
