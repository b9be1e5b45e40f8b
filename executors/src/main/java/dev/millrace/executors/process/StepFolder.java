package dev.millrace.executors.process;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.artifact.Trees;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.schemas.record.StepSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * All that is known of a step, as files. What stands in the folder is the truth; memory only saves
 * looking.
 *
 * @param dir the folder
 */
record StepFolder(Path dir) {
    /**
     * The folder of a step below the root; step ids that are no file names get a name that is one.
     */
    static StepFolder of(Path root, String stepId) {
        String name = stepId.replaceAll("[^A-Za-z0-9._-]", "_");
        if (name.equals(stepId)
                && !name.startsWith(".")
                && name.length() <= 200
                && !name.isEmpty()) {
            return new StepFolder(root.resolve(name));
        }
        CRC32C sum = new CRC32C();
        sum.update(stepId.getBytes(StandardCharsets.UTF_8));
        String start = "_" + name.substring(0, Math.min(name.length(), 180));
        return new StepFolder(
                root.resolve(start + "-" + HexFormat.of().toHexDigits(sum.getValue(), 8)));
    }

    /** The folder of a step before it has its name. */
    StepFolder unfinished() {
        return new StepFolder(dir.resolveSibling("." + dir.getFileName() + ".new"));
    }

    /**
     * Makes the folder and what says whose it is, in one step: it is there with its specification,
     * or not at all.
     */
    void create(StepSpec spec) throws IOException {
        StepFolder fresh = unfinished();
        Trees.delete(fresh.dir);
        // Only for the server's own user: it will hold secrets, and what steps write.
        Files.createDirectory(
                fresh.dir,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.write(fresh.specFile(), Json.mapper().writeValueAsBytes(spec));
        Files.move(fresh.dir, dir, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The step that the folder belongs to; empty if there is no such folder or it says nothing. */
    Optional<StepSpec> spec() {
        return read(specFile()).map(s -> Json.mapper().readValue(s, StepSpec.class));
    }

    Path specFile() {
        return dir.resolve("spec.json");
    }

    Path runScript() {
        return dir.resolve("run.sh");
    }

    /** What a daemon's readiness probe runs, if it runs a command. */
    Path probeScript() {
        return dir.resolve("probe.sh");
    }

    ContainerFolder container(String name) {
        return new ContainerFolder(dir, name);
    }

    ContainerFolder main() {
        return container(StepContainer.MAIN);
    }

    /** Where the volumes lie that the containers of this step share. */
    Path volumes() {
        return dir.resolve("volumes");
    }

    Path stdout() {
        return dir.resolve("stdout");
    }

    /** Where artifacts are while they are on their way. */
    Path transfers() {
        return dir.resolve("transfers");
    }

    /** Whether all inputs are in their places. */
    boolean isStaged() {
        return Files.exists(dir.resolve("staged"));
    }

    void markStaged() throws IOException {
        Files.write(dir.resolve("staged"), new byte[0]);
    }

    /** The file tree of the main container. */
    PrivateFiles files() {
        return main().files();
    }

    /** Whether a supervising shell was here, if only for the time of an open call. */
    boolean isClaimed() {
        return Files.exists(dir.resolve("claim"));
    }

    /**
     * The supervising shell; empty if none was here, or if it came no further than making the file.
     */
    Optional<ProcessIdentity> claim() {
        return read(dir.resolve("claim")).flatMap(ProcessIdentity::parse);
    }

    /** Whether nothing of the step was ever begun. */
    boolean isUnclaimed() {
        return !isClaimed() && !isOver();
    }

    void removeClaim() throws IOException {
        Files.deleteIfExists(dir.resolve("claim"));
    }

    Optional<Instant> claimedAt() {
        return modified(dir.resolve("claim"));
    }

    /** The leaders of the process groups of the step's containers that run. */
    List<Long> leaders() {
        List<ContainerFolder> containers = new ArrayList<>(List.of(main()));
        Path others = dir.resolve(ContainerFolder.OTHERS);
        if (Files.isDirectory(others)) {
            try (Stream<Path> folders = Files.list(others)) {
                folders.forEach(f -> containers.add(container(f.getFileName().toString())));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot list " + others, e);
            }
        }
        return containers.stream().flatMapToLong(c -> c.leader().stream()).boxed().toList();
    }

    /** Whether all containers have ended, and so the supervising shell has nothing left to do. */
    boolean isOver() {
        return Files.exists(dir.resolve("ended"));
    }

    Optional<Instant> endedAt() {
        return modified(dir.resolve("ended"));
    }

    boolean isPastDeadline() {
        return Files.exists(dir.resolve("deadline"));
    }

    /** Why the step is to end, or was ended. */
    Optional<StepCommand.Stop> stop() {
        return read(dir.resolve("stop.json"))
                .map(s -> Json.mapper().readValue(s, StepCommand.Stop.class));
    }

    Optional<Instant> stoppedAt() {
        return modified(dir.resolve("stop.json"));
    }

    void writeStop(StepCommand.Stop stop) throws IOException {
        replace("stop.json", Json.mapper().writeValueAsBytes(stop));
    }

    Optional<StepReport.Finished> finished() {
        return read(dir.resolve("finished.json"))
                .map(s -> Json.mapper().readValue(s, StepReport.Finished.class));
    }

    void writeFinished(StepReport.Finished report) throws IOException {
        replace("finished.json", Json.mapper().writeValueAsBytes(report));
    }

    boolean isReported() {
        return Files.exists(dir.resolve("reported"));
    }

    void markReported() throws IOException {
        Files.write(dir.resolve("reported"), new byte[0]);
    }

    /** Whether it was told that the daemon is ready. */
    boolean isReady() {
        return Files.exists(dir.resolve("ready"));
    }

    void markReady() throws IOException {
        Files.write(dir.resolve("ready"), new byte[0]);
    }

    /** Removes all but what later questions need: whose it is, how it ended, what it said. */
    void tidy() throws IOException {
        for (String name :
                List.of(
                        "run.sh",
                        "probe.sh",
                        "env.sh",
                        "mounts.json",
                        "pipe",
                        "stdout",
                        "begun",
                        "status",
                        "over",
                        ".supervisor.log")) {
            Files.deleteIfExists(dir.resolve(name));
        }
        for (String tree : List.of("files", ContainerFolder.OTHERS, "volumes")) {
            Trees.delete(dir.resolve(tree));
        }
        Trees.delete(transfers());
    }

    private void replace(String name, byte[] content) throws IOException {
        Path fresh = dir.resolve(name + ".new");
        Files.write(fresh, content);
        Files.move(fresh, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private static Optional<Instant> modified(Path file) {
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot look at " + file, e);
        }
    }
}
