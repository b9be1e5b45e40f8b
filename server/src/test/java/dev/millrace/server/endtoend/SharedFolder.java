package dev.millrace.server.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder outside of what the server knows, where the steps of {@code killed-workflows.yaml} write
 * down that they ran, and watch over their locks themselves.
 */
final class SharedFolder {
    private static final String SCRIPT = "killed-workflows.sh";

    private final Path folder;

    SharedFolder(Path folder) throws IOException {
        this.folder = folder;
        for (String part : List.of("runs", "held", "holders")) {
            Files.createDirectories(folder.resolve(part));
        }
        try (var script = SharedFolder.class.getResourceAsStream(SCRIPT)) {
            Files.copy(script, folder.resolve(SCRIPT));
        }
    }

    /** A run of a step. */
    record Run(String pod, Instant at) {}

    /** Puts this folder where the manifests name it. */
    String manifests(String file) throws IOException {
        try (var text = SharedFolder.class.getResourceAsStream(file)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    .replace(
                            "RUN",
                            "image: bash, command: [bash], volumeMounts: [{name: shared, mountPath: %s}]"
                                    .formatted(folder))
                    .replace(
                            "STEP",
                            ". %s {{pod.name}} {{workflow.name}}"
                                    .formatted(folder.resolve(SCRIPT)));
        }
    }

    /** The volume that the scripts mount. */
    String volumes() {
        return "[{\"name\": \"shared\", \"hostPath\": {\"path\": \"%s\"}}]".formatted(folder);
    }

    /** All runs of steps of a workflow, in order of time. */
    List<Run> runs(String workflow) {
        return lines(folder.resolve("runs").resolve(workflow)).stream()
                .map(line -> line.split(" ", 2))
                .map(
                        parts ->
                                new Run(
                                        parts[0],
                                        Instant.EPOCH.plus(
                                                Long.parseLong(parts[1]), ChronoUnit.MICROS)))
                .toList();
    }

    /** What steps saw that must not be. */
    List<String> violations() {
        return lines(folder.resolve("violations"));
    }

    /** How often the memoized step ran. */
    int memoized() {
        return lines(folder.resolve("memoized")).size();
    }

    /** Places that somebody has not given back. */
    List<String> held() throws IOException {
        try (Stream<Path> held = Files.list(folder.resolve("held"))) {
            return held.map(Path::getFileName).map(Path::toString).toList();
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
