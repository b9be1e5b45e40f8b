package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Await;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Only so many workflows run, over restarts with other limits. */
final class LimitedWorkflowsIT {
    private static final String TOO_MANY =
            "Workflow processing has been postponed because too many workflows are already running";

    @TempDir Path data;
    private ApiClient api;

    @Test
    void soManyWorkflowsRunAndTheLimitMayBeAnotherAfterARestart() {
        with(
                Map.of("workflowParallelism", "1"),
                () -> {
                    submit("first", 0);
                    runs("first");
                    submit("second", 0);
                    waits("second");
                    submit("urgent", 9);
                    waits("urgent");
                    resume("first");
                    runs("urgent");
                    waits("second");
                    submit("third", 0);
                    waits("third");
                });
        with(
                Map.of("namespaceParallelism", "2"),
                () -> {
                    runs("second");
                    runs("urgent");
                    waits("third");
                    resume("urgent");
                    runs("third");
                    submit("fourth", 0);
                    waits("fourth");
                    api.put(path("fourth") + "/stop", "{}").ok();
                    phase("fourth", "Failed");
                });
        with(
                Map.of(),
                () -> {
                    submit("fifth", 0);
                    for (String name : new String[] {"second", "third", "fifth"}) {
                        runs(name);
                        resume(name);
                        phase(name, "Succeeded");
                    }
                });
    }

    private void with(Map<String, String> settings, Runnable story) {
        try (TestServer server = TestServer.start(data, "127.12.1.10", settings)) {
            api = server.api();
            story.run();
        }
    }

    private static String path(String name) {
        return "/api/v1/workflows/" + ApiClient.NAMESPACE + "/" + name;
    }

    private void submit(String name, int priority) {
        JsonNode workflow =
                Json.mapper()
                        .readTree(
                                """
                                {"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow",
                                 "metadata": {"name": "%s"},
                                 "spec": {"entrypoint": "main", "priority": %d,
                                   "templates": [{"name": "main", "suspend": {}}]}}
                                """
                                        .formatted(name, priority));
        api.submit(workflow);
    }

    private void resume(String name) {
        api.put(path(name) + "/resume", "{}").ok();
    }

    private void runs(String name) {
        Await.until(name + " runs", () -> status(name).path("nodes").size() == 1);
    }

    private void waits(String name) {
        Await.until(
                name + " waits", () -> status(name).path("message").asString("").equals(TOO_MANY));
        assertThat(status(name).path("phase").asString()).isEqualTo("Pending");
        assertThat(status(name).has("nodes")).isFalse();
    }

    private void phase(String name, String phase) {
        Await.until(
                name + " is " + phase, () -> status(name).path("phase").asString("").equals(phase));
    }

    private JsonNode status(String name) {
        return api.workflow(name).path("status");
    }
}
