package dev.millrace.executors.process;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepEnvironment;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.VariableReferences;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Prepares a step's folder and starts the shell that supervises it. */
final class StepLauncher {
    /** Folders that every usual image has; all others a step makes itself. */
    private static final List<String> OF_ANY_IMAGE =
            List.of(
                    "/home",
                    "/media",
                    "/mnt",
                    "/root",
                    "/run",
                    "/srv",
                    "/var/cache",
                    "/var/lib",
                    "/var/log",
                    "/var/run/argo");

    private final ProcessSettings settings;
    private final Sandbox sandbox;
    private final StepEnvironment environment;
    private final List<String> newSession;
    private final InstantSource clock;
    private final InputStaging staging;
    private final RunScript runScript;

    StepLauncher(
            ProcessSettings settings,
            Sandbox sandbox,
            StepEnvironment environment,
            List<String> newSession,
            InstantSource clock,
            InputStaging staging)
            throws IOException {
        this.settings = settings;
        this.sandbox = sandbox;
        this.environment = environment;
        this.newSession = newSession;
        this.clock = clock;
        this.staging = staging;
        this.runScript = new RunScript();
    }

    /**
     * The program of a step is not there: the step's own fault, while a refused step is ours or the
     * manifest's.
     */
    static final class CommandNotFoundException extends Exception {
        private static final long serialVersionUID = 1L;

        CommandNotFoundException(String message) {
            super(message);
        }
    }

    /**
     * Starts a step that nobody has claimed.
     *
     * @return the supervising shell; it ends with 75 if another one was first
     */
    Process launch(StepRun run)
            throws IOException,
                    StepRefusedException,
                    CommandNotFoundException,
                    InputStaging.NotWantedException,
                    InterruptedException {
        StepSpec spec = run.spec;
        StepFolder folder = run.folder;
        PrivateFiles files = folder.files();
        Long seconds = spec.deadlineSeconds();
        Instant deadline = seconds == null ? null : clock.instant().plusSeconds(seconds);
        staging.bring(run, deadline);
        StepProcess process = sandbox.adapt(describe(spec, files, deadline), files);
        String script = process.script();
        if (script != null) {
            Path file = files.placeFor(StepProcess.SCRIPT);
            Files.writeString(file, script);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        var problem = CommandLookup.problem(process, sandbox, files);
        if (problem.isPresent()) {
            throw new CommandNotFoundException("failed to find name in PATH: " + problem.get());
        }
        runScript.write(
                folder,
                spec.stepId(),
                new RunScript.Particulars(
                        sandbox.commandLine(process, files),
                        process.env(),
                        deadline == null ? null : secondsUntil(deadline),
                        settings.deadlineGrace().toSeconds(),
                        spec.captureResult(),
                        sandbox.leavesProcesses()));
        ProcessBuilder shell =
                new ProcessBuilder(
                        Stream.concat(newSession.stream(), Stream.of("/bin/sh", "run.sh"))
                                .toList());
        shell.directory(folder.dir().toFile());
        shell.redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        shell.redirectErrorStream(true);
        shell.redirectOutput(
                ProcessBuilder.Redirect.appendTo(folder.dir().resolve("supervisor.log").toFile()));
        // Nothing of the server's environment reaches a step.
        shell.environment().clear();
        shell.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        return shell.start();
    }

    /** Its inputs took a part of the time that the step has. */
    private long secondsUntil(Instant deadline) {
        return Math.max(1, (Duration.between(clock.instant(), deadline).toMillis() + 999) / 1000);
    }

    /** The process as its template describes it, with the folders that it finds. */
    private StepProcess describe(StepSpec spec, PrivateFiles files, @Nullable Instant deadline)
            throws IOException, StepRefusedException {
        StepContainer container = StepContainer.of(spec);
        Map<String, String> env =
                new HashMap<>(
                        environment.resolve(spec, container.env(), container.envFrom(), deadline));
        List<String> command =
                new ArrayList<>(
                        container.commandLine(settings.images()).stream()
                                .map(word -> VariableReferences.expand(word, env))
                                .toList());
        String source = container.source();
        if (source != null) {
            command.add(StepProcess.SCRIPT);
        }
        env.putIfAbsent("PATH", sandbox.searchPath());
        env.putIfAbsent("LANG", "C.UTF-8");
        env.put("ARGO_PROGRESS_FILE", StepProcess.PROGRESS);
        env.put(
                "ARGO_TERMINATION_GRACE_PERIOD_SECONDS",
                Long.toString(settings.deadlineGrace().toSeconds()));
        env.put("MILLRACE_STEP_ID", spec.stepId());

        for (String folder : OF_ANY_IMAGE) {
            files.makeFolder(folder);
        }
        for (String folder : List.of("/tmp", "/var/tmp")) {
            Files.setPosixFilePermissions(
                    files.makeFolder(folder), PosixFilePermissions.fromString("rwxrwxrwx"));
        }
        String workingDir = absolute(container.workingDir(), "workingDir");
        files.makeFolder(workingDir);
        Set<String> paths = new HashSet<>(VolumeMounts.create(spec, container, environment, files));
        for (String path : declaredPaths(spec)) {
            paths.add(path);
            Path parent = Path.of(path).getParent();
            if (parent != null && sandbox.needsFolderOf(path)) {
                files.makeFolder(parent.toString());
            }
        }
        return new StepProcess(command, env, workingDir, source, paths);
    }

    private static String absolute(@Nullable String path, String what) throws StepRefusedException {
        if (path == null || path.isEmpty()) {
            return "/";
        }
        if (!path.startsWith("/")) {
            throw new StepRefusedException(
                    "%s must be an absolute path, not %s".formatted(what, path));
        }
        return Path.of(path).normalize().toString();
    }

    private static Set<String> declaredPaths(StepSpec spec) throws StepRefusedException {
        Set<String> paths = new HashSet<>();
        Outputs outputs = spec.template().outputs();
        if (outputs != null) {
            for (Parameter parameter : outputs.parameters()) {
                var from = parameter.valueFrom();
                if (from != null && from.path() != null) {
                    paths.add(
                            absolute(
                                    from.path(),
                                    "outputs parameter " + parameter.name() + ": path"));
                }
            }
            for (Artifact artifact : outputs.artifacts()) {
                if (artifact.path() != null) {
                    paths.add(
                            absolute(
                                    artifact.path(),
                                    "outputs artifact " + artifact.name() + ": path"));
                }
            }
        }
        Inputs inputs = spec.template().inputs();
        for (Artifact artifact : inputs == null ? List.<Artifact>of() : inputs.artifacts()) {
            if (artifact.path() != null) {
                paths.add(
                        absolute(artifact.path(), "inputs artifact " + artifact.name() + ": path"));
            }
        }
        return paths;
    }
}
