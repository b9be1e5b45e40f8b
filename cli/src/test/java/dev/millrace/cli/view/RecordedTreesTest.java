package dev.millrace.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.testkit.Conformance;
import dev.millrace.workflowengine.core.NodeNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Trees that the real system made. */
final class RecordedTreesTest {

    private static final Instant NOW = Instant.EPOCH;

    @Test
    void everyNodeOfEveryRecordingHasExactlyOneLine() throws IOException {
        Path recorded = Conformance.assumePresent().resolve("workflows/recorded");
        List<Path> files;
        try (Stream<Path> all = Files.walk(recorded)) {
            files = all.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        }
        assertThat(files).hasSizeGreaterThan(100);
        for (Path file : files) {
            JsonNode workflow = workflow(file);
            Map<String, Integer> expected = new HashMap<>();
            for (JsonNode node : workflow.path("status").path("nodes")) {
                if (hasLine(node)) {
                    expected.merge(
                            WorkflowTree.clean(node.path("displayName").asString("")),
                            1,
                            Integer::sum);
                }
            }
            Map<String, Integer> drawn = new HashMap<>();
            for (String line : steps(WorkflowTree.render(workflow, NOW))) {
                if (!line.isEmpty()) {
                    drawn.merge(line.replaceFirst("^[ │├└─┬]*. ", ""), 1, Integer::sum);
                }
            }
            assertThat(drawn).as(file.toString()).isEqualTo(expected);
        }
    }

    @Test
    void theDiamondIsDrawnAsPeopleKnowIt() {
        Path file = Conformance.assumePresent().resolve("workflows/recorded/dag-diamond.json");

        assertThat(steps(WorkflowTree.render(workflow(file), NOW)))
                .containsExactly(" ✔ wf", " ├─✔ A", " ├─✔ B", " ├─✔ C", " └─✔ D");
    }

    @Test
    void stepsAreDrawnAsPeopleKnowThem() {
        Path file = Conformance.assumePresent().resolve("workflows/recorded/steps.json");

        assertThat(steps(WorkflowTree.render(workflow(file), NOW)))
                .containsExactly(" ✔ wf", " ├───✔ hello1", " └─┬─✔ hello2a", "   └─✔ hello2b");
    }

    @Test
    void theExitTreeStandsApart() {
        Path file = Conformance.assumePresent().resolve("workflows/recorded/exit-handlers.json");

        List<String> steps = steps(WorkflowTree.render(workflow(file), NOW));

        assertThat(steps.subList(0, 3)).containsExactly(" ✖ wf", "", " ✔ wf.onExit");
        assertThat(steps).hasSizeGreaterThan(3);
    }

    /** Frames of which the picture shows only what is inside. */
    private static boolean hasLine(JsonNode node) {
        String type = node.path("type").asString("");
        long attempts =
                node.path("children")
                        .valueStream()
                        .map(JsonNode::asString)
                        .filter(c -> isInside(node, c))
                        .count();
        return !type.equals("StepGroup") && !(type.equals("Retry") && attempts == 1);
    }

    private static boolean isInside(JsonNode node, String childId) {
        return node.path("insideIds").valueStream().anyMatch(id -> id.asString("").equals(childId));
    }

    /** The recording as the object that it was made of, as far as pictures need it. */
    private static ObjectNode workflow(Path file) {
        JsonNode recording;
        try {
            recording = Json.mapper().readTree(Files.readString(file).replace("$WF", "wf"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        ObjectNode workflow = Json.object();
        workflow.putObject("metadata").put("name", "wf");
        ObjectNode nodes = workflow.putObject("status").putObject("nodes");
        recording
                .path("nodes")
                .properties()
                .forEach(
                        entry -> {
                            String name = entry.getKey();
                            ObjectNode node = entry.getValue().deepCopy().asObject();
                            String id = NodeNames.id("wf", name);
                            node.put("id", id).put("name", name);
                            String boundary = node.path("boundary").asString("");
                            if (!boundary.isEmpty()) {
                                node.put("boundaryID", NodeNames.id("wf", boundary));
                            }
                            List<String> children = new ArrayList<>();
                            List<String> inside = new ArrayList<>();
                            for (JsonNode child : node.path("children")) {
                                String childId = NodeNames.id("wf", child.asString(""));
                                children.add(childId);
                                if (child.asString("").startsWith(name + "(")
                                        || child.asString("").startsWith(name + ".")) {
                                    inside.add(childId);
                                }
                            }
                            node.set("children", Json.tree(children));
                            node.set("insideIds", Json.tree(inside));
                            nodes.set(id, node);
                        });
        return workflow;
    }

    private static List<String> steps(List<String> lines) {
        int width = lines.isEmpty() ? 0 : lines.getFirst().indexOf("TEMPLATE");
        return lines.stream()
                .skip(1)
                .map(line -> line.substring(0, Math.min(width, line.length())).stripTrailing())
                .toList();
    }
}
