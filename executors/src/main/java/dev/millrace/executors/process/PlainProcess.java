package dev.millrace.executors.process;

import dev.millrace.executors.artifact.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * No isolation: the step is an ordinary process whose working folder and declared paths lie in a
 * folder of its own. Anything else that it writes by an absolute path lands on the host.
 */
final class PlainProcess implements Sandbox {
    // The leader of the group names itself, as bwrap's status does, then becomes the step.
    private static final String ENTER =
            "printf '{ \"child-pid\": %d, }\\n' $$ >&3; cd \"$1\" || exit 126; shift; exec \"$@\" 3>&-";

    private final String searchPath;
    private final String reason;
    private final List<String> newSession;

    /**
     * @param searchPath the {@code PATH} of steps, tools folder first
     * @param reason why there is no isolation, for the warning
     * @param newSession the command that runs the rest of its line in a new session
     */
    PlainProcess(String searchPath, String reason, List<String> newSession) {
        this.searchPath = searchPath;
        this.reason = reason;
        this.newSession = newSession;
    }

    @Override
    public List<String> commandLine(StepProcess process, PrivateFiles files) {
        files.mounts().forEach(mount -> link(mount, files));
        List<String> line = new ArrayList<>(newSession);
        line.addAll(List.of("/bin/sh", "-c", ENTER, "sh", process.workingDir()));
        line.addAll(process.command());
        return line;
    }

    /** What is mounted is a link in the folder of the container. */
    private static void link(Mount mount, PrivateFiles files) {
        Path place = files.root().resolve(Path.of("/").relativize(Path.of(mount.path())));
        try {
            if (!Files.isSymbolicLink(place)) {
                Files.createDirectories(place.getParent());
                Trees.delete(place);
                Files.createSymbolicLink(place, mount.host());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot mount " + mount.host() + " at " + place, e);
        }
    }

    @Override
    public StepProcess adapt(StepProcess process, PrivateFiles files) {
        List<String> paths = new ArrayList<>(process.writtenPaths());
        paths.add(process.workingDir());
        paths.add(StepProcess.SCRIPT);
        paths.add(StepProcess.PROGRESS);
        PathRewriter rewriter = new PathRewriter(paths, files.root().toString());
        Map<String, String> env = new HashMap<>();
        process.env()
                .forEach(
                        (name, value) ->
                                env.put(
                                        name,
                                        name.equals("PATH") ? value : rewriter.rewrite(value)));
        env.putIfAbsent("HOME", files.at("/root").toString());
        env.putIfAbsent("TMPDIR", files.at("/tmp").toString());
        String script = process.script();
        return new StepProcess(
                process.command().stream().map(rewriter::rewrite).toList(),
                env,
                files.root()
                        .resolve(Path.of("/").relativize(Path.of(process.workingDir())))
                        .toString(),
                script == null ? null : rewriter.rewrite(script),
                Set.copyOf(process.writtenPaths()));
    }

    @Override
    public Path onHost(String stepPath, PrivateFiles files) {
        return Path.of("/").resolve(stepPath);
    }

    @Override
    public Optional<Path> find(String stepPath, PrivateFiles files, Collection<String> own)
            throws IOException {
        return files.find(stepPath);
    }

    /** A command that makes the folder makes it on the host: only whole paths are rewritten. */
    @Override
    public boolean needsFolderOf(String stepPath) {
        return true;
    }

    @Override
    public String searchPath() {
        return searchPath;
    }

    @Override
    public boolean leavesProcesses() {
        return true;
    }

    @Override
    public Optional<String> warning() {
        return Optional.of(
                "Steps run without isolation (%s): they see and can change the files of this host. Only the paths that a template declares as outputs or inputs, and its working folder, are moved into the step's own folder; other absolute paths are shared by all steps. Install bubblewrap to give every step files of its own."
                        .formatted(reason));
    }
}
