package dev.millrace.server.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.testkit.Await;
import dev.millrace.testkit.Comparison;
import dev.millrace.testkit.Conformance;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Containers beside each other, daemons and volumes, through the whole server. The recordings are
 * those whose steps need more than a plain process, but nothing that a host cannot stand in for.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class PodLikeStepsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir static Path data;
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start(data, "127.12.1.9");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String submit(String yaml) {
        return server.api()
                .submit(ManifestReader.read("w", yaml).documents().getFirst().manifest().tree());
    }

    private static JsonNode finished(String name) {
        return server.api().finished(name, PATIENCE);
    }

    private static List<String> log(String name, String container) {
        return server.api().log(name, container);
    }

    @Test
    void clientsOfADaemonFindItAndItEndsWithThem() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        String name =
                submit(
                        """
                        apiVersion: argoproj.io/v1alpha1
                        kind: Workflow
                        metadata: {generateName: daemon-}
                        spec:
                          entrypoint: main
                          templates:
                          - name: main
                            steps:
                            - - {name: server, template: server}
                            - - name: client
                                template: client
                                arguments: {parameters: [{name: ip, value: "{{steps.server.ip}}"}]}
                          - name: server
                            daemon: true
                            container:
                              image: x
                              command: [python3, -m, http.server, --bind, 127.0.0.1, "%d"]
                              workingDir: /srv/www
                              readinessProbe: {httpGet: {port: %d}, periodSeconds: 1}
                          - name: client
                            inputs: {parameters: [{name: ip}]}
                            container:
                              image: x
                              command: [python3, -c]
                              args: ["import urllib.request as u; print(u.urlopen('http://{{inputs.parameters.ip}}:%d/').status)"]
                        """
                                .formatted(port, port, port));
        JsonNode workflow = finished(name);
        assertThat(ApiClient.phase(workflow)).as("%s", workflow).isEqualTo("Succeeded");
        JsonNode daemon = ApiClient.node(workflow, "server");
        assertThat(daemon.path("phase").asString()).isEqualTo("Succeeded");
        assertThat(daemon.path("podIP").asString()).isEqualTo("127.0.0.1");
        assertThat(daemon.has("daemoned")).isFalse();
        assertThat(log(name, "main")).contains("200");
    }

    @Test
    void everyContainerHasALogOfItsOwn() {
        String name =
                submit(
                        """
                        apiVersion: argoproj.io/v1alpha1
                        kind: Workflow
                        metadata: {generateName: pod-}
                        spec:
                          entrypoint: main
                          volumes: [{name: v, emptyDir: {}}]
                          templates:
                          - name: main
                            container: {image: x, command: [sh, -c, "until [ -e /v/up ]; do sleep 0.1; done; cat /v/given"], volumeMounts: [{name: v, mountPath: /v}]}
                            initContainers:
                            - {name: before, image: x, command: [sh, -c, "echo first; echo given > /v/given"], mirrorVolumeMounts: true}
                            sidecars:
                            - {name: beside, image: x, command: [sh, -c, "echo side; touch /v/up; sleep 60"], mirrorVolumeMounts: true}
                        """);
        assertThat(ApiClient.phase(finished(name))).isEqualTo("Succeeded");
        assertThat(log(name, "main")).containsExactly("given");
        assertThat(log(name, "before")).containsExactly("first");
        assertThat(log(name, "beside")).startsWith("side");
        assertThat(log(name, "..%2F..%2Fbroker")).isEmpty();
    }

    @TestFactory
    Stream<DynamicTest> recordingsOfVolumes() throws IOException {
        Path folder = Conformance.assumePresent().resolve("workflows");
        assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/bwrap")), "bubblewrap is not installed here");
        server.api()
                .apply(
                        """
                        apiVersion: v1
                        kind: Secret
                        metadata: {name: my-secret, namespace: default}
                        stringData: {mypassword: S00perS3cretPa55word}
                        """);
        RunRows rows = new RunRows(folder);
        List<String> wanted =
                List.of(
                        "secrets.json",
                        "volumes-emptydir.json",
                        "volumes-existing.json",
                        "volumes-pvc.json");
        return rows.all().stream()
                .filter(row -> wanted.contains(row.recording()))
                .map(
                        row ->
                                DynamicTest.dynamicTest(
                                        row.recording(),
                                        () -> {
                                            JsonNode workflow =
                                                    finished(
                                                            server.api()
                                                                    .submit(
                                                                            row.documents()
                                                                                    .getFirst()));
                                            assertThat(
                                                            Comparison.of(
                                                                    rows.recorded(row.recording()),
                                                                    workflow))
                                                    .isEmpty();
                                            if (row.recording().equals("volumes-pvc.json")) {
                                                claimIsGone(ApiClient.name(workflow));
                                            }
                                        }));
    }

    private static void claimIsGone(String workflow) {
        Path claims = data.resolve("steps/.claims/default");
        assertThat(claims.resolve("my-existing-volume")).isDirectory();
        Await.until(
                "the claim of " + workflow + " is gone",
                PATIENCE,
                () -> Files.notExists(claims.resolve(workflow + "-workdir")));
    }
}
