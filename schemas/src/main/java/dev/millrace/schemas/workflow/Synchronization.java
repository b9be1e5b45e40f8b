package dev.millrace.schemas.workflow;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The locks that a workflow or a template takes before it runs, all together. {@code mutex} and
 * {@code semaphore} are how manifests before 3.6 say a single one.
 */
public record Synchronization(
        List<Mutex> mutexes,
        List<SemaphoreRef> semaphores,
        @Nullable Mutex mutex,
        @Nullable SemaphoreRef semaphore) {

    public Synchronization {
        mutexes = mutexes == null ? List.of() : mutexes;
        semaphores = semaphores == null ? List.of() : semaphores;
    }

    /** Both forms together. */
    public List<Mutex> allMutexes() {
        return both(mutexes, mutex);
    }

    /** Both forms together. */
    public List<SemaphoreRef> allSemaphores() {
        return both(semaphores, semaphore);
    }

    private static <T> List<T> both(List<T> many, @Nullable T one) {
        return one == null ? many : Stream.concat(Stream.of(one), many.stream()).toList();
    }

    /**
     * A lock that one at a time can have.
     *
     * @param namespace where it is; that of the workflow if it is not said
     * @param database whether it lies in a database that several installations share
     */
    public record Mutex(
            @Nullable String name, @Nullable String namespace, @Nullable Boolean database) {}

    /**
     * A lock that as many at a time can have as its limit says.
     *
     * @param configMapKeyRef where the limit stands
     * @param namespace where the ConfigMap is; that of the workflow if it is not said
     * @param database a limit in a database that several installations share
     */
    public record SemaphoreRef(
            @Nullable ConfigMapKeySelector configMapKeyRef,
            @Nullable String namespace,
            @Nullable DatabaseKey database) {}

    /** Names a limit in a database. */
    public record DatabaseKey(@Nullable String key) {}
}
