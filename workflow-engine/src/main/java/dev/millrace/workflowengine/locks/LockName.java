package dev.millrace.workflowengine.locks;

import dev.millrace.schemas.workflow.ConfigMapKeySelector;
import dev.millrace.schemas.workflow.Synchronization;
import dev.millrace.schemas.workflow.Synchronization.Mutex;
import dev.millrace.schemas.workflow.Synchronization.SemaphoreRef;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names of locks, as clients see them. */
public sealed interface LockName {

    /** One at a time. */
    record OfMutex(String namespace, String name) implements LockName {
        @Override
        public String toString() {
            return namespace + "/Mutex/" + name;
        }
    }

    /** As many at a time as the value of this key of the ConfigMap says. */
    record OfSemaphore(String namespace, String configMap, String key) implements LockName {
        @Override
        public String toString() {
            return namespace + "/ConfigMap/" + configMap + "/" + key;
        }
    }

    /**
     * The lock of this name.
     *
     * @throws IllegalArgumentException if it is no name of a lock
     */
    static LockName parse(String text) {
        String[] parts = text.split("/", 3);
        if (parts.length == 3 && parts[1].equals("Mutex")) {
            return new OfMutex(parts[0], parts[2]);
        }
        if (parts.length == 3 && parts[1].equals("ConfigMap")) {
            int slash = parts[2].indexOf('/');
            if (slash > 0) {
                return new OfSemaphore(
                        parts[0], parts[2].substring(0, slash), parts[2].substring(slash + 1));
            }
        }
        throw new IllegalArgumentException("not the name of a lock: " + text);
    }

    /**
     * The names of all locks, each once, in the order in which a holder is told that it waits.
     *
     * @param namespace of the workflow
     * @throws IllegalArgumentException if one has no name, or lies in a database
     */
    static List<String> all(Synchronization synchronization, String namespace) {
        List<String> names = new ArrayList<>();
        for (SemaphoreRef semaphore : synchronization.allSemaphores()) {
            names.add(of(semaphore, namespace).toString());
        }
        for (Mutex mutex : synchronization.allMutexes()) {
            names.add(of(mutex, namespace).toString());
        }
        return names.stream().distinct().toList();
    }

    private static LockName of(SemaphoreRef semaphore, String namespace) {
        ConfigMapKeySelector ref = semaphore.configMapKeyRef();
        if (ref == null
                || ref.name() == null
                || ref.name().isEmpty()
                || ref.key() == null
                || ref.key().isEmpty()) {
            throw new IllegalArgumentException(
                    "a semaphore needs a configMapKeyRef with name and key");
        }
        return new OfSemaphore(or(semaphore.namespace(), namespace), ref.name(), ref.key());
    }

    private static LockName of(Mutex mutex, String namespace) {
        if (mutex.name() == null || mutex.name().isEmpty()) {
            throw new IllegalArgumentException("a mutex needs a name");
        }
        if (Boolean.TRUE.equals(mutex.database())) {
            throw new IllegalArgumentException("a mutex cannot lie in a database");
        }
        return new OfMutex(or(mutex.namespace(), namespace), mutex.name());
    }

    private static String or(@Nullable String own, String other) {
        return own == null || own.isEmpty() ? other : own;
    }
}
