package dev.millrace.executors.http;

import java.nio.file.Path;

/**
 * Settings of the executor of http steps.
 *
 * @param root the folder of what is known of the steps; one executor at a time uses it
 * @param parallelism calls at the same time; the others wait in order
 * @param maxBodyBytes the largest answer; it becomes the result of the step, which stands in the
 *     log
 */
public record HttpSettings(Path root, int parallelism, int maxBodyBytes) {

    public HttpSettings {
        if (parallelism < 1) {
            throw new IllegalArgumentException(
                    "parallelism must be at least 1, not " + parallelism);
        }
    }

    /** The defaults for a folder. */
    public static HttpSettings of(Path root) {
        return new HttpSettings(root, 64, 1024 * 1024);
    }

    public HttpSettings withParallelism(int newParallelism) {
        return new HttpSettings(root, newParallelism, maxBodyBytes);
    }

    public HttpSettings withMaxBodyBytes(int newLimit) {
        return new HttpSettings(root, parallelism, newLimit);
    }
}
