package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Stored.key;
import static dev.millrace.workflowengine.core.Stored.names;
import static dev.millrace.workflowengine.core.Stored.output;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.schemas.workflow.Artifact;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Where artifacts and logs of steps go. */
final class PlacementTest {
    private static final String MAKE =
            """
            - name: make
              container: {image: busybox, command: [run]}
              outputs: {artifacts: [{name: out, path: /tmp/out.txt}]}
            """;

    @Test
    void anOutputGoesToTheRepositoryUnderWorkflowAndPod() {
        Scenario s = Scenario.given("entrypoint: make\ntemplates:\n" + MAKE);
        assertThat(key(output(s, "wf", "out"))).isEqualTo("wf/wf/out.tgz");
    }

    @Test
    void theFileOfAnOutputIsNamedAsItIsPacked() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: make
                        templates:
                        - name: make
                          container: {image: busybox, command: [run]}
                          outputs:
                            artifacts:
                            - {name: plain, path: /tmp/a/b.txt, archive: {none: {}}}
                            - {name: folder, path: /tmp/dir/, archive: {none: {}}}
                            - {name: zipped, path: /tmp/z, archive: {zip: {}}}
                            - {name: packed, path: /tmp/p, archive: {tar: {compressionLevel: 0}}}
                            - {name: named, path: /tmp/n, s3: {key: "mine/{{workflow.name}}.bin"}}
                        """);
        assertThat(
                        List.of("plain", "folder", "zipped", "packed", "named").stream()
                                .map(n -> key(output(s, "wf", n))))
                .containsExactly(
                        "wf/wf/b.txt",
                        "wf/wf/dir",
                        "wf/wf/zipped.zip",
                        "wf/wf/packed.tgz",
                        "mine/wf.bin");
    }

    @Test
    void whatAnArtifactDoesNotSayComesFromTheTemplateElseFromTheRepository() {
        JsonNode repository =
                json(
                        """
                        {"s3": {"endpoint": "repo:9000", "bucket": "b", "insecure": true,
                                "accessKeySecret": {"name": "s", "key": "k"},
                                "keyFormat": "all/{{workflow.name}}"}}
                        """);
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: make
                        templates:
                        - name: make
                          container: {image: busybox, command: [run]}
                          outputs:
                            artifacts:
                            - {name: nothing, path: /a}
                            - {name: key, path: /b, s3: {key: k1}}
                            - {name: bucket, path: /c, s3: {bucket: other, key: k2}}
                            - {name: foreign, path: /d, s3: {endpoint: them, bucket: theirs, key: k3}}
                        """,
                        repository);
        assertThat(Json.tree(output(s, "wf", "nothing")).path("s3"))
                .isEqualTo(
                        json(
                                """
                                {"endpoint": "repo:9000", "bucket": "b", "insecure": true,
                                 "accessKeySecret": {"name": "s", "key": "k"}, "key": "all/wf/nothing.tgz"}
                                """));
        assertThat(Json.tree(output(s, "wf", "key")).path("s3").path("bucket").asString())
                .isEqualTo("b");
        assertThat(Json.tree(output(s, "wf", "bucket")).path("s3"))
                .isEqualTo(
                        json(
                                """
                                {"bucket": "other", "key": "k2", "endpoint": "repo:9000", "insecure": true,
                                 "accessKeySecret": {"name": "s", "key": "k"}}
                                """));
        // The credentials of the repository are nobody else's business.
        assertThat(Json.tree(output(s, "wf", "foreign")).path("s3"))
                .isEqualTo(
                        json("{\"endpoint\": \"them\", \"bucket\": \"theirs\", \"key\": \"k3\"}"));

        Scenario own =
                Scenario.given(
                        """
                        entrypoint: make
                        templates:
                        - name: make
                          archiveLocation: {s3: {endpoint: mine, bucket: m, key: "x/{{pod.name}}"}}
                          container: {image: busybox, command: [run]}
                          outputs: {artifacts: [{name: out, path: /a}]}
                        """,
                        repository);
        assertThat(Json.tree(output(own, "wf", "out")).path("s3"))
                .isEqualTo(
                        json(
                                "{\"endpoint\": \"mine\", \"bucket\": \"m\", \"key\": \"x/wf/out.tgz\"}"));
    }

    @Test
    void withoutARepositoryAnOutputNeedsAPlaceOfItsOwn() {
        Scenario s = Scenario.given("entrypoint: make\ntemplates:\n" + MAKE, (JsonNode) null);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.ERROR);
        assertThat(s.head().message()).contains("You need to configure artifact storage");
    }

    @Test
    void aKeyWithATagThatNothingResolvesIsAnError() {
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: make
                        templates:
                        - name: make
                          container: {image: busybox, command: [run]}
                          outputs: {artifacts: [{name: out, path: /a, s3: {key: "x/{{nobody}}"}}]}
                        """);
        assertThat(s.head().phase()).isEqualTo(WorkflowPhase.ERROR);
        assertThat(s.head().message()).contains("failed to resolve {{nobody}}");
    }

    @Test
    void logsAreKeptWhereSomebodySaysSo() {
        String spec =
                "entrypoint: main\n%stemplates:\n- name: main\n  container: {image: busybox, command: [run]}\n%s";
        String off = "  archiveLocation: {archiveLogs: false}\n";
        String on = "  archiveLocation: {archiveLogs: true}\n";
        JsonNode keeps = json("{\"archiveLogs\": true, \"local\": {}}");
        assertThat(hasLog(Scenario.given(spec.formatted("", "")))).isFalse();
        assertThat(hasLog(Scenario.given(spec.formatted("archiveLogs: true\n", "")))).isTrue();
        assertThat(hasLog(Scenario.given(spec.formatted("archiveLogs: true\n", off)))).isFalse();
        assertThat(hasLog(Scenario.given(spec.formatted("", on)))).isTrue();
        assertThat(hasLog(Scenario.given(spec.formatted("archiveLogs: false\n", off), keeps)))
                .isTrue();
        assertThat(
                        hasLog(
                                Scenario.given(
                                        spec.formatted("archiveLogs: true\n", ""),
                                        (JsonNode) null)))
                .isFalse();

        Scenario s = Scenario.given(spec.formatted("archiveLogs: true\n", ""));
        Artifact log = output(s, "wf", "main-logs");
        assertThat(log.archiveLogs()).isTrue();
        assertThat(log.path()).isNull();
        assertThat(key(log)).isEqualTo("wf/wf/main.log");
        s.fails("wf", 3);
        assertThat(names(s.node("wf"))).containsExactly("main-logs");
    }

    private static boolean hasLog(Scenario s) {
        var outputs = s.requested("wf").template().outputs();
        return outputs != null
                && outputs.artifacts().stream().anyMatch(a -> a.name().equals("main-logs"));
    }

    private static JsonNode json(String text) {
        return Json.mapper().readTree(text);
    }
}
