package dev.millrace.executors.process;

import dev.millrace.executors.StepContainer;
import dev.millrace.executors.artifact.ArtifactException;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.artifact.ArtifactTransfer;
import dev.millrace.executors.artifact.Trees;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stores what a step left, after its end and before that is reported; also of a step that failed.
 * If the server is killed meanwhile, the next one does it again.
 */
final class OutputSaving {
    private static final String LOGS = "-logs";

    private final ArtifactStores stores;
    private final Sandbox sandbox;

    OutputSaving(ArtifactStores stores, Sandbox sandbox) {
        this.stores = stores;
        this.sandbox = sandbox;
    }

    /**
     * Stores the output artifacts and adds them to the outcome. A required one that is missing
     * makes a success an Error; a failure stays what it is.
     *
     * @throws InterruptedException if the executor is closed meanwhile
     */
    StepOutcome save(StepRun run, StepOutcome outcome) throws IOException, InterruptedException {
        Outputs outputs = run.spec.template().outputs();
        if (outputs == null || outputs.artifacts().isEmpty()) {
            return outcome;
        }
        ArtifactTransfer transfer =
                new ArtifactTransfer(
                        stores,
                        run.spec.workflow().namespace(),
                        run.folder.transfers(),
                        () -> check(run));
        List<Artifact> stored = new ArrayList<>();
        String problem = null;
        for (Artifact artifact : outputs.artifacts()) {
            Optional<String> wrong = save(run, artifact, transfer, stored);
            if (problem == null) {
                problem = wrong.orElse(null);
            }
        }
        Trees.delete(run.folder.transfers());
        return withArtifacts(outcome, stored, problem);
    }

    private static StepOutcome withArtifacts(
            StepOutcome outcome, List<Artifact> stored, @Nullable String problem) {
        boolean spoilt = outcome.phase() == NodePhase.SUCCEEDED && problem != null;
        return new StepOutcome(
                spoilt ? NodePhase.ERROR : outcome.phase(),
                spoilt ? problem : outcome.message(),
                outcome.exitCode(),
                outcome.result(),
                outcome.parameters(),
                stored,
                outcome.containers());
    }

    /** Returns what is wrong, if something is. */
    private Optional<String> save(
            StepRun run, Artifact artifact, ArtifactTransfer transfer, List<Artifact> stored)
            throws IOException, InterruptedException {
        String path = artifact.path();
        boolean log = path == null && Boolean.TRUE.equals(artifact.archiveLogs());
        if (path == null && !log) {
            return Optional.empty();
        }
        Optional<Path> source =
                log
                        ? Optional.of(log(run.folder, artifact)).filter(Files::exists)
                        : find(run, artifact);
        if (source.isEmpty()) {
            return log || Boolean.TRUE.equals(artifact.optional())
                    ? Optional.empty()
                    : Optional.of(
                            "outputs artifact %s: the step left nothing at %s; write it there, or make the artifact optional"
                                    .formatted(artifact.name(), path));
        }
        try {
            if (log) {
                transfer.storeLog(artifact, source.get());
            } else {
                transfer.store(artifact, source.get());
            }
            stored.add(artifact);
            return Optional.empty();
        } catch (ArtifactException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("while artifact " + artifact.name() + " was stored");
            }
            return Optional.of("outputs artifact %s: %s".formatted(artifact.name(), e.reason()));
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("while artifact " + artifact.name() + " was stored");
            }
            return Optional.of(
                    "outputs artifact %s: %s cannot be packed: %s; look at its permissions and at the free space of %s"
                            .formatted(artifact.name(), path, e, run.folder.dir()));
        }
    }

    private Optional<Path> find(StepRun run, Artifact artifact) throws IOException {
        Set<String> own = new HashSet<>();
        Inputs inputs = run.spec.template().inputs();
        if (inputs != null) {
            inputs.artifacts().forEach(a -> add(own, a.path()));
        }
        Outputs outputs = run.spec.template().outputs();
        if (outputs != null) {
            outputs.artifacts().stream()
                    .filter(a -> !a.equals(artifact))
                    .forEach(a -> add(own, a.path()));
            for (Parameter parameter : outputs.parameters()) {
                add(own, parameter.valueFrom() == null ? null : parameter.valueFrom().path());
            }
        }
        PrivateFiles files = run.folder.files();
        files.mounts().forEach(m -> own.add(m.path()));
        return sandbox.find(String.valueOf(artifact.path()), files, own);
    }

    /** The log of a container is kept as an artifact that is called after it. */
    private static Path log(StepFolder folder, Artifact artifact) {
        String name = artifact.name();
        return folder.container(
                        name.endsWith(LOGS)
                                ? name.substring(0, name.length() - LOGS.length())
                                : StepContainer.MAIN)
                .log();
    }

    private static void add(Set<String> paths, @Nullable String path) {
        if (path != null && path.startsWith("/")) {
            paths.add(path);
        }
    }

    private static void check(StepRun run) throws ArtifactException {
        if (run.forgotten) {
            throw new ArtifactException("the step is no longer wanted");
        }
    }
}
