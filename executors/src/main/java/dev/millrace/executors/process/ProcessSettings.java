package dev.millrace.executors.process;

import dev.millrace.executors.Images;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of the process executor.
 *
 * @param root the folder of all steps; one executor at a time uses it
 * @param isolation how files are kept apart
 * @param images commands of images whose templates name none
 * @param parallelism steps that run at the same time; the others wait in order
 * @param maxParameterBytes the largest output parameter; a larger one makes the step an Error
 * @param deadlineGrace between the gentle and the forced end at a deadline and at the end of the
 *     server
 * @param lookInterval how often adopted processes and progress files are looked at
 */
public record ProcessSettings(
        Path root,
        Isolation isolation,
        Images images,
        int parallelism,
        int maxParameterBytes,
        Duration deadlineGrace,
        Duration lookInterval) {

    public ProcessSettings {
        if (parallelism < 1) {
            throw new IllegalArgumentException(
                    "parallelism must be at least 1, not " + parallelism);
        }
        // The shell that supervises a step works in its folder, and paths of it go into the step's
        // texts.
        root = root.toAbsolutePath().normalize();
    }

    /** The defaults for a folder. */
    public static ProcessSettings of(Path root) {
        return new ProcessSettings(
                root,
                Isolation.AUTO,
                Images.builtIn(),
                64,
                1024 * 1024,
                Duration.ofSeconds(10),
                Duration.ofMillis(200));
    }

    public ProcessSettings withIsolation(Isolation newIsolation) {
        return new ProcessSettings(
                root,
                newIsolation,
                images,
                parallelism,
                maxParameterBytes,
                deadlineGrace,
                lookInterval);
    }

    public ProcessSettings withParallelism(int newParallelism) {
        return new ProcessSettings(
                root,
                isolation,
                images,
                newParallelism,
                maxParameterBytes,
                deadlineGrace,
                lookInterval);
    }

    public ProcessSettings withImages(Images newImages) {
        return new ProcessSettings(
                root,
                isolation,
                newImages,
                parallelism,
                maxParameterBytes,
                deadlineGrace,
                lookInterval);
    }

    public ProcessSettings withDeadlineGrace(Duration newGrace) {
        return new ProcessSettings(
                root, isolation, images, parallelism, maxParameterBytes, newGrace, lookInterval);
    }
}
