package dev.millrace.testkit.cluster;

import dev.millrace.testkit.cluster.ContainerEnvironment.MissingReference;
import dev.millrace.testkit.cluster.PodVolumes.Mount;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One container of a pod: its processes one after the other, and what its status says. */
final class ContainerRun {
    private static final Pattern PID = Pattern.compile("\"child-pid\": *(\\d+)");
    private static final int MESSAGE_LIMIT = 4096;

    private final Container container;
    private final Path folder;
    private final PodVolumes volumes;
    private final KubeletSettings settings;
    private final Runnable changed;

    private volatile @Nullable Process process;
    private volatile @Nullable Sandbox sandbox;
    private volatile ContainerLog log = new ContainerLog();
    private volatile Map<String, String> environment = Map.of();
    private volatile boolean stopped;
    private volatile boolean outOfMemory;
    private volatile boolean ready;
    private volatile ContainerState state = waiting("PodInitializing", null);
    private volatile @Nullable ContainerState last;
    private volatile int restarts;

    ContainerRun(
            Container container,
            Path folder,
            PodVolumes volumes,
            KubeletSettings settings,
            Runnable changed) {
        this.container = container;
        this.folder = folder;
        this.volumes = volumes;
        this.settings = settings;
        this.changed = changed;
    }

    Container container() {
        return container;
    }

    ContainerLog log() {
        return log;
    }

    ContainerState state() {
        return state;
    }

    boolean ready() {
        return ready;
    }

    /** The exit code of its last run; empty if it runs or has not run. */
    Optional<Integer> exitCode() {
        return Optional.ofNullable(state.getTerminated()).map(t -> t.getExitCode());
    }

    /**
     * Runs it until it ends for good.
     *
     * @param policy as in {@code restartPolicy}
     */
    void run(String policy) throws IOException, InterruptedException {
        while (!stopped) {
            once();
            int code = exitCode().orElse(0);
            boolean again = policy.equals("Always") || (policy.equals("OnFailure") && code != 0);
            if (stopped || !again) {
                return;
            }
            last = state;
            become(waiting("CrashLoopBackOff", "back-off restarting failed container"));
            Thread.sleep(settings.restartDelay());
            restarts++;
        }
    }

    private void once() throws IOException, InterruptedException {
        Path root = Files.createDirectories(folder.resolve("root-" + restarts));
        Path message = Files.createFile(folder.resolve("termination-log-" + restarts));
        Path info = folder.resolve("info-" + restarts);
        Instant started = Instant.now();
        if (!resolveEnvironment()) {
            return;
        }
        ProcessBuilder builder = builder(root, message, info);
        ContainerLog fresh = new ContainerLog();
        Process running = builder.start();
        log = fresh;
        process = running;
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                fresh.pump(running.getInputStream());
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        become(
                new ContainerStateBuilder()
                        .withNewRunning()
                        .withStartedAt(started.toString())
                        .endRunning()
                        .build());
        if (container.getReadinessProbe() == null) {
            ready = true;
            changed.run();
        } else {
            Thread.ofVirtual().start(() -> probe(running));
        }
        if (stopped) {
            OwnedProcess.kill(running);
        }
        int code = running.waitFor();
        ready = false;
        String reason = outOfMemory ? "OOMKilled" : code == 0 ? "Completed" : "Error";
        become(
                new ContainerStateBuilder()
                        .withNewTerminated()
                        .withExitCode(code)
                        .withReason(reason)
                        .withMessage(message(message, code, fresh))
                        .withStartedAt(started.toString())
                        .withFinishedAt(Instant.now().toString())
                        .withContainerID(id())
                        .endTerminated()
                        .build());
    }

    /** Waits for what the environment refers to; false if the container is stopped before. */
    private boolean resolveEnvironment() throws InterruptedException {
        while (!stopped) {
            try {
                environment = volumes.environment().of(container);
                return true;
            } catch (MissingReference e) {
                become(waiting("CreateContainerConfigError", e.getMessage()));
                Thread.sleep(settings.restartDelay());
            }
        }
        return false;
    }

    private ProcessBuilder builder(Path root, Path message, Path info) throws IOException {
        List<Mount> mounts = new ArrayList<>(volumes.mounts(container));
        mounts.add(new Mount(message, messagePath(), false));
        boolean shell = !container.getImage().split(":", 2)[0].endsWith("/noshell");
        Sandbox box = new Sandbox(root, shell, mounts, settings.hostFolders());
        sandbox = box;
        return inside(box, words(), info);
    }

