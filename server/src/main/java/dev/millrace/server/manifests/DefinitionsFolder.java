package dev.millrace.server.manifests;

import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.server.command.RefusedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of manifests that is kept applied: what is in it is applied, what changes is applied
 * again, and what a file no longer holds is deleted. Which definitions came from it stands in a
 * file, so that one which goes while the server is down is deleted too.
 */
public final class DefinitionsFolder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DefinitionsFolder.class);

    /** Editors write a file in several steps. */
    private static final Duration QUIET = Duration.ofMillis(300);

    /** A definition as a file names it. */
    record Definition(Kind kind, String namespace, String name) {
        String line() {
            return kind.yamlName() + "/" + namespace + "/" + name;
        }
    }

    private final Path folder;
    private final Path memory;
    private final Application application;
    private final ManifestStore store;
    private final Consumer<String> say;
    private final WatchService watcher;
    private final Map<Path, String> texts = new TreeMap<>();
    private final Map<Path, Set<Definition>> byFile = new HashMap<>();
    private final Set<Path> saidWorkflows = new HashSet<>();
    private final Thread thread;

    private DefinitionsFolder(
            Path folder,
            Path memory,
            Application application,
            ManifestStore store,
            Consumer<String> say)
            throws IOException {
        this.folder = folder;
        this.memory = memory;
        this.application = application;
        this.store = store;
        this.say = say;
        this.watcher = folder.getFileSystem().newWatchService();
        this.thread = Thread.ofPlatform().name("definitions").unstarted(this::follow);
    }

    /**
     * Applies the folder, then follows it.
     *
     * @param memory file that keeps which definitions came from the folder
     * @param say hears, in one line each, what was applied, refused or left out
     * @throws UncheckedIOException if the folder cannot be read
     */
    public static DefinitionsFolder start(
            Path folder,
            Path memory,
            Application application,
            ManifestStore store,
            Consumer<String> say) {
        Path path = folder.toAbsolutePath().normalize();
        if (!Files.isDirectory(path)) {
            throw new UncheckedIOException(
                    "the folder of definitions " + path + " is not there",
                    new NoSuchFileException(path.toString()));
        }
        try {
            DefinitionsFolder definitions =
                    new DefinitionsFolder(path, memory, application, store, say);
            // Watched before it is read: a change between the two is seen.
            definitions.watch();
            definitions.sync();
            definitions.thread.start();
            return definitions;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "the folder of definitions " + path + " cannot be read", e);
        }
    }

    @Override
    public void close() throws IOException {
        watcher.close();
        thread.interrupt();
    }

    private void follow() {
        try {
            while (true) {
                WatchKey key = watcher.take();
                // One save makes several events.
                while (key != null) {
                    key.pollEvents();
                    key.reset();
                    key = watcher.poll(QUIET.toMillis(), TimeUnit.MILLISECONDS);
                }
                try {
                    watch();
                    sync();
                } catch (IOException | RefusedException e) {
                    LOG.error(
                            "The folder {} could not be applied; the next change tries it again",
                            folder,
                            e);
                    say.accept("The folder " + folder + " could not be applied: " + e.getMessage());
                }
            }
        } catch (InterruptedException | java.nio.file.ClosedWatchServiceException e) {
            LOG.debug("{} is no longer watched", folder);
        }
    }

    /** A watch does not reach into sub-folders, and registering twice is the same as once. */
    private void watch() throws IOException {
        visit(
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path dir, BasicFileAttributes attributes) throws IOException {
                        if (isHidden(dir)) {
                            return FileVisitResult.SKIP_SUBTREE;
                        }
                        dir.register(
                                watcher,
                                StandardWatchEventKinds.ENTRY_CREATE,
                                StandardWatchEventKinds.ENTRY_MODIFY,
                                StandardWatchEventKinds.ENTRY_DELETE);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private void sync() throws IOException {
        Map<Path, String> now = read();
        List<Path> refused = new ArrayList<>();
        for (Map.Entry<Path, String> file : now.entrySet()) {
            if (!file.getValue().equals(texts.get(file.getKey()))) {
                Application.Report report = apply(file.getKey(), file.getValue());
                if (report.hasErrors()) {
                    refused.add(file.getKey());
                } else {
                    tell(file.getKey(), report);
                }
            }
        }
        // Files may refer to each other in any order: now the others are there.
        Set<Path> wrong = new HashSet<>();
        for (Path file : refused) {
            Application.Report report = apply(file, String.valueOf(now.get(file)));
            tell(file, report);
            if (report.hasErrors()) {
                wrong.add(file);
            }
        }
        byFile.keySet().retainAll(now.keySet());
        saidWorkflows.retainAll(now.keySet());
        texts.clear();
        texts.putAll(now);
        // They are tried again with the next change, of whichever file.
        texts.keySet().removeAll(wrong);
        forget();
    }

    private Application.Report apply(Path file, String text) {
        Application.Report report =
                application.apply(file.toString(), text, m -> m.kind() != Kind.WORKFLOW);
        Set<Definition> held = new HashSet<>();
        for (Application.Result result : report.results()) {
            if (result.kind() == Kind.WORKFLOW) {
                continue;
            }
            // Also one that is refused: while it is being mended, the last good one goes on.
            held.add(new Definition(result.kind(), result.namespace(), result.name()));
            if (result.outcome().equals("created") || result.outcome().equals("configured")) {
                say(result);
            }
        }
        if (report.problems().stream().anyMatch(Problem::isError)) {
            // Half a file says nothing about what is gone.
            held.addAll(byFile.containsKey(file) ? byFile.get(file) : remembered());
        }
        byFile.put(file, held);
        return report;
    }

    /** Says what is wrong with a file, and what of it is not done. */
    private void tell(Path file, Application.Report report) {
        report.results().stream().filter(r -> r.outcome().equals("refused")).forEach(this::say);
        report.results().stream()
                .flatMap(r -> r.problems().stream())
                .map(Problem::toString)
                .forEach(say);
        report.problems().stream().map(Problem::toString).forEach(say);
        boolean workflows = report.results().stream().anyMatch(r -> r.kind() == Kind.WORKFLOW);
        if (workflows && saidWorkflows.add(file)) {
            say.accept(
                    "%s holds a Workflow, which is not started by being there; run it with: millrace submit %s"
                            .formatted(file, file));
        }
    }

    private void say(Application.Result result) {
        say.accept(
                "%s %s/%s %s"
                        .formatted(
                                result.kind(),
                                result.namespace(),
                                result.name(),
                                result.outcome()));
    }

    /** Deletes what came from the folder and stands in no file any more. */
    private void forget() throws IOException {
        Set<Definition> held = new HashSet<>();
        byFile.values().forEach(held::addAll);
        for (Definition gone : remembered()) {
            if (!held.contains(gone)) {
                delete(gone);
            }
        }
        Path temporary = memory.resolveSibling(memory.getFileName() + "~");
        Files.write(temporary, held.stream().map(Definition::line).sorted().toList());
        Files.move(
                temporary,
                memory,
                java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private void delete(Definition gone) {
        try {
            store.delete(gone.kind(), gone.namespace(), gone.name());
            say.accept(
                    "%s %s/%s deleted, since its file is gone"
                            .formatted(gone.kind(), gone.namespace(), gone.name()));
        } catch (RefusedException e) {
            if (e.code() != RefusedException.Code.NOT_FOUND) {
                throw e;
            }
        }
    }

    private Set<Definition> remembered() {
        Set<Definition> remembered = new HashSet<>();
        try {
            for (String line : Files.readAllLines(memory)) {
                String[] parts = line.split("/", -1);
                @Nullable Kind kind = parts.length == 3 ? Kind.named(parts[0]).orElse(null) : null;
                if (kind != null) {
                    remembered.add(new Definition(kind, parts[1], parts[2]));
                }
            }
        } catch (NoSuchFileException e) {
            return remembered;
        } catch (IOException e) {
            throw new UncheckedIOException("the file " + memory + " cannot be read", e);
        }
        return remembered;
    }

    private Map<Path, String> read() throws IOException {
        Map<Path, String> now = new TreeMap<>();
        visit(
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path dir, BasicFileAttributes attributes) {
                        return isHidden(dir)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        if (isManifest(file)) {
                            now.put(file, Files.readString(file));
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e)
                            throws IOException {
                        // Gone between being listed and being looked at.
                        if (e instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw e;
                    }
                });
        return now;
    }

    private void visit(SimpleFileVisitor<Path> visitor) throws IOException {
        Files.walkFileTree(folder, visitor);
    }

    private boolean isHidden(Path dir) {
        return !dir.equals(folder) && dir.getFileName().toString().startsWith(".");
    }

    private static boolean isManifest(Path file) {
        String name = file.getFileName().toString();
        return !name.startsWith(".")
                && (name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json"));
    }
}
