package dev.millrace.executors.process;

import dev.millrace.executors.artifact.Trees;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

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

    /**
     * Makes a folder of the step and all above it; it is there afterwards. Links on the way are
     * followed as the step itself would.
     *
     * @throws IOException if something else is in the way, or a link that leads to nothing
     */
    Path makeFolder(String stepPath) throws IOException {
        Path folder = Files.createDirectories(root);
        Path inside = Path.of("/");
        for (Path name : Path.of("/").resolve(stepPath).normalize()) {
            inside = inside.resolve(name);
            Path next = folder.resolve(name);
            if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(next);
                folder = next;
            } else {
                Path place = inside;
                folder =
                        find(inside.toString())
                                .filter(p -> Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS))
                                .orElseThrow(
                                        () ->
                                                new FileAlreadyExistsException(
                                                        place.toString(),
                                                        null,
                                                        "is no folder of the step"));
            }
        }
        return folder;
    }

    /**
     * Where a file of the step is to be put: its folder is made, and what is there already, a link
     * above all, is removed.
     */
    Path placeFor(String stepPath) throws IOException {
        Path inside = Path.of("/").resolve(stepPath).normalize();
        Path parent = inside.getParent();
        if (parent == null) {
            throw new FileAlreadyExistsException("/", null, "is the root of the step");
        }
        Path place = makeFolder(parent.toString()).resolve(inside.getFileName());
        Trees.delete(place);
        return place;
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
}
