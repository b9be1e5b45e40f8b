package dev.millrace.server.endtoend;

import dev.millrace.server.MillraceServer;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A server in a process of its own, on a fixed folder and fixed ports, so that it can be killed and
 * started again.
 */
final class ServerProcess {

    private final Process process;

    private ServerProcess(Process process) {
        this.process = process;
    }

    /** Where a server and its data are. */
    record Place(Path data, String webhooks, int port, int brokerPort, Path output) {}

    static ServerProcess start(Place place) {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx768m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        ServerProcess.class.getName(),
                        place.data().toString(),
                        place.webhooks(),
                        Integer.toString(place.port()),
                        Integer.toString(place.brokerPort()));
        try {
            return new ServerProcess(
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(
                                    ProcessBuilder.Redirect.appendTo(place.output().toFile()))
                            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** As {@code kill -9}: nothing of the server's own can tidy up. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** As {@code kill}: the server may stop in order. False if it does not. */
    boolean stop(long seconds) throws InterruptedException {
        process.destroy();
        return process.waitFor(seconds, TimeUnit.SECONDS);
    }

    /**
     * Processes of this machine that work in a folder or name it, other than the server: what it
     * left behind.
     */
    static List<String> processesOf(Path folder) {
        return ProcessHandle.allProcesses()
                .filter(p -> p.pid() != ProcessHandle.current().pid())
                .map(p -> p.pid() + " " + workingFolder(p.pid()) + " " + commandLine(p.pid()))
                .filter(text -> text.contains(folder.toString()))
                .toList();
    }

    private static String workingFolder(long pid) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/" + pid + "/cwd")).toString();
        } catch (IOException e) {
            return ""; // It has ended meanwhile.
        }
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
        } catch (IOException e) {
            return ""; // It has ended meanwhile.
        }
    }

    /** Arguments: data folder, address of webhooks, port of the API, port of the broker. */
    public static void main(String[] args) throws InterruptedException {
        MillraceServer server =
                MillraceServer.start(
                        TestServer.configuration(
                                Path.of(args[0]),
                                args[1],
                                Map.of("port", args[2], "brokerPort", args[3])),
                        System.out::println);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        new CountDownLatch(1).await();
    }
}
