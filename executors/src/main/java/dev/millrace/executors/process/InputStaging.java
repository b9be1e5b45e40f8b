package dev.millrace.executors.process;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.artifact.ArtifactException;
import dev.millrace.executors.artifact.ArtifactLocation;
import dev.millrace.executors.artifact.ArtifactMissingException;
import dev.millrace.executors.artifact.ArtifactStores;
import dev.millrace.executors.artifact.ArtifactTransfer;
import dev.millrace.executors.artifact.Cancellation;
import dev.millrace.executors.artifact.Trees;
import dev.millrace.schemas.workflow.Artifact;
import dev.millrace.schemas.workflow.Inputs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts a step's input artifacts into its files before its command starts. Broken off, it is done
 * again from the beginning; done, it is not done again.
 */
final class InputStaging {
    private final ArtifactStores stores;
    private final InstantSource clock;

    InputStaging(ArtifactStores stores, InstantSource clock) {
        this.stores = stores;
        this.clock = clock;
    }

    /** The step was stopped, or its time was over, before its command could start. */
    static final class NotWantedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final boolean pastDeadline;

        NotWantedException(boolean pastDeadline, @Nullable Throwable cause) {
            super(pastDeadline ? "past its deadline" : "stopped", cause);
            this.pastDeadline = pastDeadline;
        }

        boolean isPastDeadline() {
            return pastDeadline;
        }
    }

    /**
     * Brings all inputs of a step.
     *
     * @param deadline when the step ends at the latest; null for never
     * @throws StepRefusedException naming the artifact that cannot be brought, and why
     * @throws InterruptedException if the executor is closed meanwhile
     */
    void bring(StepRun run, @Nullable Instant deadline)
            throws IOException, StepRefusedException, NotWantedException, InterruptedException {
        Inputs inputs = run.spec.template().inputs();
        List<Artifact> artifacts = inputs == null ? List.of() : inputs.artifacts();
        if (artifacts.isEmpty() || run.folder.isStaged()) {
            return;
        }
        Cancellation cancellation = () -> check(run, deadline);
        var transfer =
                new ArtifactTransfer(
                        stores,
                        run.spec.workflow().namespace(),
                        run.folder.transfers(),
                        cancellation);
        // A folder before what lies in it, since each takes the place of what was there.
        List<Artifact> outermostFirst =
                artifacts.stream()
                        .sorted(Comparator.comparingInt(a -> String.valueOf(a.path()).length()))
                        .toList();
        for (Artifact artifact : outermostFirst) {
            bring(run, artifact, transfer, deadline);
        }
        Trees.delete(run.folder.transfers());
        run.folder.markStaged();
    }

    private void bring(
            StepRun run, Artifact artifact, ArtifactTransfer transfer, @Nullable Instant deadline)
            throws IOException, StepRefusedException, NotWantedException, InterruptedException {
        String path = artifact.path();
        if (path == null
                || (Boolean.TRUE.equals(artifact.optional())
                        && !ArtifactLocation.isNamed(artifact))) {
            return;
        }
        try {
            transfer.bring(artifact, place(run, artifact, path));
        } catch (ArtifactMissingException e) {
            if (!Boolean.TRUE.equals(artifact.optional())) {
                throw refused(artifact, e);
            }
        } catch (ArtifactException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException(
                        "while artifact " + artifact.name() + " was brought");
            }
            if (isUnwanted(run)) {
                throw new NotWantedException(false, e);
            }
            if (isPast(deadline)) {
                throw new NotWantedException(true, e);
            }
            throw refused(artifact, e);
        }
    }

    private static Path place(StepRun run, Artifact artifact, String path)
            throws IOException, StepRefusedException {
        PrivateFiles files = run.folder.files();
        if (!files.isMountPoint(path)) {
            return files.placeFor(path);
        }
        Path volume = files.at(path);
        if (!volume.startsWith(run.folder.dir())) {
            throw new StepRefusedException(
                    "inputs artifact %s: %s is where a volume is mounted that outlives the step, and would be replaced; give the artifact a path below it"
                            .formatted(artifact.name(), path));
        }
        return volume;
    }

    private static StepRefusedException refused(Artifact artifact, ArtifactException e) {
        return new StepRefusedException(
                "inputs artifact %s: %s".formatted(artifact.name(), e.reason()), e);
    }

    private void check(StepRun run, @Nullable Instant deadline) throws ArtifactException {
        if (isUnwanted(run) || isPast(deadline)) {
            throw new ArtifactException("the step is no longer wanted");
        }
    }

    private static boolean isUnwanted(StepRun run) {
        return run.forgotten || run.folder.stop().isPresent();
    }

    private boolean isPast(@Nullable Instant deadline) {
        return deadline != null && clock.instant().isAfter(deadline);
    }
}
