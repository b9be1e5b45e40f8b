package dev.millrace.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A main class of the tests in a process of its own, which can be killed. */
public final class ChildJvm implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    public ChildJvm(Class<?> main, String... args) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + "/bin/java");
        command.addAll(
                List.of(
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        main.getName()));
        command.addAll(List.of(args));
        process = new ProcessBuilder(command).redirectErrorStream(true).start();
        output =
                new BufferedReader(
                        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** For the main method of such a process: a failure ends it, whatever other threads do. */
    public static void endOnFailure() {
        Thread.setDefaultUncaughtExceptionHandler(
                (_, e) -> {
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1);
                });
    }

    public long pid() {
        return process.pid();
    }

    /** Reads its output up to a line that begins so. */
    public String awaitLine(String prefix) throws IOException {
        List<String> seen = new ArrayList<>();
        String line;
        while ((line = output.readLine()) != null) {
            if (line.startsWith(prefix)) {
                return line;
            }
            seen.add(line);
        }
        throw new AssertionError(
                "the process ended without '" + prefix + "': " + String.join("\n", seen));
    }

    /** kill -9. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }
}
