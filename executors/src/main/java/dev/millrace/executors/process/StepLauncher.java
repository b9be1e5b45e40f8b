package dev.millrace.executors.process;

import static java.util.Objects.requireNonNull;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepContainers;
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
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prepares a step's folder and starts the shell that supervises it. */
final class StepLauncher {
    /** Where a step and the executor tell each other things. */
    private static final String SHARED = "/var/run/argo";

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
    private final ClaimFolders claims;
    private final InputStaging staging;
    private final RunScript runScript;

    StepLauncher(
            ProcessSettings settings,
            Sandbox sandbox,
            StepEnvironment environment,
            ClaimFolders claims,
            List<String> newSession,
            InstantSource clock,
            InputStaging staging)
            throws IOException {
        this.settings = settings;
        this.sandbox = sandbox;
        this.environment = environment;
        this.claims = claims;
        this.newSession = newSession;
        this.clock = clock;
        this.staging = staging;
        this.runScript = new RunScript();
    }

    /**
     * The program of a container is not there: the step's own fault, while a refused step is ours
     * or the manifest's.
     */
    static final class CommandNotFoundException extends Exception {
        private static final long serialVersionUID = 1L;

        private final String container;

        CommandNotFoundException(String container, String message) {
            super(message);
            this.container = container;
        }

        /** The name of the container. */
        String container() {
            return container;
        }
    }

    /**
     * Brings the inputs of a step that nobody has claimed, and starts it.
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
        Long seconds = spec.deadlineSeconds();
        Instant deadline = seconds == null ? null : clock.instant().plusSeconds(seconds);
        StepContainers containers = StepContainers.of(spec);
        StepVolumes volumes = new StepVolumes(spec, folder.volumes(), environment, claims);
        Map<String, Surroundings> surroundings = new HashMap<>();
        boolean alone = containers.all().size() == 1;
        for (StepContainer container : containers.all()) {
            surroundings.put(
                    container.name(),
                    surroundings(spec, folder, container, alone, volumes, deadline));
        }
        // Into the volumes as well, so these are there before.
        staging.bring(run, deadline);
        Map<String, RunScript.Command> commands = new HashMap<>();
        for (StepContainer container : containers.all()) {
            Surroundings found =
                    withInputs(run, container, requireNonNull(surroundings.get(container.name())));
            commands.put(container.name(), prepare(spec, folder, container, found));
        }
        runScript.write(
                folder,
                spec.stepId(),
                new RunScript.Particulars(
                        containers,
                        commands,
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
                ProcessBuilder.Redirect.appendTo(folder.dir().resolve(".supervisor.log").toFile()));
        // Nothing of the server's environment reaches a step.
        shell.environment().clear();
        shell.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin");
        return shell.start();
    }

    /** Its inputs took a part of the time that the step has. */
    private long secondsUntil(Instant deadline) {
        return Math.max(1, (Duration.between(clock.instant(), deadline).toMillis() + 999) / 1000);
    }

    /**
     * What a container finds.
     *
     * @param env its whole environment
     * @param files its file tree
     */
    private record Surroundings(Map<String, String> env, PrivateFiles files) {}

    private Surroundings surroundings(
            StepSpec spec,
            StepFolder folder,
            StepContainer container,
            boolean alone,
            StepVolumes volumes,
            @Nullable Instant deadline)
            throws IOException, StepRefusedException {
        Map<String, String> env = environment(spec, container, deadline);
        List<Mount> mounts = new ArrayList<>(volumes.mounts(container, env));
        if (!alone) {
            // As in a pod: what one container says about the step, the others see.
            mounts.addFirst(
                    new Mount(
                            SHARED,
                            Files.createDirectories(folder.volumes().resolve("argo")),
                            false));
        }
        return new Surroundings(env, folder.container(container.name()).create(mounts));
    }

