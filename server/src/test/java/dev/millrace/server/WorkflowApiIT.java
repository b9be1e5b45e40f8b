package dev.millrace.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.Client.Answer;
import dev.millrace.server.configuration.Configuration;
import dev.millrace.testkit.Await;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class WorkflowApiIT {

    private static final String HELLO =
            """
            {"workflow":{"metadata":{"generateName":"hello-","labels":{"team":"a"}},"spec":{"entrypoint":"main",
              "arguments":{"parameters":[{"name":"word","value":"world"}]},
              "templates":[{"name":"main","container":{"image":"alpine","command":["sh","-c"],
                "args":["echo hello {{workflow.parameters.word}}; echo bye"]}}]}}}""";
    private static final String PAUSE =
            """
            {"workflow":{"metadata":{"generateName":"pause-"},"spec":{"entrypoint":"main",
              "templates":[{"name":"main","suspend":{}}]}}}""";

    private static MillraceServer server;
    private static Client client;
    private static final List<String> said = new CopyOnWriteArrayList<>();

    @TempDir static Path folder;

    @BeforeAll
    static void start() throws Exception {
        Path definitions = Files.createDirectories(folder.resolve("definitions"));
        server =
                MillraceServer.start(
                        Configuration.load(
                                folder.resolve("data"),
                                definitions,
                                Map.of("port", "0", "minimumFreeDisk", "1Mi")),
                        said::add);
        client = new Client(server.apiAddress());
    }

    @AfterAll
    static void stop() {
        if (client != null) {
            client.close();
            server.close();
        }
    }

    @Test
    void aWorkflowIsSubmittedRunsAndIsRead() {
        Answer created = client.post("/api/v1/workflows/argo", HELLO);
        assertThat(created.status()).as(created.body().toString()).isEqualTo(200);
        JsonNode metadata = created.body().path("metadata");
        String name = metadata.path("name").asString("");
        assertThat(name).matches("hello-[a-z0-9]{5}");
        assertThat(metadata.path("uid").asString("")).isNotEmpty();
        assertThat(metadata.path("creationTimestamp").asString("")).endsWith("Z");
        JsonNode done = finished("argo", name);
        assertThat(done.path("status").path("phase").asString("")).isEqualTo("Succeeded");
        assertThat(done.path("status").path("nodes").path(name).path("type").asString(""))
                .isEqualTo("Pod");
        try (Client.Stream log =
                client.stream(
                        "/api/v1/workflows/argo/" + name + "/log?logOptions.container=main")) {
            Await.until("the log ends", log::isEnded);
            assertThat(log.results.stream().map(r -> r.path("content").asString("")))
                    .containsExactly("hello world", "bye");
            assertThat(log.results.getFirst().path("podName").asString("")).isEqualTo(name);
        }
        Answer nowhere = client.get("/api/v1/workflows/argo/" + name + "/nopod/log");
        assertThat(nowhere.status()).isEqualTo(404);
        assertThat(nowhere.body().path("message").asString("")).endsWith("there are " + name);
        assertThat(
                        client.get("/api/v1/workflows/argo/@latest?fields=metadata.name")
                                .body()
                                .toString())
                .contains("\"metadata\"")
                .doesNotContain("status");
    }

    @Test
    void aWatchTellsOfNewChangedAndDeletedWorkflows() {
        try (Client.Stream watch = client.stream("/api/v1/workflow-events/watched?")) {
            String name = submitted("watched", PAUSE);
            Await.until(
                    "it is added",
                    () ->
                            watch.results.stream()
                                    .anyMatch(r -> r.path("type").asString("").equals("ADDED")));
            assertThat(client.put("/api/v1/workflows/watched/" + name + "/resume", "{}").status())
                    .isEqualTo(200);
            Await.until(
                    "its end is told",
                    () ->
                            watch.results.stream()
                                    .anyMatch(
                                            r ->
                                                    r.path("object")
                                                            .path("status")
                                                            .path("phase")
                                                            .asString("")
                                                            .equals("Succeeded")));
            assertThat(client.delete("/api/v1/workflows/watched/" + name).status()).isEqualTo(200);
            assertThat(client.get("/api/v1/workflows/watched/" + name).status()).isEqualTo(404);
            Await.until(
                    "its deletion is told",
                    () -> watch.results.getLast().path("type").asString("").equals("DELETED"));
            assertThat(
                            watch.results
                                    .getLast()
                                    .path("object")
                                    .path("metadata")
                                    .path("name")
                                    .asString(""))
                    .isEqualTo(name);
            String other = submitted("watched", PAUSE);
            Await.until(
                    "a later one is told",
                    () ->
                            watch.results
                                    .getLast()
                                    .path("object")
                                    .path("metadata")
                                    .path("name")
                                    .asString("")
                                    .equals(other));
            assertThat(watch.results.stream().map(r -> r.path("type").asString("")))
                    .as("a deletion is told once")
                    .containsOnlyOnce("DELETED");
        }
    }

    @Test
    void aLogIsFollowedWhileTheStepWrites() {
        String name =
                submitted(
                        "followed",
                        HELLO.replace("echo bye", "while [ ! -e go ]; do sleep 0.1; done; echo bye")
                                .replace("echo hello", "pwd; echo hello"));
        try (Client.Stream log =
                client.stream(
                        "/api/v1/workflows/followed/" + name + "/log?logOptions.follow=true")) {
            Await.until(
                    "a line is told while the step runs",
                    () ->
                            log.results.stream()
                                    .anyMatch(
                                            r ->
                                                    r.path("content")
                                                            .asString("")
                                                            .startsWith("hello")));
            assertThat(log.isEnded()).isFalse();
            assertThat(client.put("/api/v1/workflows/followed/" + name + "/terminate", "").status())
                    .isEqualTo(200);
            Await.until("the log ends with the workflow", log::isEnded);
        }
        assertThat(finished("followed", name).path("status").path("phase").asString(""))
                .isEqualTo("Failed");
    }

    @Test
    void linesOfStepsThatRanTogetherComeByTimeAndMayShowIt() {
        String template =
                """
                {"name": "%s", "container": {"image": "alpine", "command": ["sh", "-c", "%s"]}}""";
        Answer created =
                client.post(
                        "/api/v1/workflows/argo",
                        """
                        {"workflow": {"metadata": {"generateName": "times-"}, "spec": {"entrypoint": "main", "templates": [
                          {"name": "main", "steps": [[{"name": "a", "template": "a"}, {"name": "b", "template": "b"}]]},
                          %s, %s]}}}"""
                                .formatted(
                                        template.formatted("a", "echo one; sleep 2; echo three"),
                                        template.formatted(
                                                "b", "sleep 1; echo two; sleep 2; echo four")));
        String name = created.body().path("metadata").path("name").asString("");
        JsonNode _ = finished("argo", name);
        assertThat(lines(name, "")).containsExactly("one", "two", "three", "four");
        List<String> timed = lines(name, "logOptions.timestamps=true");
        assertThat(timed)
                .allMatch(
                        line ->
                                line.matches(
                                        "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z (one|two|three|four)"))
                .isSorted();
        assertThat(lines(name, "logOptions.follow=true&logOptions.timestamps=true"))
                .containsExactlyInAnyOrderElementsOf(timed);
        String third = timed.get(2).substring(0, 24);
        assertThat(lines(name, "logOptions.sinceTime=" + third)).containsExactly("three", "four");
        assertThat(lines(name, "logOptions.tailLines=1&logOptions.sinceTime=" + third))
                .containsExactly("three", "four");
        assertThat(lines(name, "logOptions.tailLines=1")).containsExactly("three", "four");
        assertThat(lines(name, "logOptions.sinceSeconds=3600")).hasSize(4);
        assertThat(
                        client.get(
                                        "/api/v1/workflows/argo/%s/log?logOptions.sinceSeconds=1&logOptions.sinceTime=%s"
                                                .formatted(name, third))
                                .status())
                .isEqualTo(400);
    }

    @Test
    void whatIsWarnedOfIsAConditionOfTheWorkflow() {
        Answer created =
                client.post(
                        "/api/v1/workflows/argo",
                        HELLO.replace(
                                "\"entrypoint\"",
                                "\"executorPlugins\": [{\"name\": \"x\"}], \"entrypoint\""));
        assertThat(created.status()).as(created.body().toString()).isEqualTo(200);
        assertThat(created.body().path("status").path("conditions"))
                .anySatisfy(
                        condition -> {
                            assertThat(condition.path("type").asString()).isEqualTo("SpecWarning");
                            assertThat(condition.path("status").asString()).isEqualTo("True");
                            assertThat(condition.path("message").asString())
                                    .startsWith("spec.executorPlugins: ");
                        });
        String name = created.body().path("metadata").path("name").asString("");
        assertThat(finished("argo", name).path("status").path("phase").asString(""))
                .isEqualTo("Succeeded");
    }

    private List<String> lines(String workflow, String query) {
        try (Client.Stream log =
                client.stream("/api/v1/workflows/argo/%s/log?%s".formatted(workflow, query))) {
            Await.until("the log ends", log::isEnded);
            return log.results.stream().map(r -> r.path("content").asString("")).toList();
        }
    }

    @Test
    void workflowsAreSuspendedResumedStoppedAndSet() {
        String name = submitted("acts", PAUSE);
        Answer suspended =
                client.put("/api/v1/workflows/acts/" + name + "/suspend", "{\"name\":\"x\"}");
        assertThat(suspended.body().path("spec").path("suspend").asBoolean(false)).isTrue();
        Answer stopped =
                client.put("/api/v1/workflows/acts/" + name + "/stop", "{\"message\":\"enough\"}");
        assertThat(stopped.status()).as(stopped.body().toString()).isEqualTo(200);
        assertThat(finished("acts", name).path("status").path("phase").asString(""))
                .isEqualTo("Failed");
        Answer again = client.put("/api/v1/workflows/acts/" + name + "/stop", "{}");
        assertThat(again.status()).isEqualTo(400);
        assertThat(again.body().path("message").asString(""))
                .startsWith("cannot shutdown a completed workflow");
        assertThat(again.body().path("code").asInt(0)).isEqualTo(9);
        Answer resubmitted = client.put("/api/v1/workflows/acts/" + name + "/resubmit", "{}");
        assertThat(resubmitted.body().path("metadata").path("labels").toString())
                .contains("resubmitted-from-workflow\":\"" + name);
        assertThat(client.put("/api/v1/workflows/acts/none/stop", "{}").status()).isEqualTo(404);
        Answer retried = client.put("/api/v1/workflows/acts/" + name + "/retry", "{}");
        assertThat(retried.status()).as(retried.body().toString()).isEqualTo(200);
        assertThat(retried.body().path("status").path("phase").asString("")).isEqualTo("Running");
        assertThat(retried.body().path("spec").has("shutdown")).isFalse();
        Answer twice = client.put("/api/v1/workflows/acts/" + name + "/retry", "{}");
        assertThat(twice.status()).isEqualTo(400);
        assertThat(twice.body().path("message").asString(""))
                .isEqualTo("Cannot retry a workflow in phase Running");
        client.put("/api/v1/workflows/acts/" + name + "/terminate", "{}");
    }

    @Test
    void whatFailedRunsAgainWithAnotherParameterAndResubmittedOnlyThat() {
        String name =
                submitted(
                        "again",
                        """
                        {"workflow":{"metadata":{"generateName":"again-"},"spec":{"entrypoint":"main",
                        "arguments":{"parameters":[{"name":"code","value":"3"}]},
                        "templates":[{"name":"main","steps":[[{"name":"good","template":"good"}],[{"name":"bad","template":"bad"}]]},
                        {"name":"good","container":{"image":"busybox","command":["true"]}},
                        {"name":"bad","container":{"image":"busybox","command":["sh","-c","exit {{workflow.parameters.code}}"]}}]}}}""");
        String path = "/api/v1/workflows/again/" + name;
        assertThat(finished("again", name).path("status").path("phase").asString(""))
                .isEqualTo("Failed");
        Answer memoized = client.put(path + "/resubmit", "{\"memoized\":true}");
        assertThat(memoized.status()).as(memoized.body().toString()).isEqualTo(200);
        String other = memoized.body().path("metadata").path("name").asString("");
        assertThat(finished("again", other).path("status").path("nodes").toString())
                .contains("original pod: " + name + "-good-");

        Answer retried = client.put(path + "/retry", "{\"parameters\":[\"code=0\"]}");
        assertThat(retried.status()).as(retried.body().toString()).isEqualTo(200);
        JsonNode done = finished("again", name);
        assertThat(done.path("status").path("phase").asString("")).isEqualTo("Succeeded");
        assertThat(done.path("spec").path("arguments").toString()).contains("\"0\"");
        assertThat(client.put(path + "/resubmit", "{\"memoized\":true}").status()).isEqualTo(400);
    }

    @Test
    void aMemoizedStepRunsOnceUntilItsCacheIsDeleted() {
        String workflow =
                """
                {"workflow":{"metadata":{"generateName":"memo-"},"spec":{"entrypoint":"main",
                "templates":[{"name":"main","memoize":{"key":"k","cache":{"configMap":{"name":"kept"}}},
                "container":{"image":"busybox","command":["true"]}}]}}}""";
        String cache = "/api/v1/manifests/ConfigMap/memo/kept";
        assertThat(hit(workflow)).isFalse();
        Await.until("the result is kept", () -> client.get(cache).status() == 200);
        assertThat(client.get(cache).body().path("data").path("k").asString(""))
                .contains("creationTimestamp");
        assertThat(hit(workflow)).isTrue();
        assertThat(client.delete(cache).status()).isEqualTo(200);
        assertThat(client.get(cache).status()).isEqualTo(404);
        assertThat(hit(workflow)).isFalse();
    }

    private static boolean hit(String workflow) {
        JsonNode ended = finished("memo", submitted("memo", workflow));
        assertThat(ended.path("status").path("phase").asString("")).isEqualTo("Succeeded");
        JsonNode root =
                ended.path("status")
                        .path("nodes")
                        .path(ended.path("metadata").path("name").asString(""));
        return root.path("memoizationStatus").path("hit").asBoolean(false);
    }

    @Test
    void listsAreSelectedAndPaged() {
        for (int i = 0; i < 3; i++) {
            submitted(
                    "lists",
                    PAUSE.replace("\"pause-\"", "\"pause-\",\"labels\":{\"n\":\"" + i + "\"}"));
        }
        String all = "/api/v1/workflows/lists?";
        assertThat(client.get(all).body().path("items").size()).isEqualTo(3);
        Answer page = client.get(all + "listOptions.limit=2");
        assertThat(page.body().path("items").size()).isEqualTo(2);
        assertThat(page.body().path("metadata").path("remainingItemCount").asInt(0)).isEqualTo(1);
        String next = page.body().path("metadata").path("continue").asString("");
        assertThat(
                        client.get(all + "listOptions.limit=2&listOptions.continue=" + next)
                                .body()
                                .path("items")
                                .size())
                .isEqualTo(1);
        assertThat(
                        client.get(all + "listOptions.labelSelector=n+in+(0,2)")
                                .body()
                                .path("items")
                                .size())
                .isEqualTo(2);
        assertThat(
                        client.get(
                                        all
                                                + "listOptions.labelSelector=workflows.argoproj.io/completed!=true")
                                .body()
                                .path("items")
                                .size())
                .isEqualTo(3);
        assertThat(
                        client.get("/api/v1/workflows/?fields=items.metadata.namespace")
                                .body()
                                .toString())
                .contains("\"namespace\":\"lists\"")
                .doesNotContain("spec");
    }

    @Test
    void aRepeatedCommandStartsNothingTwice() {
        String body = PAUSE;
        Answer first =
                client.send(
                        "POST",
                        "/api/v1/workflows/repeats",
                        body,
                        "application/json",
                        "Millrace-Command-Id",
                        "c-1");
        Answer second =
                client.send(
                        "POST",
                        "/api/v1/workflows/repeats",
                        body,
                        "application/json",
                        "Millrace-Command-Id",
                        "c-1");
        assertThat(second.status()).isEqualTo(200);
        assertThat(second.body().path("metadata").path("uid"))
                .isEqualTo(first.body().path("metadata").path("uid"));
        assertThat(client.get("/api/v1/workflows/repeats").body().path("items").size())
                .isEqualTo(1);
        Answer taken =
                client.post(
                        "/api/v1/workflows/repeats",
                        body.replace(
                                "\"generateName\":\"pause-\"",
                                "\"name\":\""
                                        + first.body().path("metadata").path("name").asString("")
                                        + "\""));
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.body().path("code").asInt(0)).isEqualTo(6);
    }

    @Test
    void templatesAreStoredChangedAndRun() {
        String template =
                """
                {"template":{"metadata":{"name":"greet"},"spec":{"entrypoint":"main","arguments":{"parameters":[{"name":"word","value":"a"}]},
                  "templates":[{"name":"main","container":{"image":"alpine","command":["echo","{{workflow.parameters.word}}"]}}]}}}""";
        Answer created = client.post("/api/v1/workflow-templates/tmpl", template);
        assertThat(created.status()).as(created.body().toString()).isEqualTo(200);
        assertThat(client.post("/api/v1/workflow-templates/tmpl", template).status())
                .isEqualTo(409);
        String version = created.body().path("metadata").path("resourceVersion").asString("");
        Answer changed =
                client.put(
                        "/api/v1/workflow-templates/tmpl/greet",
                        template.replace(
                                        "\"name\":\"greet\"",
                                        "\"name\":\"greet\",\"resourceVersion\":\""
                                                + version
                                                + "\"")
                                .replace("\"value\":\"a\"", "\"value\":\"b\""));
        assertThat(changed.status()).as(changed.body().toString()).isEqualTo(200);
        Answer stale =
                client.put(
                        "/api/v1/workflow-templates/tmpl/greet",
                        template.replace(
                                "\"name\":\"greet\"",
                                "\"name\":\"greet\",\"resourceVersion\":\"" + version + "\""));
        assertThat(stale.status()).isEqualTo(409);
        Answer run =
                client.post(
                        "/api/v1/workflows/tmpl/submit",
                        """
                        {"namespace":"tmpl","resourceKind":"workflowtemplate","resourceName":"greet",
                         "submitOptions":{"labels":"x=y","parameters":["word=c"]}}""");
        assertThat(run.status()).as(run.body().toString()).isEqualTo(200);
        String name = run.body().path("metadata").path("name").asString("");
        JsonNode done = finished("tmpl", name);
        assertThat(done.path("status").path("phase").asString("")).isEqualTo("Succeeded");
        assertThat(
                        done.path("metadata")
                                .path("labels")
                                .path("workflows.argoproj.io/workflow-template")
                                .asString(""))
                .isEqualTo("greet");
        assertThat(client.delete("/api/v1/workflow-templates/tmpl/greet").status()).isEqualTo(200);
        assertThat(client.get("/api/v1/workflow-templates/tmpl/greet").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/workflow-templates/tmpl").body().path("items").isArray())
                .isTrue();
    }

    @Test
    void badInputIsRefusedWithItsPlaceAndTheCure() {
        Answer misspelt =
                client.post(
                        "/api/v1/workflows/bad", HELLO.replace("\"entrypoint\"", "\"entrypiont\""));
        assertThat(misspelt.status()).isEqualTo(400);
        assertThat(misspelt.body().path("message").asString(""))
                .startsWith("spec.entrypiont: ")
                .contains("entrypoint");
        JsonNode problem = misspelt.body().path("problems").path(0);
        assertThat(problem.path("path").asString("")).isEqualTo("spec.entrypiont");
        assertThat(problem.has("line")).as("JSON that was sent has no lines").isFalse();
        Answer malformed =
                client.yaml("/api/v1/workflows/bad", "workflow:\n  metadata:\n\tname: x\n");
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.body().path("message").asString(""))
                .contains("body:3:")
                .contains("tab");
        Answer kind =
                client.yaml(
                        "/api/v1/workflows/bad",
                        "apiVersion: argoproj.io/v1alpha1\nkind: Sensor\nmetadata: {name: x}\n");
        assertThat(kind.status()).isEqualTo(400);
        assertThat(kind.body().path("message").asString("")).contains("not a Sensor");
        Answer missing =
                client.post(
                        "/api/v1/workflows/bad",
                        "{\"workflow\":{\"metadata\":{\"name\":\"x\"},\"spec\":{\"workflowTemplateRef\":{\"name\":\"none\"}}}}");
        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.body().path("message").asString("")).contains("'none' not found");
        assertThat(client.post("/api/v1/workflows/bad", "").status()).isEqualTo(400);
        assertThat(client.get("/api/v1/nothing").status()).isEqualTo(404);
        assertThat(client.get("/api/v1/nothing").body().path("code").asInt(0)).isEqualTo(5);
        assertThat(client.get("/api/v1/workflows/bad?listOptions.labelSelector=a+~+b").status())
                .isEqualTo(400);
        assertThat(client.get("/api/v1/workflows/bad?listOptions.limit=x").status()).isEqualTo(400);
        assertThat(client.get("/api/v1/workflows/bad").body().path("items").size()).isZero();
    }

    @Test
    void manifestsOfAllKindsAreAppliedEachByItself() {
        String text =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: WorkflowTemplate
                metadata: {name: many, namespace: app}
                spec: {entrypoint: a, templates: [{name: a, suspend: {}}]}
                ---
                apiVersion: v1
                kind: Secret
                metadata: {name: login, namespace: app}
                stringData: {password: hunter2hunter2}
                ---
                apiVersion: argoproj.io/v1alpha1
                kind: Sensr
                metadata: {name: x}
                """;
        Answer first =
                client.send("POST", "/api/v1/manifests?source=all.yaml", text, "application/yaml");
        assertThat(first.status()).isEqualTo(400);
        assertThat(first.body().path("results").path(0).path("outcome").asString(""))
                .isEqualTo("created");
        assertThat(first.body().path("results").path(1).path("outcome").asString(""))
                .isEqualTo("created");
        assertThat(first.body().path("message").asString(""))
                .startsWith("all.yaml:12:")
                .contains("did you mean Sensor?");
        Answer again =
                client.yaml(
                        "/api/v1/manifests",
                        text.substring(0, text.lastIndexOf("---"))
                                .replace("suspend: {}", "suspend: {duration: 1s}"));
        assertThat(again.status()).as(again.body().toString()).isEqualTo(200);
        assertThat(again.body().path("results").path(0).path("outcome").asString(""))
                .isEqualTo("configured");
        assertThat(again.body().path("results").path(1).path("outcome").asString(""))
                .isEqualTo("unchanged");
        Answer workflow =
                client.yaml(
                        "/api/v1/manifests",
                        "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\nspec: {entrypoint: a, templates: [{name: a, suspend: {}}]}\n");
        assertThat(workflow.status()).isEqualTo(400);
        assertThat(workflow.body().path("message").asString("")).contains("submit it");
    }

    @Test
    void theFolderOfDefinitionsIsFollowed() throws Exception {
        Path file = folder.resolve("definitions").resolve("t.yaml");
        Files.writeString(
                file,
                """
                apiVersion: argoproj.io/v1alpha1
                kind: WorkflowTemplate
                metadata: {name: from-folder}
                spec: {entrypoint: a, templates: [{name: a, suspend: {}}]}
                ---
                apiVersion: argoproj.io/v1alpha1
                kind: Workflow
                metadata: {name: not-started}
                spec: {entrypoint: a, templates: [{name: a, suspend: {}}]}
                """);
        String path = "/api/v1/workflow-templates/default/from-folder";
        Await.until("it is applied", () -> client.get(path).status() == 200);
        Await.until(
                "it says what it does not start",
                () -> said.stream().anyMatch(s -> s.contains("millrace submit")));
        Files.writeString(
                file, Files.readString(file).replace("suspend: {}", "suspend: {}, bogus: 1"));
        Await.until(
                "it says what is wrong",
                () -> said.stream().anyMatch(s -> s.contains("t.yaml:4:") && s.contains("bogus")));
        assertThat(client.get(path).status()).isEqualTo(200);
        Files.delete(file);
        Await.until("it is deleted with its file", () -> client.get(path).status() == 404);
        assertThat(client.get("/api/v1/workflows/default/not-started").status()).isEqualTo(404);
    }

    @Test
    void definitionsMayReferToEachOtherInAnyOrder() {
        Answer applied =
                client.yaml(
                        "/api/v1/manifests",
                        """
                        apiVersion: argoproj.io/v1alpha1
                        kind: WorkflowTemplate
                        metadata: {name: first, namespace: order}
                        spec:
                          entrypoint: a
                          templates:
                            - name: a
                              steps: [[{name: s, templateRef: {name: second, template: b}}]]
                        ---
                        apiVersion: argoproj.io/v1alpha1
                        kind: WorkflowTemplate
                        metadata: {name: second, namespace: order}
                        spec: {entrypoint: b, templates: [{name: b, suspend: {}}]}
                        """);
        assertThat(applied.status()).as(applied.body().toString()).isEqualTo(200);
        Answer cyclic =
                client.yaml(
                        "/api/v1/manifests?source=dag.yaml",
                        """
                        apiVersion: argoproj.io/v1alpha1
                        kind: WorkflowTemplate
                        metadata: {name: cycle}
                        spec:
                          entrypoint: a
                          templates:
                            - name: a
                              dag:
                                tasks:
                                  - {name: x, template: b, depends: y}
                                  - {name: y, template: b, depends: x}
                            - {name: b, suspend: {}}
                        """);
        assertThat(cyclic.status()).isEqualTo(400);
        assertThat(cyclic.body().path("message").asString("")).startsWith("dag.yaml:");
        assertThat(
                        cyclic.body()
                                .path("results")
                                .path(0)
                                .path("problems")
                                .path(0)
                                .path("line")
                                .asInt(0))
                .isGreaterThan(5);
    }

    @Test
    void theServerTellsAboutItself() {
        assertThat(
                        client.get("/api/v1/version").body().properties().stream()
                                .map(Map.Entry::getKey))
                .contains(
                        "version",
                        "buildDate",
                        "gitCommit",
                        "gitTag",
                        "gitTreeState",
                        "goVersion",
                        "compiler",
                        "platform");
        assertThat(client.get("/healthz").status()).isEqualTo(200);
        Await.until("all parts are ready", () -> client.get("/readyz").status() == 200);
        assertThat(
                        client.get("/readyz")
                                .body()
                                .path("components")
                                .path("workflow-engine")
                                .path("state")
                                .asString(""))
                .isEqualTo("ready");
        assertThat(client.get("/metrics").body().asString(""))
                .contains("millrace_engine_transitions_total");
        assertThat(client.get("/api/v1/archived-workflows").status()).isEqualTo(501);
    }

    @Test
    void pagesOfOtherSitesAreRefused() throws Exception {
        Answer form =
                client.send(
                        "POST",
                        "/api/v1/workflows/evil",
                        HELLO,
                        "text/plain",
                        "Origin",
                        "https://evil.example");
        assertThat(form.status()).isEqualTo(403);
        assertThat(client.send("POST", "/api/v1/workflows/evil", HELLO, "text/plain").status())
                .isEqualTo(415);
        assertThat(
                        client.send(
                                        "POST",
                                        "/api/v1/workflows/evil",
                                        "a=b",
                                        "application/x-www-form-urlencoded")
                                .status())
                .isEqualTo(415);
        assertThat(
                        client.send(
                                        "POST",
                                        "/api/v1/workflows/evil",
                                        HELLO,
                                        "application/json",
                                        "Origin",
                                        "null")
                                .status())
                .isEqualTo(403);
        assertThat(
                        client.send(
                                        "POST",
                                        "/webhooks/a/b/c",
                                        "{}",
                                        "text/plain",
                                        "Origin",
                                        "https://evil.example")
                                .status())
                .isEqualTo(403);
        assertThat(
                        client.raw(
                                "GET /api/v1/workflows/ HTTP/1.1\r\nHost: rebound.example:2746\r\nConnection: close\r\n\r\n"))
                .contains(" 403 ");
        assertThat(
                        client.raw(
                                "GET /api/v1/workflows/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                .contains(" 200 ");
        assertThat(client.get("/api/v1/workflows/evil").body().path("items").size()).isZero();
        // The argo command sends no content type.
        assertThat(client.send("POST", "/api/v1/workflows/fine", PAUSE, null).status())
                .isEqualTo(200);
        String tooLarge = "\"" + "x".repeat(17 * 1024 * 1024) + "\"";
        for (int i = 0; i < 5; i++) {
            assertThat(client.post("/api/v1/workflows/large", tooLarge).status()).isEqualTo(413);
            assertThat(client.post("/api/v1/nothing", tooLarge).status()).isEqualTo(404);
            assertThat(client.get("/api/v1/workflows/large").status()).isEqualTo(200);
        }
    }

    /** A plain client sends all of its request first, and the next one on the same connection. */
    @Test
    void aBodyThatNobodyWantsCostsTheConnectionNothing() throws IOException {
        byte[] body = new byte[17 * 1024 * 1024];
        Arrays.fill(body, (byte) 'x');
        try (Socket socket = new Socket("127.0.0.1", server.apiAddress().getPort())) {
            socket.setSoTimeout(10_000);
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (int i = 0; i < 3; i++) {
                assertThat(posted(socket, in, "/api/v1/workflows/large", body)).contains(" 413 ");
                assertThat(posted(socket, in, "/api/v1/nothing", body)).contains(" 404 ");
                assertThat(posted(socket, in, "/webhooks/a/b/c", body)).contains(" 404 ");
            }
        }
    }

    /** The status line of the answer, which is read whole. */
    private static String posted(Socket socket, InputStream in, String path, byte[] body)
            throws IOException {
        String head =
                "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(path, body.length);
        socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().write(body);
        String status = line(in);
        int length = 0;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            assertThat(header).isNotEqualToIgnoringCase("Connection: close");
            if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(header.substring(header.indexOf(':') + 1).strip());
            }
        }
        assertThat(in.readNBytes(length)).hasSize(length);
        return status;
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n' && c >= 0; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static String submitted(String namespace, String body) {
        Answer answer = client.post("/api/v1/workflows/" + namespace, body);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("metadata").path("name").asString("");
    }

    private static JsonNode finished(String namespace, String name) {
        String path = "/api/v1/workflows/" + namespace + "/" + name;
        Await.until(
                name + " finishes", () -> client.get(path).body().path("status").has("finishedAt"));
        return client.get(path).body();
    }
}
