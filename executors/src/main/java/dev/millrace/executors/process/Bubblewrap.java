package dev.millrace.executors.process;

import dev.millrace.executors.artifact.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file tree and a process tree of the step's own, by {@code bwrap}. The step's root is a folder
 * of its own, so every path outside of {@code /usr}, {@code /etc} and {@code /opt} is private,
 * writable, and still there after the step for its outputs to be read. The network is the host's.
 */
final class Bubblewrap implements Sandbox {
    private static final List<String> EXPOSED = List.of("/usr", "/etc", "/opt");
    private static final List<String> USUALLY_LINKS =
            List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");
    private static final String TOOLS = "/run/millrace/bin";
    private static final String PATH =
            TOOLS + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private final String program;
    private final Path tools;
    private final Path hidden;

    /**
     * @param program the absolute path of {@code bwrap}
     * @param tools the folder with commands of ours
     * @param hidden a folder that no step may see, wherever it lies: secrets are kept in it
     */
    Bubblewrap(String program, Path tools, Path hidden) {
        this.program = program;
        this.tools = tools;
        this.hidden = hidden;
    }

    /**
     * Tries it once.
     *
     * @param scratch a folder that does not exist; it is removed again
     * @return why it does not work here; empty if it does
     */
    Optional<String> reasonAgainst(Path scratch) {
        try {
            PrivateFiles files = new PrivateFiles(Files.createDirectories(scratch));
            List<String> trial = new ArrayList<>(options(files, Set.of()));
            trial.addAll(List.of("--", "sh", "-c", "exit 0"));
            Process process =
                    new ProcessBuilder(trial)
                            .redirectErrorStream(true)
                            .redirectOutput(scratch.resolve("trial.out").toFile())
                            .start();
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return Optional.of("it did not end within 10 s");
            }
            String said = Files.readString(scratch.resolve("trial.out")).strip();
            return process.exitValue() == 0
                    ? Optional.empty()
                    : Optional.of(
                            "it ended with exit code %d: %s".formatted(process.exitValue(), said));
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of("interrupted while trying it");
        } finally {
            try {
                Trees.delete(scratch);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot remove " + scratch, e);
            }
        }
    }

    @Override
    public List<String> commandLine(StepProcess process, PrivateFiles files) {
        Set<String> opened = new HashSet<>();
        process.writtenPaths()
                .forEach(p -> addWithParents(Path.of(p).normalize().getParent(), opened));
        Path workingDir = Path.of(process.workingDir()).normalize();
        if (!Files.isDirectory(workingDir)) {
            addWithParents(workingDir, opened);
        }
        List<String> line = new ArrayList<>(options(files, opened));
        for (Mount mount : files.mounts()) {
            line.addAll(
                    List.of(
                            mount.readOnly() ? "--ro-bind" : "--bind",
                            mount.host().toString(),
                            mount.path()));
        }
        line.addAll(List.of("--chdir", process.workingDir(), "--json-status-fd", "3", "--"));
        line.addAll(process.command());
        return line;
    }

    private List<String> options(PrivateFiles files, Set<String> opened) {
        List<String> line = new ArrayList<>();
        line.add(program);
        // The parent is the single-threaded shell that supervises the step: the kernel ties this to
        // the thread that forked.
        line.addAll(
                List.of("--die-with-parent", "--new-session", "--unshare-pid", "--unshare-ipc"));
        line.addAll(List.of("--bind", files.root().toString(), "/"));
        EXPOSED.forEach(top -> expose(Path.of(top), opened, files, line));
        for (String top : USUALLY_LINKS) {
            exposeEntry(Path.of(top), opened, files, line);
        }
        if (EXPOSED.stream().anyMatch(hidden::startsWith)) {
            line.addAll(List.of("--tmpfs", hidden.toString()));
        }
        resolvConf().ifPresent(target -> line.addAll(List.of("--ro-bind", target, target)));
        line.addAll(
                List.of("--ro-bind", tools.toString(), TOOLS, "--proc", "/proc", "--dev", "/dev"));
        return line;
    }

    private static void addWithParents(@Nullable Path folder, Set<String> all) {
        for (Path p = folder; p != null; p = p.getParent()) {
            all.add(p.toString());
        }
    }

    /**
     * Shows a folder of the host read-only; one that the step writes into is private, with the
     * host's entries in it.
     */
    private static void expose(
            Path dir, Set<String> opened, PrivateFiles files, List<String> line) {
        if (!Files.isDirectory(dir)) {
            return;
        }
        if (!opened.contains(dir.toString())) {
            line.addAll(List.of("--ro-bind", dir.toString(), dir.toString()));
            return;
        }
        try (Stream<Path> entries = Files.list(dir)) {
            entries.sorted().forEach(e -> exposeEntry(e, opened, files, line));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list " + dir, e);
        }
    }

    private static void exposeEntry(
            Path entry, Set<String> opened, PrivateFiles files, List<String> line) {
        try {
            boolean own = Files.exists(files.at(entry.toString()), LinkOption.NOFOLLOW_LINKS);
            if (own && !opened.contains(entry.toString())) {
                // An input artifact lies there.
                return;
            }
            if (Files.isSymbolicLink(entry)) {
                link(entry, files);
            } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                expose(entry, opened, files, line);
            } else if (Files.exists(entry)) {
                line.addAll(List.of("--ro-bind", entry.toString(), entry.toString()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot show " + entry + " to a step", e);
        }
    }

    /**
     * The host's link in the step's own root. Not by bwrap, which makes it once and not again when
     * the same root is entered a second time.
     */
    private static void link(Path entry, PrivateFiles files) throws IOException {
        Path own = files.root().resolve(Path.of("/").relativize(entry));
        if (!Files.exists(own, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectories(own.getParent());
            Files.createSymbolicLink(own, Files.readSymbolicLink(entry));
        }
    }

    /** Where systemd keeps the real file, outside of what is shown. */
    private static Optional<String> resolvConf() {
        Path link = Path.of("/etc/resolv.conf");
        try {
            return Files.isSymbolicLink(link) && Files.exists(link)
                    ? Optional.of(link.toRealPath().toString())
                            .filter(p -> EXPOSED.stream().noneMatch(p::startsWith))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot follow " + link, e);
        }
    }

    @Override
    public StepProcess adapt(StepProcess process, PrivateFiles files) {
        Map<String, String> env = new HashMap<>(process.env());
        env.putIfAbsent("HOME", "/root");
        return process.withEnv(env);
    }

    @Override
    public Path onHost(String stepPath, PrivateFiles files) {
        Path path = Path.of("/").resolve(stepPath).normalize();
        if (path.startsWith(TOOLS)) {
            return tools.resolve(Path.of(TOOLS).relativize(path));
        }
        if (files.isMounted(stepPath)) {
            return files.at(stepPath);
        }
        boolean shown =
                EXPOSED.stream().anyMatch(path::startsWith)
                        || USUALLY_LINKS.stream().anyMatch(path::startsWith);
        Path own = files.at(stepPath);
        return shown && !Files.exists(own, LinkOption.NOFOLLOW_LINKS) ? path : own;
    }

    /**
     * A part of the host that is shown to steps was bound over the step's own folder, which has
     * nothing but an empty place for it.
     */
    @Override
    public Optional<Path> find(String stepPath, PrivateFiles files, Collection<String> own)
            throws IOException {
        Path path = Path.of("/").resolve(stepPath).normalize();
        boolean shown = EXPOSED.stream().anyMatch(path::startsWith);
        boolean written =
                own.stream()
                        .map(p -> Path.of(p).normalize())
                        .anyMatch(p -> path.startsWith(p) || p.startsWith(path));
        if (shown && !written && Files.exists(path)) {
            Path real = path.toRealPath();
            if (EXPOSED.stream().anyMatch(real::startsWith)
                    && !real.startsWith(hidden)
                    && !hidden.startsWith(real)) {
                return Optional.of(real);
            }
        }
        return files.find(stepPath);
    }

    @Override
    public boolean needsFolderOf(String stepPath) {
        return EXPOSED.stream().anyMatch(Path.of(stepPath)::startsWith);
    }

    @Override
    public String searchPath() {
        return PATH;
    }

    @Override
    public boolean leavesProcesses() {
        return false;
    }

    @Override
    public Optional<String> warning() {
        return Optional.empty();
    }
}
