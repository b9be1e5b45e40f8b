package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Locks as clients see them: workflows that wait, and the limits of semaphores. */
final class LocksIT {
    private static final String LIMIT = "/api/v1/sync/" + ApiClient.NAMESPACE;

    @TempDir static Path data;
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start(data, "127.12.1.9");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static String workflow(String synchronization, String template) {
        return """
        {"workflow": {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",
          "metadata": {"generateName": "locked-"},
          "spec": {"entrypoint": "main", "synchronization": %s,
            "templates": [{"name": "main", %s}]}}}
        """
                .formatted(synchronization, template);
    }

    private static ApiClient.Answer submit(String synchronization, String template) {
        return server.api()
                .post(
                        "/api/v1/workflows/" + ApiClient.NAMESPACE,
                        "application/json",
                        workflow(synchronization, template));
    }

    private static String submitted(String synchronization) {
        return ApiClient.name(submit(synchronization, "\"suspend\": {}").ok().json());
    }

    private static JsonNode status(String name) {
        return server.api().workflow(name).path("status");
    }

    private static void resume(String name) {
        server.api()
                .put("/api/v1/workflows/" + ApiClient.NAMESPACE + "/" + name + "/resume", "{}")
                .ok();
    }

    private static void runs(String name) {
        Await.until(name + " runs", () -> status(name).path("nodes").size() == 1);
    }

    private static void waits(String name, String message) {
        Await.until(
                name + " waits",
                () ->
                        status(name).path("phase").asString("").equals("Pending")
                                && status(name).path("message").asString("").equals(message));
    }

    @Test
    void aWorkflowWaitsForTheMutexThatAnotherOneHas() {
        String mutex = "{\"mutexes\": [{\"name\": \"m\"}]}";
        String lock = ApiClient.NAMESPACE + "/Mutex/m";
        String first = submitted(mutex);
        runs(first);
        assertThat(status(first).path("synchronization").path("mutex").path("holding").toString())
                .contains(lock);
        String second = submitted(mutex);
        waits(second, "Waiting for " + lock + " lock. Lock status: 0/1");
        assertThat(status(second).path("synchronization").path("mutex").path("waiting").toString())
                .contains(lock);
        resume(first);
        runs(second);
        assertThat(status(second).path("message").isMissingNode()).isTrue();
        resume(second);
        Await.until(
                "it is finished",
                () -> status(second).path("phase").asString("").equals("Succeeded"));
    }

    @Test
    void aLimitIsMadeReadChangedAndTakenAway() {
        String body = "{\"cmName\": \"limits\", \"key\": \"most\", \"limit\": %d}";
        JsonNode made = server.api().post(LIMIT, "application/json", body.formatted(1)).ok().json();
        assertThat(made.path("limit").asInt()).isEqualTo(1);
        assertThat(server.api().post(LIMIT, "application/json", body.formatted(1)).status())
                .isEqualTo(409);
        assertThat(server.api().post(LIMIT, "application/json", body.formatted(0)).status())
                .isEqualTo(400);

        String semaphore =
                "{\"semaphores\": [{\"configMapKeyRef\": {\"name\": \"limits\", \"key\": \"most\"}}]}";
        String first = submitted(semaphore);
        runs(first);
        String second = submitted(semaphore);
        waits(
                second,
                "Waiting for "
                        + ApiClient.NAMESPACE
                        + "/ConfigMap/limits/most lock. Lock status: 0/1");
        server.api().put(LIMIT + "/most", "{\"cmName\": \"limits\", \"limit\": 2}").ok();
        runs(second);
        assertThat(
                        server.api()
                                .get(LIMIT + "/most?cmName=limits")
                                .ok()
                                .json()
                                .path("limit")
                                .asInt())
                .isEqualTo(2);
        assertThat(server.api().get(LIMIT + "/least?cmName=limits").status()).isEqualTo(404);
        assertThat(server.api().get(LIMIT + "/most?type=DATABASE").status()).isEqualTo(501);
        resume(first);
        resume(second);
        server.api().delete(LIMIT + "/most?cmName=limits").ok();
        assertThat(server.api().get(LIMIT + "/most?cmName=limits").status()).isEqualTo(404);
        assertThat(server.api().delete(LIMIT + "/most?cmName=limits").status()).isEqualTo(404);
    }

    @Test
    void aLockInADatabaseIsRefusedWithTheCure() {
        ApiClient.Answer answer =
                submit("{\"semaphores\": [{\"database\": {\"key\": \"k\"}}]}", "\"suspend\": {}");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .contains("a semaphore in a database, which cannot run yet")
                .contains("put the limit into a ConfigMap");
    }
}
