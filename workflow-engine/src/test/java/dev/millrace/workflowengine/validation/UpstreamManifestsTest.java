package dev.millrace.workflowengine.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.testkit.Conformance;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The manifests that the real system took are taken, those that it refused are refused. */
final class UpstreamManifestsTest {
    private static final Map<String, JsonNode> TEMPLATES = new HashMap<>();
    private static final Map<String, JsonNode> DOCUMENTS = new TreeMap<>();

    /** Those whose structure is wrong already. */
    private static final Set<String> UNSOUND = new TreeSet<>();

    private static final TemplateLookup LOOKUP =
            new TemplateLookup() {
                @Override
                public @Nullable JsonNode workflowTemplate(String namespace, String name) {
                    return TEMPLATES.get("WorkflowTemplate/" + name);
                }

                @Override
                public @Nullable JsonNode clusterWorkflowTemplate(String name) {
                    return TEMPLATES.get("ClusterWorkflowTemplate/" + name);
                }
            };

    private static final Set<String> CANNOT_RUN =
            Set.of(
                    "tpl:resource",
                    "artifact.gcs.inputs",
                    "artifact.gcs.outputs",
                    "artifact.azure.inputs",
                    "artifact.azure.outputs",
                    "artifact.oss.inputs",
                    "artifact.hdfs.inputs",
                    "artifact.hdfs.outputs",
                    "artifact.artifactory.inputs",
                    "artifact.artifactory.outputs",
                    "artifact.plugin.outputs",
                    "tpl.sync.mutexes.database",
                    "tpl.sync.semaphores.database",
                    "wf.sync.mutexes.database",
                    "wf.sync.semaphores.database");

    @BeforeAll
    static void readManifests() throws IOException {
        Path folder = Conformance.assumePresent().resolve("workflows").resolve("manifests");
        try (Stream<Path> files = Files.walk(folder)) {
            files.filter(f -> f.toString().endsWith(".yaml"))
                    .sorted()
                    .forEach(f -> read(folder, f));
        }
    }

    private static void read(Path folder, Path file) {
        try {
            String name = folder.relativize(file).toString();
            List<ManifestDocument> documents =
                    ManifestReader.read(name, Files.readString(file)).documents();
            for (int i = 0; i < documents.size(); i++) {
                JsonNode tree = documents.get(i).manifest().tree();
                if (!documents.get(i).isValid()) {
                    UNSOUND.add(name + "#" + i);
                }
                DOCUMENTS.put(name + "#" + i, tree);
                TEMPLATES.put(
                        tree.path("kind").asString("")
                                + "/"
                                + tree.path("metadata").path("name").asString(""),
                        tree);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void everyManifestThatTheRealSystemTookHasNoError() {
        Map<String, List<Problem>> refused = new TreeMap<>();
        DOCUMENTS.forEach(
                (name, tree) -> {
                    List<Problem> errors =
                            WorkflowValidator.validate(tree, LOOKUP, false).stream()
                                    .filter(Problem::isError)
                                    .toList();
                    if (!errors.isEmpty()) {
                        refused.put(name, errors);
                    }
                });
        assertThat(DOCUMENTS).hasSizeGreaterThan(190);
        assertThat(refused).isEmpty();
    }

    /** What a manifest needs, as the table of the manifests says, is what cannot run yet. */
    @Test
    void whatCannotRunYetIsRefused() throws IOException {
        Path table = Conformance.assumePresent().resolve("workflows").resolve("index.tsv");
        Map<String, Set<String>> features = new TreeMap<>();
        for (String line : Files.readAllLines(table)) {
            String[] columns = line.split("\t", -1);
            features.put(columns[0], Set.of(columns[2].split(", ")));
        }
        Map<String, Boolean> refused = new TreeMap<>();
        DOCUMENTS.forEach(
                (name, tree) -> {
                    refused.merge(
                            name.substring(0, name.indexOf('#')),
                            Support.check(tree, LOOKUP).stream().anyMatch(Problem::isError),
                            Boolean::logicalOr);
                });
        assertThat(refused).hasSizeGreaterThan(170);
        refused.forEach(
                (manifest, is) -> {
                    Set<String> needs = new TreeSet<>(features.getOrDefault(manifest, Set.of()));
                    needs.retainAll(CANNOT_RUN);
                    assertThat(is).as(manifest + " needs " + needs).isEqualTo(!needs.isEmpty());
                });
    }

    @Test
    void everyExpressionOfTheRealManifestsRefersToWhatIsThere() {
        Map<String, List<Problem>> warned = new TreeMap<>();
        DOCUMENTS.forEach(
                (name, tree) -> {
                    List<Problem> all = WorkflowValidator.validate(tree, LOOKUP, false);
                    if (!all.isEmpty()) {
                        warned.put(name, all);
                    }
                });
        assertThat(warned).isEmpty();
    }

    @Test
    void aManifestWithoutNameIsRefusedWhenItIsRead() {
        assertThat(UNSOUND).contains("k8s-jobs.yaml#0");
    }

    @Test
    void aWorkflowWithoutAParameterThatItsTemplateUsesIsRefused() {
        assertThat(submitFrom("event-consumer"))
                .contains("failed to resolve {{workflow.parameters.appellation}}");
    }

    @Test
    void anEntrypointWhoseInputNobodySuppliesIsRefused() {
        assertThat(submitFrom("workflow-template-print-message"))
                .contains("inputs.parameters.message was not supplied");
    }

    private static String submitFrom(String template) {
        ObjectNode workflow = Json.object().put("kind", "Workflow");
        workflow.putObject("metadata").put("generateName", "x-");
        workflow.putObject("spec").putObject("workflowTemplateRef").put("name", template);
        return WorkflowValidator.validate(workflow, LOOKUP, false).toString();
    }
}
