package dev.millrace.testkit.cluster;

import dev.millrace.testkit.cluster.PodVolumes.Mount;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a container sees this host: by bubblewrap, with the host's programs read-only, a root folder
 * of its own, and its mounts. It shares the network of the host.
 *
 * @param root the container's own files
 * @param shell whether it has the host's programs; else only their libraries and its own program
 */
record Sandbox(Path root, boolean shell, List<Mount> mounts, List<Path> hostFolders) {
    private static final List<String> ETC =
            List.of(
                    "passwd",
                    "group",
                    "hosts",
                    "resolv.conf",
                    "nsswitch.conf",
                    "ssl",
                    "ld.so.cache");

    /** Why containers cannot be run here; empty if they can. */
    static Optional<String> reasonAgainst() {
        try {
            Process trial =
                    new ProcessBuilder("bwrap", "--dev-bind", "/", "/", "--unshare-pid", "true")
                            .redirectErrorStream(true)
                            .start();
            String said =
                    new String(trial.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            return trial.waitFor() == 0
                    ? Optional.empty()
                    : Optional.of("bubblewrap does not work here: " + said);
        } catch (IOException e) {
            return Optional.of(
                    "no bubblewrap: install the package bubblewrap (%s)".formatted(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while trying bubblewrap");
        }
    }

    /** The command line that runs the words in it; the process id is written to descriptor 9. */
    List<String> commandLine(List<String> words, String workingDir) {
        List<String> line =
                new ArrayList<>(
                        List.of("bwrap", "--die-with-parent", "--new-session", "--unshare-pid"));
        line.addAll(List.of("--unshare-ipc", "--as-pid-1", "--info-fd", "9"));
        line.addAll(List.of("--bind", root.toString(), "/"));
        for (String top : List.of("/bin", "/sbin", "/lib", "/lib64")) {
            Path path = Path.of(top);
            if (Files.isSymbolicLink(path)) {
                link(path);
            } else if (Files.exists(path) && (shell || top.startsWith("/lib"))) {
                readOnly(path, line);
            }
        }
        if (shell) {
            readOnly(Path.of("/usr"), line);
        } else {
            for (String libraries : List.of("/usr/lib", "/usr/lib64")) {
                if (Files.exists(Path.of(libraries))) {
                    readOnly(Path.of(libraries), line);
                }
            }
            program(words.getFirst(), line);
        }
        for (String name : ETC) {
            Path path = Path.of("/etc", name);
            if (Files.exists(path)) {
                line.addAll(List.of("--ro-bind", real(path).toString(), path.toString()));
            }
        }
        hostFolders.forEach(folder -> readOnly(folder, line));
        line.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--dir", "/tmp"));
        for (Mount mount : mounts) {
            String how = mount.readOnly() ? "--ro-bind" : "--bind";
            line.addAll(List.of(how, mount.host().toString(), mount.path()));
        }
        line.addAll(List.of("--dir", workingDir, "--chdir", workingDir, "--"));
        line.addAll(words);
        return line;
    }

    private static void program(String name, List<String> line) {
        List<Path> places =
                name.startsWith("/")
                        ? List.of(Path.of(name))
                        : List.of(Path.of("/usr/bin", name), Path.of("/usr/local/bin", name));
        places.stream()
                .filter(Files::isExecutable)
                .findFirst()
                .ifPresent(
                        place -> {
                            Path seen =
                                    real(place.resolveSibling(".")).resolve(place.getFileName());
                            line.addAll(
                                    List.of("--ro-bind", real(place).toString(), seen.toString()));
                        });
    }

    private static void readOnly(Path path, List<String> line) {
        line.addAll(List.of("--ro-bind", path.toString(), path.toString()));
    }

    private void link(Path path) {
        Path inside = root.resolve(path.getFileName());
        try {
            if (!Files.isSymbolicLink(inside)) {
                Files.createSymbolicLink(inside, Files.readSymbolicLink(path));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
