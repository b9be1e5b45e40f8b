package dev.millrace.schemas.manifest;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The example manifests of Argo, where the conformance data are at hand. */
class OfficialManifestsTest {

    /** The paths of errors that are right, by file. */
    private static final Map<String, Set<String>> WORKFLOW_ERRORS =
            Map.of(
                    // generateName is indented into the labels.
                    "fun-with-gifs.yaml", Set.of("metadata.name", "metadata.labels.generateName"),
                    // The name is indented into an annotation; the real API server refuses it too.
                    "k8s-jobs.yaml", Set.of("metadata.name"),
                    // Two blocks of annotations; Go drops the first silently.
                    "k8s-patch-json-workflow.yaml", Set.of("metadata.annotations"));

    /** Fields of event manifests that no version of Argo reads. */
    private static final Map<String, Set<String>> EVENT_WARNINGS =
            Map.of(
                    "sensors/trigger-openwhisk.yaml", Set.of("spec.triggers[0].template.openwhisk"),
                    "sensors/trigger-with-atleast-once-semantics.yaml",
                            Set.of("spec.triggers[0].template.atLeastOnce"),
                    "sensors/trigger-with-policy.yaml", Set.of("spec.triggers[0].template.policy"),
                    "sensors/url-sensor.yaml",
                            Set.of("spec.triggers[0].template.k8s.source.url.verifycert"),
                    "tutorials/03-trigger-sources/sensor-cm.yaml",
                            Set.of("spec.triggers[0].template.k8s.source.configmap.namespace"),
                    "tutorials/03-trigger-sources/sensor-git.yaml",
                            Set.of(
                                    "spec.triggers[0].template.k8s.source.git.sshKeyPath",
                                    "spec.triggers[0].template.k8s.source.git.namespace"),
                    "tutorials/06-trigger-conditions/minio-event-source.yaml", Set.of("spec.type"),
                    "tutorials/06-trigger-conditions/webhook-event-source.yaml",
                            Set.of("spec.type"),
                    "tutorials/09-http-trigger/minio-event-source.yaml", Set.of("spec.type"),
                    "tutorials/09-http-trigger/sensor-01.yaml",
                            Set.of("spec.triggers[0].template.http.serverURL"));

    @Test
    void workflowManifestsHaveNoErrorsButTheRightOnes() throws IOException {
        Map<String, ReadResult> results = read("workflows");

        assertThat(paths(results, Problem::isError)).isEqualTo(WORKFLOW_ERRORS);
        assertThat(results).hasSizeGreaterThan(200);
    }

    @Test
    void eventManifestsHaveNoErrorsAndOnlyTheKnownWarnings() throws IOException {
        Map<String, ReadResult> results = read("events");

        assertThat(paths(results, Problem::isError)).isEmpty();
        Map<String, Set<String>> warnings = new TreeMap<>(EVENT_WARNINGS);
        warnings.put(
                "tutorials/09-http-trigger/sensor-02.yaml",
                Set.of("spec.triggers[0].template.http.serverURL"));
        assertThat(paths(results, p -> !p.isError() && !p.path().equals("kind")))
                .isEqualTo(warnings);
    }

    @Test
    void whatIsNotForMillraceIsLeftOutWithAWarning() throws IOException {
        List<String> kinds =
                Stream.concat(read("workflows").values().stream(), read("events").values().stream())
                        .flatMap(result -> result.problems().stream())
                        .filter(p -> !p.isError() && p.path().equals("kind"))
                        .map(p -> p.message().replaceAll("unknown kind (\\w+);.*", "$1"))
                        .distinct()
                        .sorted()
                        .toList();

        assertThat(kinds)
                .containsExactly(
                        "PersistentVolumeClaim",
                        "Pod",
                        "ResourceQuota",
                        "Role",
                        "RoleBinding",
                        "Service",
                        "ServiceAccount");
    }

    @Test
    void everyValidManifestBecomesTheRecordOfItsKind() throws IOException {
        for (String area : List.of("workflows", "events")) {
            read(area)
                    .forEach(
                            (file, result) -> {
                                for (Manifest manifest : result.manifests()) {
                                    assertThatCode(
                                                    () ->
                                                            manifest.content(
                                                                    manifest.kind().content()))
                                            .as(file)
                                            .doesNotThrowAnyException();
                                }
                            });
        }
    }

    private static Map<String, Set<String>> paths(
            Map<String, ReadResult> results, Predicate<Problem> which) {
        return results.entrySet().stream()
                .flatMap(
                        entry ->
                                entry.getValue().problems().stream()
                                        .filter(which)
                                        .map(p -> Map.entry(entry.getKey(), p.path())))
                .collect(
                        groupingBy(
                                Map.Entry::getKey,
                                TreeMap::new,
                                mapping(Map.Entry::getValue, toSet())));
    }

    private static Map<String, ReadResult> read(String area) throws IOException {
        Path root =
                Path.of(System.getProperty("millrace.conformance", "absent"), area, "manifests");
        assumeTrue(
                Files.isDirectory(root),
                "no conformance data; set -Dmillrace.conformance=<folder>");
        Map<String, ReadResult> results = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(f -> f.toString().matches(".*\\.ya?ml")).toList()) {
                String name = root.relativize(file).toString();
                results.put(name, ManifestReader.read(name, Files.readString(file)));
            }
        }
        return results;
    }
}
