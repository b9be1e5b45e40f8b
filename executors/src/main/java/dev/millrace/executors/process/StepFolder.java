package dev.millrace.executors.process;

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
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * All that is known of a step, as files. What stands in the folder is the truth; memory only saves
 * looking.
 *
 * @param dir the folder
 */
record StepFolder(Path dir) {
    private static final Pattern LEADER = Pattern.compile("\"child-pid\": (\\d+)");

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

    Path environment() {
        return dir.resolve("env.sh");
    }

    Path log() {
        return dir.resolve("log");
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

    PrivateFiles files() {
        return new PrivateFiles(dir.resolve("files"));
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
        return !isClaimed() && exitCode().isEmpty();
    }

    void removeClaim() throws IOException {
        Files.deleteIfExists(dir.resolve("claim"));
    }

    Optional<Instant> claimedAt() {
        return modified(dir.resolve("claim"));
    }

    /** The leader of the group of the step's own processes, while it runs. */
    OptionalLong leader() {
        Matcher matcher = LEADER.matcher(read(dir.resolve("status")).orElse(""));
        return matcher.find()
                ? OptionalLong.of(Long.parseLong(matcher.group(1)))
                : OptionalLong.empty();
    }

    /** The exit code, once everything of the step has ended. */
    OptionalInt exitCode() {
        return read(dir.resolve("exitcode"))
                .map(s -> OptionalInt.of(Integer.parseInt(s.strip())))
                .orElse(OptionalInt.empty());
    }

    /**
     * What bubblewrap said if the step's command was never run. It ends with 1 then, as a command
     * may; but only of a command that ran does its status tell the exit code.
     */
    Optional<String> sandboxFailure(int exitCode) {
        String status = read(dir.resolve("status")).orElse("");
        if (exitCode != 1 || !status.contains("-namespace\"") || status.contains("\"exit-code\"")) {
            return Optional.empty();
        }
        return Optional.of(
                read(log()).orElse("").lines().reduce((_, last) -> last).orElse("it said nothing"));
    }

    Optional<Instant> endedAt() {
        return modified(dir.resolve("exitcode"));
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

    /** Removes all but what later questions need: whose it is, how it ended, what it said. */
    void tidy() throws IOException {
        for (String name :
                new String[] {"run.sh", "env.sh", "pipe", "stdout", "status", "supervisor.log"}) {
            Files.deleteIfExists(dir.resolve(name));
        }
        Trees.delete(dir.resolve("files"));
        Trees.delete(transfers());
    }

    private void replace(String name, byte[] content) throws IOException {
        Path fresh = dir.resolve(name + ".new");
        Files.write(fresh, content);
        Files.move(fresh, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }

    private static Optional<String> read(Path file) {
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
