package dev.millrace.executors.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file tree that a container sees as its root, as a folder of this host with other places of
 * this host mounted in it. What a step left there is not trusted: a symbolic link in it never leads
 * outside.
 *
 * @param root the folder on this host
 * @param mounts what is shown at some of its paths, the outer ones first
 */
record PrivateFiles(Path root, List<Mount> mounts) {
    private static final int MAX_LINKS = 40;
    private static final Path TOP = Path.of("/");

    PrivateFiles {
        mounts = List.copyOf(mounts);
    }

    /** With nothing mounted. */
    PrivateFiles(Path root) {
        this(root, List.of());
    }

    /**
     * Where a path of the container lies on this host. Links are not looked at; {@code ..} does not
     * lead out.
     */
    Path at(String stepPath) {
        return onHost(TOP.resolve(stepPath).normalize());
    }

    private Path onHost(Path path) {
        Path host = root.resolve(TOP.relativize(path));
        for (Mount mount : mounts) {
            Path place = Path.of(mount.path());
            if (path.equals(place)) {
                host = mount.host();
            } else if (path.startsWith(place)) {
                host = mount.host().resolve(place.relativize(path));
            }
        }
        return host;
    }

    /** Whether a path lies in something that is mounted. */
    boolean isMounted(String stepPath) {
        Path path = TOP.resolve(stepPath).normalize();
        return mounts.stream().anyMatch(m -> path.startsWith(m.path()));
    }

    private boolean isMountPoint(Path path) {
        return mounts.stream().anyMatch(m -> path.equals(Path.of(m.path())));
    }

    /** Makes a folder of the step and all above it; it is there afterwards. */
    Path makeFolder(String stepPath) throws IOException {
        return Files.createDirectories(at(stepPath));
    }

    /**
     * Follows a path as the step itself would, links included.
     *
     * @return what it leads to inside the tree, existing; empty if there is nothing, or if it leads
     *     out of the tree
     */
    Optional<Path> find(String stepPath) throws IOException {
        Deque<String> todo = new ArrayDeque<>();
        push(todo, TOP.resolve(stepPath));
        Path here = TOP;
        int links = 0;
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (name.equals("..")) {
                Path parent = here.getParent();
                here = parent == null ? TOP : parent;
                continue;
            }
            if (name.equals(".")) {
                continue;
            }
            Path next = here.resolve(name);
            Path host = onHost(next);
            // Without a sandbox a mount point is itself a link; what is mounted is known better.
            if (Files.isSymbolicLink(host) && !isMountPoint(next)) {
                if (++links > MAX_LINKS) {
                    return Optional.empty();
                }
                Path target = Files.readSymbolicLink(host);
                if (target.isAbsolute()) {
                    here = TOP;
                    // Without a sandbox the step itself sees the host's path of its folder.
                    target =
                            target.startsWith(root) ? TOP.resolve(root.relativize(target)) : target;
                }
                push(todo, target);
                continue;
            }
            if (!Files.exists(host, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            here = next;
        }
        return Optional.of(onHost(here));
    }

    private static void push(Deque<String> todo, Path path) {
        List<String> names = new ArrayList<>();
        path.forEach(p -> names.add(p.toString()));
        names.reversed().stream().filter(n -> !n.isEmpty()).forEach(todo::push);
    }

    /**
     * Removes a tree, whatever permissions its folders were left with. Links are removed, not
     * followed.
     */
    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(
                tree,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attrs)
                            throws IOException {
                        makeUsable(dir);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e)
                            throws IOException {
                        if (e instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE; // Somebody else removed it.
                        }
                        // A folder that could not be opened: once more, after it was made usable.
                        if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)
                                || Files.isReadable(file)) {
                            throw e;
                        }
                        makeUsable(file);
                        deleteTree(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attrs)
                            throws IOException {
                        Files.deleteIfExists(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path dir, @Nullable IOException e)
                            throws IOException {
                        if (e != null) {
                            throw e;
                        }
                        Files.deleteIfExists(dir);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static void makeUsable(Path dir) throws IOException {
        if (!Files.isReadable(dir) || !Files.isWritable(dir) || !Files.isExecutable(dir)) {
            Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
        }
    }
}
