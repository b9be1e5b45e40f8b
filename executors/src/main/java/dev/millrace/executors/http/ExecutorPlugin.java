package dev.millrace.executors.http;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a plugin for templates listens, and how it is told who asks.
 *
 * @param url what stands before {@code /api/v1/template.execute}, without a slash at its end
 * @param tokenFile a file with the bearer token, read for every call, so that it may be changed
 * @param tokenSecret a Secret with the bearer token, in place of a file
 * @param timeout how long an answer may take
 */
public record ExecutorPlugin(
        URI url, @Nullable Path tokenFile, @Nullable TokenSecret tokenSecret, Duration timeout) {

    /** A key of a Secret. */
    public record TokenSecret(String namespace, String name, String key) {}
}
