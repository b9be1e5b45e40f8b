package dev.millrace.executors.process;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds a step's program before it is started, so that a missing one is told in the field's own
 * words.
 */
final class CommandLookup {
    private CommandLookup() {}

    /**
     * What is wrong with the program of a step, as text that follows {@code failed to find name in
     * PATH: }; or empty.
     */
    static Optional<String> problem(StepProcess process, Sandbox sandbox, PrivateFiles files) {
        String name = process.command().getFirst();
        if (name.contains("/")) {
            Path path =
                    sandbox.onHost(Path.of(process.workingDir()).resolve(name).toString(), files);
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.of(
                        "exec: \"%s\": stat %s: no such file or directory".formatted(name, name));
            }
            // A link may lead to a place that only the step sees.
            return Files.isSymbolicLink(path)
                            || (Files.isExecutable(path) && Files.isRegularFile(path))
                    ? Optional.empty()
                    : Optional.of("exec: \"%s\": permission denied".formatted(name));
        }
        String searchPath = process.env().getOrDefault("PATH", "");
        boolean found =
                Arrays.stream(searchPath.split(":"))
                        .filter(dir -> dir.startsWith("/"))
                        .map(dir -> sandbox.onHost(dir + "/" + name, files))
                        .anyMatch(
                                p ->
                                        Files.isSymbolicLink(p)
                                                || (Files.isRegularFile(p)
                                                        && Files.isExecutable(p)));
        return found
                ? Optional.empty()
                : Optional.of("exec: \"%s\": executable file not found in $PATH".formatted(name));
    }
}
