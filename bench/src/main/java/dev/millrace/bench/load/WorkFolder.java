package dev.millrace.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder that goes when it is closed. */
record WorkFolder(Path path) implements AutoCloseable {

    static WorkFolder create() {
        try {
            return new WorkFolder(Files.createTempDirectory("millrace-bench-"));
        } catch (IOException e) {
            throw new UncheckedIOException("no temporary folder can be made", e);
        }
    }

    /** Writes a file, with the folders above it. */
    Path write(String name, String text) {
        try {
            Path file = path.resolve(name);
            Files.createDirectories(file.getParent());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be written below " + path, e);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(path + " was not deleted", e);
        }
    }
}
