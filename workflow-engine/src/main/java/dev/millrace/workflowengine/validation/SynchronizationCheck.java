package dev.millrace.workflowengine.validation;

import tools.jackson.databind.JsonNode;

/** Checks the locks that a workflow or a template takes: each needs what it is called by. */
final class SynchronizationCheck {
    private final Findings findings;

    SynchronizationCheck(Findings findings) {
        this.findings = findings;
    }

    void check(JsonNode synchronization, Where where, String owner) {
        JsonNode mutexes = synchronization.path("mutexes");
        for (int i = 0; i < mutexes.size(); i++) {
            mutex(
                    mutexes.get(i),
                    where.key("mutexes").index(i),
                    owner + ".synchronization.mutexes[" + i + "]");
        }
        if (synchronization.path("mutex").isObject()) {
            mutex(
                    synchronization.path("mutex"),
                    where.key("mutex"),
                    owner + ".synchronization.mutex");
        }
        JsonNode semaphores = synchronization.path("semaphores");
        for (int i = 0; i < semaphores.size(); i++) {
            semaphore(
                    semaphores.get(i),
                    where.key("semaphores").index(i),
                    owner + ".synchronization.semaphores[" + i + "]");
        }
        if (synchronization.path("semaphore").isObject()) {
            semaphore(
                    synchronization.path("semaphore"),
                    where.key("semaphore"),
                    owner + ".synchronization.semaphore");
        }
    }

    private void mutex(JsonNode mutex, Where where, String label) {
        if (mutex.path("name").asString("").isEmpty()) {
            findings.error(
                    where,
                    label + ".name is required",
                    "name the mutex; those of the same name and namespace exclude each other");
        }
    }

    private void semaphore(JsonNode semaphore, Where where, String label) {
        JsonNode ref = semaphore.path("configMapKeyRef");
        if (semaphore.path("database").isObject()) {
            if (ref.isObject()) {
                findings.error(
                        where,
                        label + " has both a configMapKeyRef and a database",
                        "say only one place where the limit stands");
            }
            return;
        }
        if (!ref.isObject()) {
            findings.error(
                    where,
                    label + ".configMapKeyRef is required",
                    "name the ConfigMap and its key whose value is the limit");
            return;
        }
        for (String field : new String[] {"name", "key"}) {
            if (ref.path(field).asString("").isEmpty()) {
                findings.error(
                        where.key("configMapKeyRef"),
                        label + ".configMapKeyRef." + field + " is required",
                        "name the ConfigMap and its key whose value is the limit");
            }
        }
    }
}
