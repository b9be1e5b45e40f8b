package dev.millrace.executors.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/**
 * Commands of ours that stand in for what images would bring, in a folder that steps have on their
 * {@code PATH}.
 */
final class CommandTools {
    /** Where a sandbox looks for the host's own. */
    private static final List<String> SHOWN =
            List.of("/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin");

    private CommandTools() {}

    /** Writes them; what the host has itself is left out, so that the real one is used. */
    static Path install(Path folder) throws IOException {
        Files.createDirectories(folder);
        write("argosay", folder);
        writeIfAbsent("cowsay", folder);
        writeIfAbsent("python", folder);
        return folder;
    }

    private static void writeIfAbsent(String name, Path folder) throws IOException {
        if (isOnHost(name)) {
            Files.deleteIfExists(folder.resolve(name));
        } else {
            write(name, folder);
        }
    }

    private static boolean isOnHost(String name) {
        return SHOWN.stream().anyMatch(dir -> Files.isExecutable(Path.of(dir, name)));
    }

    private static void write(String name, Path folder) throws IOException {
        Path fresh = folder.resolve("." + name);
        try (InputStream in = CommandTools.class.getResourceAsStream("bin/" + name)) {
            if (in == null) {
                throw new IllegalStateException("the command " + name + " is missing in the jar");
            }
            Files.copy(in, fresh, StandardCopyOption.REPLACE_EXISTING);
        }
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        // By a rename: a step may be running the old one at this moment.
        Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The server's {@code PATH} after our commands, for steps that see the host as it is. */
    static String searchPath(Path tools, String serverPath) {
        String rest = serverPath.isEmpty() ? "/usr/local/bin:/usr/bin:/bin" : serverPath;
        return tools
                + ":"
                + String.join(
                        ":",
                        Arrays.stream(rest.split(":")).filter(d -> d.startsWith("/")).toList());
    }
}
