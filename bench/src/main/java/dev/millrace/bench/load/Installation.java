package dev.millrace.bench.load;

import dev.millrace.log.LogConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Something that runs workflows. */
sealed interface Installation extends AutoCloseable permits EngineAlone, WholeServer {

    /** Its log, to look at. */
    LogConnection log();

    /**
     * Submits a workflow.
     *
     * @param spec JSON of its {@code spec}
     * @return completes once it is accepted, as far as this installation says so
     */
    CompletableFuture<@Nullable Void> submit(String name, String spec);

    @Override
    void close();
}
