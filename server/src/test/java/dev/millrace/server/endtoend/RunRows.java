package dev.millrace.server.endtoend;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The conformance table of workflows, as what can be run. */
final class RunRows {

    /**
     * A recording and what can be submitted to get the like.
     *
     * @param local whether the steps can run as processes of this machine
     * @param random whether the outcome depends on chance
     */
    record Row(
            String recording,
            String manifest,
            boolean local,
            boolean random,
            List<JsonNode> documents) {}

    private final Path folder;

    /** The folder {@code workflows} of the conformance data. */
    RunRows(Path folder) {
        this.folder = folder;
    }

    List<Row> all() throws IOException {
        List<Row> rows = new ArrayList<>();
        List<String> lines = Files.readAllLines(folder.resolve("index.tsv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split("\t", -1);
            for (String recording : cells[8].split("[,; ]+")) {
                if (recording.endsWith(".json")) {
                    rows.add(
                            new Row(
                                    recording,
                                    cells[0],
                                    cells[4].equals("yes"),
                                    cells[6].equals("yes"),
                                    submittable(cells[0])));
                }
            }
        }
        return rows;
    }

    JsonNode recorded(String recording) throws IOException {
        return Json.mapper()
                .readTree(Files.readString(folder.resolve("recorded").resolve(recording)));
    }

    /** Every document that others refer to. */
    List<JsonNode> templates() {
        try (Stream<Path> files = Files.walk(folder.resolve("manifests"))) {
            return files.filter(f -> f.toString().endsWith(".yaml"))
                    .sorted()
                    .flatMap(f -> documents(f).stream())
                    .filter(d -> d.path("kind").asString("").endsWith("WorkflowTemplate"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The workflows of a file, or else one made of what it has, as the recordings were. */
    private List<JsonNode> submittable(String manifest) {
        List<JsonNode> documents = documents(folder.resolve("manifests").resolve(manifest));
        List<JsonNode> own =
                documents.stream()
                        .filter(d -> d.path("kind").asString("").equals("Workflow"))
                        .toList();
        return own.isEmpty() ? documents.stream().flatMap(RunRows::made).toList() : own;
    }

    private static Stream<JsonNode> made(JsonNode document) {
        ObjectNode workflow = Json.object();
        workflow.putObject("metadata").put("generateName", "made-");
        ObjectNode ref =
                Json.object().put("name", document.path("metadata").path("name").asString(""));
        switch (document.path("kind").asString("")) {
            case "CronWorkflow" -> workflow.set("spec", document.path("spec").path("workflowSpec"));
            case "WorkflowTemplate" -> workflow.putObject("spec").set("workflowTemplateRef", ref);
            case "ClusterWorkflowTemplate" ->
                    workflow.putObject("spec")
                            .set("workflowTemplateRef", ref.put("clusterScope", true));
            default -> {
                return Stream.empty();
            }
        }
        return Stream.of(workflow);
    }

    private static List<JsonNode> documents(Path file) {
        try {
            return ManifestReader.read(file.getFileName().toString(), Files.readString(file))
                    .documents()
                    .stream()
                    .map(ManifestDocument::manifest)
                    .map(m -> (JsonNode) m.tree())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
