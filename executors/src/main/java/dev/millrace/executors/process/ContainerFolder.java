package dev.millrace.executors.process;

import dev.millrace.executors.StepContainer;
import dev.millrace.schemas.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.type.TypeReference;

/**
 * All that is known of one container of a step, as files. The main container has the folder of the
 * step itself, so that a step with nothing beside it has one folder.
 *
 * @param step the folder of the step
 * @param name the container
 */
record ContainerFolder(Path step, String name) {
    static final String OTHERS = "containers";

    private static final Pattern LEADER = Pattern.compile("\"child-pid\": (\\d+)");

    Path dir() {
        return name.equals(StepContainer.MAIN) ? step : step.resolve(OTHERS).resolve(name);
    }

    Path environment() {
        return dir().resolve("env.sh");
    }

    Path log() {
        return step.resolve(name + ".log");
    }

    /** When the log had which size. */
    Path logMarks() {
        return step.resolve(name + ".times");
    }

    /** The file tree that the container sees, with what is mounted in it. */
    PrivateFiles files() {
        List<Mount> mounts =
                StepFolder.read(mountsFile())
                        .map(s -> Json.mapper().readValue(s, new TypeReference<List<Mount>>() {}))
                        .orElse(List.of());
        return new PrivateFiles(dir().resolve("files"), mounts);
    }

    private Path mountsFile() {
        return dir().resolve("mounts.json");
    }

    /** Makes the folder, and the file tree with these mounts. */
    PrivateFiles create(List<Mount> mounts) throws IOException {
        Files.createDirectories(dir());
        if (!mounts.isEmpty()) {
            Files.write(mountsFile(), Json.mapper().writeValueAsBytes(mounts));
        }
        return files();
    }

    private Optional<String> status() {
        return StepFolder.read(dir().resolve("status"));
    }

    /** The leader of the group of the container's processes, while it runs. */
    OptionalLong leader() {
        if (exitCode().isPresent()) {
            return OptionalLong.empty();
        }
        Matcher matcher = LEADER.matcher(status().orElse(""));
        return matcher.find()
                ? OptionalLong.of(Long.parseLong(matcher.group(1)))
                : OptionalLong.empty();
    }

    /** The exit code, once it has ended for good. */
    OptionalInt exitCode() {
        return StepFolder.read(dir().resolve("code"))
                .map(String::strip)
                .filter(s -> !s.isEmpty())
                .map(s -> OptionalInt.of(Integer.parseInt(s)))
                .orElse(OptionalInt.empty());
    }

    /**
     * What bubblewrap said if the command was never run. It ends with 1 then, as a command may; but
     * only of a command that ran does its status tell the exit code.
     */
    Optional<String> sandboxFailure() {
        String status = status().orElse("");
        if (exitCode().orElse(0) != 1
                || !status.contains("-namespace\"")
                || status.contains("\"exit-code\"")) {
            return Optional.empty();
        }
        return Optional.of(
                StepFolder.read(log())
                        .orElse("")
                        .lines()
                        .reduce((_, last) -> last)
                        .orElse("it said nothing"));
    }
}
