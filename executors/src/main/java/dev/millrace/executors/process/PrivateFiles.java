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

    /** Whether something is mounted just there. */
    boolean isMountPoint(String stepPath) {
        return isMountPoint(TOP.resolve(stepPath).normalize());
    }

    private boolean isMountPoint(Path path) {
        return mounts.stream().anyMatch(m -> path.equals(Path.of(m.path())));
    }

    /**
     * Makes a folder of the step and all above it; it is there afterwards. Links on the way are
     * followed as the step itself would.
     *
     * @throws IOException if something else is in the way, or a link that leads to nothing
     */
    Path makeFolder(String stepPath) throws IOException {
        Path folder = Files.createDirectories(root);
        Path inside = TOP;
        for (Path name : TOP.resolve(stepPath).normalize()) {
            inside = inside.resolve(name);
            Path next = isMountPoint(inside) ? onHost(inside) : folder.resolve(name);
            if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(next);
                folder = next;
            } else {
                Path place = inside;
                folder =
                        find(inside.toString())
                                .filter(Files::isDirectory)
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
        Path inside = TOP.resolve(stepPath).normalize();
        Path parent = inside.getParent();
        if (parent == null) {
            throw new FileAlreadyExistsException("/", null, "is the root of the step");
        }
        if (isMountPoint(inside)) {
            throw new FileAlreadyExistsException(stepPath, null, "is where a volume is mounted");
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
}