    /** Who mirrors the mounts of main sees its input artifacts too. */
    private static Surroundings withInputs(StepRun run, StepContainer container, Surroundings found)
            throws IOException {
        List<Mount> inputs = MirroredInputs.of(run, container.name());
        if (inputs.isEmpty()) {
            return found;
        }
        List<Mount> mounts = new ArrayList<>(found.files().mounts());
        inputs.stream()
                .filter(i -> mounts.stream().noneMatch(m -> m.path().equals(i.path())))
                .toList()
                .forEach(mounts::add);
        mounts.sort(Comparator.comparing(m -> Path.of(m.path()).getNameCount()));
        return new Surroundings(found.env(), run.folder.container(container.name()).create(mounts));
    }

    /** Fills the file tree of a container; gives the command that runs it. */
    private RunScript.Command prepare(
            StepSpec spec, StepFolder folder, StepContainer container, Surroundings found)
            throws IOException, StepRefusedException, CommandNotFoundException {
        Map<String, String> env = found.env();
        PrivateFiles files = found.files();
        StepProcess process = sandbox.adapt(describe(spec, container, env, files), files);
        String script = process.script();
        if (script != null) {
            Path file = files.placeFor(StepProcess.SCRIPT);
            Files.writeString(file, script);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        // What lies in a volume, another container may still bring.
        if (!files.isMounted(process.command().getFirst())) {
            var problem = CommandLookup.problem(process, sandbox, files);
            if (problem.isPresent()) {
                throw new CommandNotFoundException(
                        container.name(), "failed to find name in PATH: " + problem.get());
            }
        }
        JsonNode probe = container.spec().readinessProbe();
        if (Boolean.TRUE.equals(spec.template().daemon()) && probe != null && probe.has("exec")) {
            List<String> command = new ArrayList<>();
            probe.path("exec").path("command").forEach(w -> command.add(w.asString("")));
            StepProcess asked =
                    sandbox.adapt(
                            describe(spec, container, env, files).withCommand(command), files);
            runScript.writeProbe(folder, sandbox.commandLine(asked, files));
        }
        return new RunScript.Command(sandbox.commandLine(process, files), process.env());
    }

    private Map<String, String> environment(
            StepSpec spec, StepContainer container, @Nullable Instant deadline)
            throws StepRefusedException {
        Map<String, String> env = new HashMap<>(environment.resolve(spec, container, deadline));
        env.putIfAbsent("PATH", sandbox.searchPath());
        env.putIfAbsent("LANG", "C.UTF-8");
        env.put("ARGO_PROGRESS_FILE", StepProcess.PROGRESS);
        env.put(
                "ARGO_TERMINATION_GRACE_PERIOD_SECONDS",
                Long.toString(settings.deadlineGrace().toSeconds()));
        env.put("MILLRACE_STEP_ID", spec.stepId());
        return env;
    }

    /** The process as its template describes it, with the folders that it finds. */
    private StepProcess describe(
            StepSpec spec, StepContainer container, Map<String, String> env, PrivateFiles files)
            throws IOException, StepRefusedException {
        List<String> command =
                new ArrayList<>(
                        container.commandLine(settings.images()).stream()
                                .map(word -> VariableReferences.expand(word, env))
                                .toList());
        String source = container.source();
        if (source != null) {
            command.add(StepProcess.SCRIPT);
        }
        for (String folder : OF_ANY_IMAGE) {
            files.makeFolder(folder);
        }
        for (String folder : List.of("/tmp", "/var/tmp")) {
            Path made = files.makeFolder(folder);
            if (!files.isMounted(folder)) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxrwxrwx"));
            }
        }
        String workingDir = absolute(container.spec().workingDir(), "workingDir");
        files.makeFolder(workingDir);
        Set<String> paths = new HashSet<>();
        for (Mount mount : files.mounts()) {
            // A path below it as well: it is the folder itself that is written into.
            paths.add(mount.path() + "/*");
            paths.add(mount.path());
        }
        if (container.name().equals(StepContainer.MAIN)) {
            for (String path : declaredPaths(spec)) {
                paths.add(path);
                Path parent = Path.of(path).getParent();
                if (parent != null && sandbox.needsFolderOf(path)) {
                    files.makeFolder(parent.toString());
                }
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
