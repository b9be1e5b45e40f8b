package dev.millrace.workflowengine.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A JVM of its own that is killed, as by {@code kill -9}, when it says so. */
final class KilledProcess {

    private KilledProcess() {}

    static void runUntil(String word, Class<?> main, String... arguments)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "-Xmx384m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        List<String> said = new ArrayList<>();
        try (var output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            String line = output.readLine();
            while (line != null && !line.equals(word)) {
                said.add(line);
                line = output.readLine();
            }
            assertThat(line).as("the process said: %s", said).isEqualTo(word);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
