package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.S3Server;
import java.io.ByteArrayInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Artifacts from one step to the next, and out to people, through a real server and real stores.
 */
@Timeout(120)
final class ArtifactsIT {
    private static final String PASSING =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata: {generateName: passing-}
            spec:
              entrypoint: main
              %s
              templates:
                - name: main
                  steps:
                    - - name: make
                        template: make
                    - - name: take
                        template: take
                        arguments:
                          artifacts:
                            - {name: message, from: "{{steps.make.outputs.artifacts.message}}"}
                            - {name: page, from: "{{steps.make.outputs.artifacts.site}}", subPath: sub/page.txt}
                - name: make
                  script:
                    image: alpine:3.23
                    command: [sh]
                    source: |
                      mkdir -p /tmp/site/sub
                      echo hello > /tmp/hello.txt
                      echo '<script>alert(1)</script>' > '/tmp/site/a <b>.html'
                      echo page > /tmp/site/sub/page.txt
                  outputs:
                    artifacts:
                      - {name: message, path: /tmp/hello.txt}
                      - {name: site, path: /tmp/site, archive: {none: {}}}
                - name: take
                  inputs:
                    artifacts:
                      - {name: message, path: /in/message}
                      - {name: page, path: /in/page}
                  script:
                    image: alpine:3.23
                    command: [sh]
                    source: cat /in/message /in/page | tee /out
                  outputs:
                    parameters:
                      - {name: text, valueFrom: {path: /out}}
            """;

    @TempDir static Path data;
    private static TestServer server;
    private static S3Server s3;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() throws Exception {
        server = TestServer.start(data, "127.12.7.1");
        s3 = S3Server.start();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        s3.close();
    }

    private static JsonNode yaml(String text) {
        return YamlReader.read("test", text).documents().getFirst().tree();
    }

    private JsonNode run(String manifest) {
        String name = server.api().submit(yaml(manifest));
        String path = "/api/v1/workflows/default/" + name;
        Await.until(
                "the end of " + name,
                Duration.ofSeconds(60),
                () ->
                        !server.api()
                                .get(path)
                                .ok()
                                .json()
                                .path("status")
                                .path("finishedAt")
                                .isMissingNode());
        return server.api().get(path).json();
    }

    private static JsonNode node(JsonNode workflow, String displayName) {
        for (JsonNode node : workflow.path("status").path("nodes")) {
            if (node.path("displayName").asString("").equals(displayName)) {
                return node;
            }
        }
        throw new AssertionError("no node " + displayName + " in " + workflow.path("status"));
    }

    private HttpResponse<byte[]> get(String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(server.api().address().resolve(path)).GET().build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private JsonNode passes(String more) {
        JsonNode workflow = run(PASSING.formatted(more));
        assertThat(workflow.path("status").path("phase").asString())
                .as(workflow.path("status").toString())
                .isEqualTo("Succeeded");
        assertThat(node(workflow, "take").at("/outputs/parameters/0/value").asString())
                .isEqualTo("hello\npage");
        return workflow;
    }

    @Test
    void whatOneStepMakesAnotherTakesAndAPersonDownloads() throws Exception {
        JsonNode workflow = passes("archiveLogs: true");
        String name = workflow.path("metadata").path("name").asString();
        String uid = workflow.path("metadata").path("uid").asString();
        String make = node(workflow, "make").path("id").asString();
        String take = node(workflow, "take").path("id").asString();

        HttpResponse<byte[]> message =
                get("/artifacts/default/%s/%s/message".formatted(name, make));
        assertThat(message.statusCode()).as(text(message)).isEqualTo(200);
        assertThat(message.headers().firstValue("Content-Disposition"))
                .contains("filename=\"message.tgz\"");
        assertThat(message.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("sandbox;");
        assertThat(message.headers().firstValue("X-Frame-Options")).contains("SAMEORIGIN");
        assertThat(
                        new String(
                                new GZIPInputStream(new ByteArrayInputStream(message.body()))
                                        .readAllBytes(),
                                StandardCharsets.ISO_8859_1))
                .contains("hello\n");
        assertThat(get("/artifacts-by-uid/%s/%s/message".formatted(uid, make)).body())
                .isEqualTo(message.body());
        assertThat(get("/input-artifacts/default/%s/%s/message".formatted(name, take)).body())
                .isEqualTo(message.body());
        assertThat(text(get("/input-artifacts-by-uid/%s/%s/page".formatted(uid, take))))
                .isEqualTo("page\n");
        assertThat(text(get("/artifacts/default/%s/%s/main-logs".formatted(name, take))))
                .isEqualTo("hello\npage\n");
        assertThat(get("/artifacts/default/%s/%s/none".formatted(name, make)).statusCode())
                .isEqualTo(404);
        assertThat(get("/artifacts/default/none/%s/message".formatted(make)).statusCode())
                .isEqualTo(404);
    }

    @Test
    void aFolderIsAPageOfLinksAndRunsNothing() throws Exception {
        JsonNode workflow = passes("");
        String name = workflow.path("metadata").path("name").asString();
        String make = node(workflow, "make").path("id").asString();
        String site = "/artifact-files/default/workflows/%s/%s/outputs/site".formatted(name, make);
        HttpResponse<byte[]> whole = get("/artifacts/default/%s/%s/site".formatted(name, make));
        assertThat(whole.statusCode()).isEqualTo(307);
        assertThat(whole.headers().firstValue("Location")).contains(site + "/");
        assertThat(get(site).headers().firstValue("Location")).contains(site + "/");
        HttpResponse<byte[]> index = get(site + "/");
        assertThat(index.statusCode()).as(text(index)).isEqualTo(200);
        assertThat(text(index))
                .contains("href=\"./a%20%3Cb%3E.html\"")
                .contains("a &lt;b&gt;.html")
                .contains("href=\"./sub/\"")
                .doesNotContain("<b>");
        assertThat(index.headers().firstValue("Content-Security-Policy").orElse(""))
                .contains("default-src 'none'");
        HttpResponse<byte[]> page = get(site + "/a%20%3Cb%3E.html");
        assertThat(text(page)).contains("<script>");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
                .startsWith("sandbox;");
        assertThat(text(get(site + "/sub/page.txt"))).isEqualTo("page\n");
        assertThat(get(site + "/sub/none").statusCode()).isEqualTo(404);
        for (String climbing : new String[] {"/..%2f..%2f..%2fsecrets", "/%2e%2e/%2e%2e/token"}) {
            HttpResponse<byte[]> out = get(site + climbing);
            assertThat(out.statusCode()).as(text(out)).isGreaterThanOrEqualTo(400);
        }
    }

    @Test
    void aNamedRepositoryIsUsedWithItsSecretsAndWithoutTheirValuesInTheLog() throws Exception {
        s3.makeBucket("my-bucket");
        server.api()
                .apply(
                        """
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: my-s3}
                        stringData: {access: %s, secret: %s}
                        ---
                        apiVersion: v1
                        kind: ConfigMap
                        metadata: {name: artifact-repositories}
                        data:
                          my-key: |
                            archiveLogs: true
                            s3:
                              endpoint: %s
                              insecure: true
                              bucket: my-bucket
                              keyFormat: "prefix/{{workflow.name}}/{{pod.name}}"
                              accessKeySecret: {name: my-s3, key: access}
                              secretKeySecret: {name: my-s3, key: secret}
                        """
                                .formatted(
                                        S3Server.ACCESS_KEY, S3Server.SECRET_KEY, s3.endpoint()));
        JsonNode workflow = passes("artifactRepositoryRef: {key: my-key}");
        String name = workflow.path("metadata").path("name").asString();
        JsonNode make = node(workflow, "make");
        String key =
                make.path("outputs").path("artifacts").get(0).path("s3").path("key").asString();
        assertThat(key).startsWith("prefix/" + name + "/").endsWith("/message.tgz");
        assertThat(s3.has("my-bucket", key)).isTrue();
        assertThat(workflow.toString()).doesNotContain(S3Server.SECRET_KEY);
        assertThat(
                        text(
                                get(
                                        "/artifacts/default/%s/%s/main-logs"
                                                .formatted(
                                                        name,
                                                        node(workflow, "take")
                                                                .path("id")
                                                                .asString()))))
                .isEqualTo("hello\npage\n");
    }

    @Test
    void theDefaultRepositoryOfANamespaceIsUsedUnasked() {
        server.api()
                .apply(
                        """
                        apiVersion: v1
                        kind: ConfigMap
                        metadata:
                          name: artifact-repositories
                          namespace: team
                          annotations: {workflows.argoproj.io/default-artifact-repository: mine}
                        data:
                          mine: |
                            local: {keyFormat: "of-the-team/{{workflow.name}}"}
                        """);
        String name =
                server.api()
                        .post(
                                "/api/v1/workflows/team",
                                "application/json",
                                Json.object()
                                        .set("workflow", yaml(PASSING.formatted("")))
                                        .toString())
                        .ok()
                        .json()
                        .at("/metadata/name")
                        .asString();
        Path stored = data.resolve("artifacts/of-the-team/" + name + "/message.tgz");
        Await.until("the artifact", Duration.ofSeconds(30), () -> Files.exists(stored));
    }

    @Test
    void aRepositoryThatIsNotThereIsRefusedAtSubmission() {
        var refused =
                server.api()
                        .post(
                                "/api/v1/workflows/default",
                                "application/json",
                                Json.object()
                                        .set(
                                                "workflow",
                                                yaml(
                                                        PASSING.formatted(
                                                                "artifactRepositoryRef: {configMap: none, key: x}")))
                                        .toString());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("there is no ConfigMap none in namespace default");
    }

    @Test
    void whatIsCollectedIsGoneFromTheStore() {
        JsonNode workflow = run(PASSING.formatted("artifactGC: {strategy: OnWorkflowCompletion}"));
        String name = workflow.path("metadata").path("name").asString();
        Path stored = data.resolve("artifacts/default").resolve(name);
        Await.until("the artifacts to go", Duration.ofSeconds(20), () -> !Files.exists(stored));
        String make = node(workflow, "make").path("id").asString();
        Await.until(
                "the mark",
                Duration.ofSeconds(20),
                () ->
                        server.api()
                                .get("/artifacts/default/%s/%s/message".formatted(name, make))
                                .body()
                                .contains("was deleted"));
    }
}
