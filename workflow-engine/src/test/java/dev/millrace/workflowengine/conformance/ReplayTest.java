package dev.millrace.workflowengine.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Comparison;
import dev.millrace.testkit.Conformance;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import dev.millrace.workflowengine.view.WorkflowView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.databind.JsonNode;

/**
 * Every recording whose features are within what the engine can do: the tree that it builds is the
 * recorded one.
 */
final class ReplayTest {

    private record Row(
            String manifest, String recording, String features, List<JsonNode> documents) {}

    @TestFactory
    List<DynamicTest> replaysGiveTheRecordedTree() throws IOException {
        Path folder = Conformance.assumePresent().resolve("workflows");
        Manifests manifests = new Manifests(folder.resolve("manifests"));
        List<DynamicTest> tests = new ArrayList<>();
        for (Row row : rows(folder, manifests)) {
            if (ReplayTable.LEFT_OUT.containsKey(row.recording())) {
                continue;
            }
            tests.add(
                    DynamicTest.dynamicTest(
                            row.recording(),
                            () -> {
                                List<String> differences = replay(folder, manifests, row, 200);
                                assertThat(differences).as(row.recording()).isEmpty();
                            }));
        }
        return tests;
    }

    /** How a decision is cut into portions makes no difference to the tree. */
    @Test
    void portionsMakeNoDifference() throws IOException {
        Path folder = Conformance.assumePresent().resolve("workflows");
        Manifests manifests = new Manifests(folder.resolve("manifests"));
        for (Row row : rows(folder, manifests)) {
            if (!ReplayTable.LEFT_OUT.containsKey(row.recording())) {
                for (int budget : List.of(1, 3)) {
                    assertThat(replay(folder, manifests, row, budget))
                            .as(row.recording() + " by " + budget)
                            .isEmpty();
                }
            }
        }
    }

    private static List<String> replay(Path folder, Manifests manifests, Row row, int budget)
            throws IOException {
        JsonNode recorded =
                Json.mapper()
                        .readTree(
                                Files.readString(
                                        folder.resolve("recorded").resolve(row.recording())));
        List<String> best = null;
        for (JsonNode document : row.documents()) {
            InMemoryWorkflow state = new Replay(recorded, budget).run(document, manifests);
            JsonNode view = WorkflowView.render(state, "1");
            List<String> differences = new ArrayList<>(Comparison.of(recorded, view));
            view.at("/status/conditions")
                    .valueStream()
                    .filter(ReplayTest::isWrong)
                    .forEach(condition -> differences.add("condition " + condition));
            if (best == null || differences.size() < best.size()) {
                best = differences;
            }
        }
        return best == null ? List.of("no document to submit") : best;
    }

    /** None of the recordings has a condition that says that something is wrong. */
    private static boolean isWrong(JsonNode condition) {
        return condition.path("type").asString("").endsWith("Error");
    }

    @Test
    void everyRecordingIsReplayedOrNamedWithItsReason() throws IOException {
        Path folder = Conformance.assumePresent().resolve("workflows");
        Manifests manifests = new Manifests(folder.resolve("manifests"));
        List<String> all = rows(folder, manifests).stream().map(Row::recording).toList();
        assertThat(ReplayTable.LEFT_OUT.keySet()).allMatch(all::contains, "is a recording");
        System.out.printf(
                "workflow replay: %d recordings, %d replayed, %d left out%n",
                all.size(), all.size() - ReplayTable.LEFT_OUT.size(), ReplayTable.LEFT_OUT.size());
        ReplayTable.LEFT_OUT.forEach(
                (name, reason) -> System.out.printf("  left out: %-60s %s%n", name, reason));
    }

    private static List<Row> rows(Path folder, Manifests manifests) throws IOException {
        List<Row> rows = new ArrayList<>();
        List<String> lines = Files.readAllLines(folder.resolve("index.tsv"));
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split("\t", -1);
            for (String recording : cells[8].split("[,; ]+")) {
                if (recording.endsWith(".json")) {
                    rows.add(
                            new Row(
                                    cells[0],
                                    recording,
                                    cells[2],
                                    documents(manifests.documents(cells[0]))));
                }
            }
        }
        return rows;
    }

    /**
     * What can be submitted of a file: its workflows, or else one made of its template, as the
     * recordings were.
     */
    private static List<JsonNode> documents(List<JsonNode> all) {
        List<JsonNode> workflows = new ArrayList<>();
        for (JsonNode tree : all) {
            Map<String, Object> made = new LinkedHashMap<>();
            String name = tree.path("metadata").path("name").asString("");
            switch (tree.path("kind").asString("")) {
                case "Workflow" -> workflows.add(tree);
                case "CronWorkflow" ->
                        workflows.add(workflow(tree.path("spec").path("workflowSpec")));
                case "WorkflowTemplate" -> workflows.add(fromTemplate(name, false, tree));
                case "ClusterWorkflowTemplate" -> workflows.add(fromTemplate(name, true, tree));
                default -> {}
            }
        }
        List<JsonNode> own =
                workflows.stream().filter(w -> !w.path("metadata").has("made")).toList();
        return own.isEmpty() ? workflows : own;
    }

    private static JsonNode workflow(JsonNode spec) {
        return Json.object().set("spec", spec);
    }

    private static JsonNode fromTemplate(String name, boolean cluster, JsonNode template) {
        var ref = Json.object().put("name", name);
        if (cluster) {
            ref.put("clusterScope", true);
        }
        var spec = Json.object();
        spec.set("workflowTemplateRef", ref);
        var workflow = Json.object();
        workflow.set("metadata", Json.object().put("made", "yes"));
        workflow.set("spec", spec);
        return workflow;
    }
}
