package dev.millrace.executors.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
 * The file tree that a step sees as its root, as a folder of this host. What a step left there is
 * not trusted: a symbolic link in it never leads outside.
 *
 * @param root the folder on this host
 */
record PrivateFiles(Path root) {
    private static final int MAX_LINKS = 40;

    /**
     * Where a path of the step lies on this host. Links are not looked at; {@code ..} does not lead
     * out.
     */
    Path at(String stepPath) {
        Path inside = Path.of("/").resolve(stepPath).normalize();
        return root.resolve(Path.of("/").relativize(inside));
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
        push(todo, Path.of("/").resolve(stepPath));
        Path here = root;
        int links = 0;
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (name.equals("..")) {
                here = here.equals(root) ? root : parent(here);
                continue;
            }
            if (name.equals(".")) {
                continue;
            }
            Path next = here.resolve(name);
            if (Files.isSymbolicLink(next)) {
                if (++links > MAX_LINKS) {
                    return Optional.empty();
                }
                Path target = Files.readSymbolicLink(next);
                if (target.isAbsolute()) {
                    here = root;
                    // Without a sandbox the step itself sees the host's path of its folder.
                    target =
                            target.startsWith(root)
                                    ? Path.of("/").resolve(root.relativize(target))
                                    : target;
                }
                push(todo, target);
                continue;
            }
            if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            here = next;
        }
        return Optional.of(here);
    }

    private static void push(Deque<String> todo, Path path) {
        List<String> names = new ArrayList<>();
        path.forEach(p -> names.add(p.toString()));
        names.reversed().stream().filter(n -> !n.isEmpty()).forEach(todo::push);
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        return parent == null ? path : parent;
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
