package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.testkit.Await;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** CronWorkflows of a whole server, from their manifest to what became of their runs. */
final class CronWorkflowIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String WEBHOOKS = "127.12.4.1";
    private static final String CRONS = "/api/v1/cron-workflows/default";
    private static final String LABEL = "workflows.argoproj.io/cron-workflow";

    @TempDir static Path folder;
    private static TestServer server;
    private static ApiClient api;

    @BeforeAll
    static void start() {
        server = TestServer.start(folder, WEBHOOKS);
        api = server.api();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void itRunsKeepsItsHistoryRestsAndTakesItsWorkflowsWithIt() {
        create(
                "tick",
                "schedules: ['@every 1s']\n  successfulJobsHistoryLimit: 2",
                SUSPENDED_FOR_NO_TIME);
        JsonNode cron =
                Await.value(
                        "three runs succeeded",
                        PATIENCE,
                        () ->
                                java.util.Optional.of(cron("tick"))
                                        .filter(
                                                c ->
                                                        c.path("status").path("succeeded").asInt(0)
                                                                >= 3));
        assertThat(cron.path("status").path("phase").asString()).isEqualTo("Active");
        assertThat(
                        cron.path("metadata")
                                .path("annotations")
                                .path("cronworkflows.argoproj.io/last-used-schedule")
                                .asString())
                .isEqualTo("@every 1s");
        assertThat(
                        api.put(CRONS + "/tick/suspend", "{}")
                                .ok()
                                .json()
                                .path("spec")
                                .path("suspend")
                                .asBoolean())
                .isTrue();
        Await.asserted(
                PATIENCE,
                () -> {
                    assertThat(cron("tick").path("status").path("active")).isEmpty();
                    assertThat(workflows("tick")).hasSize(2);
                });
        JsonNode run = workflows("tick").getFirst();
        Instant scheduled = Instant.parse(annotation(run, "workflows.argoproj.io/scheduled-time"));
        assertThat(ApiClient.name(run)).isEqualTo("tick-" + scheduled.getEpochSecond());
        assertThat(run.path("metadata").path("ownerReferences").get(0).path("uid"))
                .isEqualTo(cron.path("metadata").path("uid"));
        assertThat(
                        ApiClient.node(run, ApiClient.name(run))
                                .path("inputs")
                                .path("parameters")
                                .get(0)
                                .path("value")
                                .asString())
                .isEqualTo("tick at " + scheduled);
        assertThat(api.get("/metrics").body())
                .containsPattern(
                        "millrace_cron_runs_total\\{cron=\"tick\",namespace=\"default\"\\} \\d");
        int before = cron("tick").path("status").path("succeeded").asInt();
        assertThat(
                        api.put(CRONS + "/tick/resume", "{}")
                                .ok()
                                .json()
                                .path("spec")
                                .path("suspend")
                                .asBoolean())
                .isFalse();
        Await.asserted(
                PATIENCE,
                () ->
                        assertThat(cron("tick").path("status").path("succeeded").asInt())
                                .isGreaterThan(before));
        api.delete(CRONS + "/tick").ok();
        assertThat(api.get(CRONS + "/tick").status()).isEqualTo(404);
        Await.asserted(PATIENCE, () -> assertThat(workflows("tick")).isEmpty());
    }

    @Test
    void workflowsByHandBelongToItAndItsTemplateMayBeGone() {
        api.apply(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: WorkflowTemplate
                metadata: {name: pause}
                spec: {entrypoint: main, templates: [{name: main, suspend: {}}]}
                """);
        create(
                "ref",
                "schedules: ['@every 1s']\n  suspend: true",
                "workflowTemplateRef: {name: pause}");
        JsonNode byHand =
                api.post(
                                "/api/v1/workflows/default/submit",
                                "application/json",
                                "{\"resourceKind\": \"CronWorkflow\", \"resourceName\": \"ref\"}")
                        .ok()
                        .json();
        assertThat(byHand.path("metadata").path("labels").path(LABEL).asString()).isEqualTo("ref");
        assertThat(byHand.path("metadata").path("ownerReferences")).hasSize(1);
        Await.asserted(
                PATIENCE,
                () ->
                        assertThat(cron("ref").path("status").path("active"))
                                .extracting(w -> w.path("name").asString())
                                .containsExactly(ApiClient.name(byHand)));
        api.delete("/api/v1/workflow-templates/default/pause").ok();
        api.put(CRONS + "/ref/resume", "{}").ok();
        Await.asserted(
                PATIENCE,
                () ->
                        assertThat(cron("ref").path("status").path("conditions").path(0).toString())
                                .contains("SubmissionError", "Failed to submit Workflow", "pause"));
        api.delete(CRONS + "/ref").ok();
        Await.asserted(PATIENCE, () -> assertThat(workflows("ref")).isEmpty());
    }

    @Test
    void sensorsSubmitFromItAndSuspendIt() {
        create("asked", "schedules: ['0 0 1 1 *']", SUSPENDED_FOR_NO_TIME);
        api.apply(
                """
                apiVersion: argoproj.io/v1alpha1
                kind: EventSource
                metadata: {name: hook}
                spec: {webhook: {ask: {port: "12000", endpoint: /ask, method: POST}}}
                ---
                apiVersion: argoproj.io/v1alpha1
                kind: Sensor
                metadata: {name: asks}
                spec:
                  dependencies: [{name: ask, eventSourceName: hook, eventName: ask}]
                  triggers:
                  - template:
                      name: submit
                      argoWorkflow:
                        operation: submit-from
                        args: [-p, message=from a sensor]
                        source: &cron {resource: {apiVersion: argoproj.io/v1alpha1, kind: CronWorkflow, metadata: {name: asked}}}
                  - template:
                      name: suspend
                      argoWorkflow: {operation: suspend, source: *cron}
                """);
        Await.until(
                "the webhook listens and is matched",
                PATIENCE,
                () -> {
                    api.webhook(URI.create("http://" + WEBHOOKS + ":12000/ask"), "{}");
                    return !workflows("asked").isEmpty();
                });
        JsonNode workflow = api.finished(ApiClient.name(workflows("asked").getFirst()), PATIENCE);
        assertThat(ApiClient.parameter(workflow, 0)).isEqualTo("from a sensor");
        Await.asserted(
                PATIENCE,
                () ->
                        assertThat(cron("asked").path("spec").path("suspend").asBoolean(false))
                                .isTrue());
    }

    @Test
    void whatIsWrongIsRefusedWithItsPlace() {
        String body =
                """
                {"cronWorkflow": {"metadata": {"name": "bad"}, "spec": {"schedules": ["61 * * * *"],
                "timezone": "Mars/Base", "workflowSpec": {"entrypoint": "a", "templates": [{"name": "a", "suspend": {}}]}}}}
                """;
        for (String path : List.of(CRONS, CRONS + "/lint")) {
            ApiClient.Answer answer = api.post(path, "application/json", body);
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().path("message").asString())
                    .contains("spec.schedules[0]", "spec.timezone");
        }
        assertThat(api.put(CRONS + "/nothing/suspend", "{}").status()).isEqualTo(404);
    }

    private static final String SUSPENDED_FOR_NO_TIME =
            """
            entrypoint: main
                arguments: {parameters: [{name: message, value: "{{cronworkflow.name}} at {{workflow.scheduledTime}}"}]}
                templates:
                - name: main
                  inputs: {parameters: [{name: message, value: "{{workflow.parameters.message}}"}]}
                  suspend: {duration: "0"}
            """;

    private static void create(String name, String spec, String workflowSpec) {
        String manifest =
                "apiVersion: argoproj.io/v1alpha1\nkind: CronWorkflow\nmetadata: {name: "
                        + name
                        + "}\nspec:\n  "
                        + spec
                        + "\n  workflowSpec:\n    "
                        + workflowSpec;
        api.post(CRONS, "application/yaml", manifest).ok();
    }

    private static JsonNode cron(String name) {
        return api.get(CRONS + "/" + name).ok().json();
    }

    private static List<JsonNode> workflows(String cron) {
        return api.workflows().stream()
                .filter(
                        w ->
                                w.path("metadata")
                                        .path("labels")
                                        .path(LABEL)
                                        .asString("")
                                        .equals(cron))
                .toList();
    }

    private static String annotation(JsonNode object, String name) {
        return object.path("metadata").path("annotations").path(name).asString();
    }
}