    private ProcessBuilder inside(Sandbox box, List<String> words, Path info) {
        String dir = container.getWorkingDir() == null ? "/" : container.getWorkingDir();
        List<String> line = new ArrayList<>(List.of("/bin/sh", "-c", "exec \"$@\" 9>\"$0\""));
        line.add(info.toString());
        line.addAll(box.commandLine(words, dir));
        ProcessBuilder builder = OwnedProcess.of(line);
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder;
    }

    private List<String> words() {
        List<String> command = container.getCommand();
        List<String> words = new ArrayList<>(command);
        if (command.isEmpty()) {
            words.addAll(settings.imageCommands().getOrDefault(container.getImage(), List.of()));
        }
        words.addAll(container.getArgs());
        if (words.isEmpty()) {
            words.addAll(List.of("/bin/sh"));
        }
        return ContainerEnvironment.expand(words, environment);
    }

    private String messagePath() {
        String path = container.getTerminationMessagePath();
        return path == null ? "/dev/termination-log" : path;
    }

    private @Nullable String message(Path file, int code, ContainerLog printed)
            throws IOException, InterruptedException {
        byte[] written = Files.readAllBytes(file);
        int length = Math.min(written.length, MESSAGE_LIMIT);
        String text = new String(written, 0, length, StandardCharsets.UTF_8);
        boolean fallback = "FallbackToLogsOnError".equals(container.getTerminationMessagePolicy());
        if (text.isEmpty() && fallback && code != 0) {
            text = printed.tail();
        }
        return text.isEmpty() ? null : text;
    }

    private void probe(Process of) {
        var probe = container.getReadinessProbe();
        int period = probe.getPeriodSeconds() == null ? 10 : probe.getPeriodSeconds();
        int delay = probe.getInitialDelaySeconds() == null ? 0 : probe.getInitialDelaySeconds();
        try {
            Thread.sleep(Duration.ofSeconds(delay));
            while (of.isAlive()) {
                boolean passed = ReadinessProbe.passes(probe, container, this::exec);
                if (passed != ready && of.isAlive()) {
                    ready = passed;
                    changed.run();
                }
                Thread.sleep(Duration.ofSeconds(period));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The exit code of a command with the container's files, but not among its processes. */
    private int exec(List<String> words) throws IOException, InterruptedException {
        Sandbox box = sandbox;
        if (box == null) {
            return 1;
        }
        return inside(box, words, folder.resolve("probe"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    /** Asks it to end, and kills it when the grace is over. It is not run again. */
    void stop(Duration grace) throws IOException, InterruptedException {
        stopped = true;
        Process running = process;
        if (running == null || !running.isAlive()) {
            return;
        }
        pid().ifPresent(ProcessHandle::destroy);
        if (!running.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
            kill(running);
        }
    }

    /** Ends it as the kernel does when memory runs out. */
    void killForMemory() throws IOException {
        outOfMemory = true;
        Process running = process;
        if (running != null) {
            kill(running);
        }
    }

    private void kill(Process running) throws IOException {
        Optional<ProcessHandle> first = pid();
        if (first.isPresent()) {
            first.get().destroyForcibly();
        } else {
            OwnedProcess.kill(running);
        }
    }

    private Optional<ProcessHandle> pid() throws IOException {
        Path info = folder.resolve("info-" + restarts);
        if (!Files.exists(info)) {
            return Optional.empty();
        }
        Matcher found = PID.matcher(Files.readString(info));
        return found.find() ? ProcessHandle.of(Long.parseLong(found.group(1))) : Optional.empty();
    }

    void become(ContainerState next) {
        state = next;
        changed.run();
    }

    static ContainerState waiting(String reason, @Nullable String message) {
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(reason)
                .withMessage(message)
                .endWaiting()
                .build();
    }

    private String id() {
        return "process://" + folder.getFileName() + "-" + restarts;
    }

    /** As it stands in the pod's status. */
    ContainerStatus status() {
        ContainerState now = state;
        boolean running = now.getRunning() != null;
        return new ContainerStatusBuilder()
                .withName(container.getName())
                .withImage(container.getImage())
                .withImageID("")
                .withContainerID(now.getWaiting() == null ? id() : null)
                .withReady(ready && running)
                .withStarted(running)
                .withRestartCount(restarts)
                .withState(now)
                .withLastState(last)
                .build();
    }
}
