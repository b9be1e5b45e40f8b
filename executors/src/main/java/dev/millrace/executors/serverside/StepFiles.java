package dev.millrace.executors.serverside;

import dev.millrace.schemas.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/** One file per step, which is replaced as a whole. */
final class StepFiles {
    private static final Logger LOG = LoggerFactory.getLogger(StepFiles.class);
    private static final String FRESH = ".new";

    private final Path root;

    StepFiles(Path root) throws IOException {
        this.root = root;
        // Only for the server's own user: addresses and bodies may be confidential.
        Files.createDirectories(
                root,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    Optional<RememberedStep> find(String stepId) throws IOException {
        return read(file(stepId)).filter(step -> step.spec().stepId().equals(stepId));
    }

    void save(RememberedStep step) throws IOException {
        Path file = file(step.spec().stepId());
        Path fresh = file.resolveSibling(file.getFileName() + FRESH);
        Files.write(fresh, Json.mapper().writeValueAsBytes(step));
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }

    void delete(String stepId) throws IOException {
        Files.deleteIfExists(file(stepId));
    }

    /** All steps; what a killed server left half-written is removed. */
    List<RememberedStep> all() throws IOException {
        List<RememberedStep> steps = new ArrayList<>();
        try (Stream<Path> files = Files.list(root)) {
            for (Path file : files.sorted().toList()) {
                if (file.toString().endsWith(FRESH)) {
                    Files.delete(file);
                } else {
                    read(file).ifPresent(steps::add);
                }
            }
        }
        return steps;
    }

    private static Optional<RememberedStep> read(Path file) throws IOException {
        try {
            return Optional.of(
                    Json.mapper().readValue(Files.readAllBytes(file), RememberedStep.class));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (JacksonException e) {
            LOG.warn("{} is no file of a step; it is left alone", file, e);
            return Optional.empty();
        }
    }

    /** Ids that are no file names get a name that is one. */
    private Path file(String stepId) {
        String name = stepId.matches("[A-Za-z0-9-]{1,100}") ? stepId : "_" + hash(stepId);
        return root.resolve(name + ".json");
    }

    private static String hash(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
