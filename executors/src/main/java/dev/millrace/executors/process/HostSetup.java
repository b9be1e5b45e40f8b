package dev.millrace.executors.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What this host offers to run steps with.
 *
 * @param sandbox how steps see the host
 * @param newSession the command that runs the rest of its line in a session of its own
 */
record HostSetup(Sandbox sandbox, List<String> newSession) {

    /**
     * Looks at the host once.
     *
     * @param serverPath the {@code PATH} of the server
     * @throws IOException if the folder cannot be used
     * @throws IllegalStateException if the wanted isolation does not work here; the message says
     *     why
     */
    static HostSetup of(ProcessSettings settings, String serverPath) throws IOException {
        Path tools = CommandTools.install(settings.root().resolve(".bin"));
        List<String> newSession =
                program("setsid", serverPath)
                        .map(List::of)
                        // macOS has no setsid command, but it has perl.
                        .orElse(
                                List.of(
                                        "/usr/bin/perl",
                                        "-MPOSIX",
                                        "-e",
                                        "POSIX::setsid(); exec @ARGV"));
        String searchPath = CommandTools.searchPath(tools, serverPath);
        if (settings.isolation() == Isolation.NONE) {
            return new HostSetup(
                    new PlainProcess(searchPath, "as configured", newSession), newSession);
        }
        Optional<String> bwrap = program("bwrap", serverPath);
        String reason;
        if (bwrap.isEmpty()) {
            reason = "the command bwrap is not on the server's PATH";
        } else {
            Bubblewrap bubblewrap =
                    new Bubblewrap(
                            bwrap.get(),
                            tools,
                            // The data folder of the server, with its secrets.
                            settings.root().toRealPath().resolveSibling("."));
            Optional<String> against = bubblewrap.reasonAgainst(settings.root().resolve(".trial"));
            if (against.isEmpty()) {
                return new HostSetup(bubblewrap, newSession);
            }
            reason = "bubblewrap does not work here: " + against.get();
        }
        if (settings.isolation() == Isolation.BUBBLEWRAP) {
            throw new IllegalStateException(
                    "isolation=bubblewrap is configured, but %s. Install the package bubblewrap and allow unprivileged user namespaces, or choose isolation=none"
                            .formatted(reason));
        }
        return new HostSetup(new PlainProcess(searchPath, reason, newSession), newSession);
    }

    private static Optional<String> program(String name, String path) {
        return Arrays.stream((path + ":/usr/bin:/bin").split(File.pathSeparator))
                .filter(dir -> dir.startsWith("/"))
                .map(dir -> Path.of(dir, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }
}
