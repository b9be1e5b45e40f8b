package dev.millrace.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class WorkflowTreeTest {

    private static final Instant NOW = Instant.parse("2026-03-01T10:01:00Z");

    private final ObjectNode workflow = Json.object();

    WorkflowTreeTest() {
        workflow.putObject("metadata").put("name", "wf");
    }

    @Test
    void aSinglePodIsOneLine() {
        node("wf", "Pod", "Succeeded", "")
                .put("templateName", "main")
                .put("finishedAt", "2026-03-01T10:00:05Z");

        assertThat(render())
                .containsExactly(
                        "STEP   TEMPLATE  PODNAME  DURATION  MESSAGE",
                        " ✔ wf  main      wf       5s");
    }

    @Test
    void stepsOfAGroupHangAtOneFork() {
        node("wf", "Steps", "Running", "").put("templateName", "main");
        children("wf", "wf[0]");
        node("wf[0]", "StepGroup", "Succeeded", "wf");
        children("wf[0]", "wf[0].one");
        node("wf[0].one", "Pod", "Succeeded", "wf")
                .put("templateName", "say")
                .put("displayName", "one");
        children("wf[0].one", "wf[1]");
        node("wf[1]", "StepGroup", "Running", "wf").put("startedAt", "2026-03-01T10:00:10Z");
        children("wf[1]", "wf[1].two-a", "wf[1].two-b", "wf[1].two-c");
        node("wf[1].two-a", "Pod", "Running", "wf").put("displayName", "two-a");
        node("wf[1].two-b", "Skipped", "Skipped", "wf")
                .put("displayName", "two-b")
                .put("message", "when 'a == b' evaluated false");
        node("wf[1].two-c", "Pod", "Failed", "wf")
                .put("displayName", "two-c")
                .put("message", "exit\ncode 1");

        assertThat(steps())
                .containsExactly(
                        " ● wf", " ├───✔ one", " └─┬─● two-a", "   ├─○ two-b", "   └─✖ two-c");
        assertThat(render()).anyMatch(line -> line.endsWith("when 'a == b' evaluated false"));
        assertThat(render()).anyMatch(line -> line.endsWith("exit code 1"));
    }

    @Test
    void tasksOfADagFollowEachOtherAsTheyRanAlsoWithinASecond() {
        node("wf", "DAG", "Succeeded", "");
        children("wf", "wf.z");
        node("wf.z", "Pod", "Succeeded", "wf").put("displayName", "z");
        children("wf.z", "wf.b", "wf.c");
        node("wf.b", "Pod", "Succeeded", "wf").put("displayName", "b");
        node("wf.c", "Pod", "Succeeded", "wf").put("displayName", "c");
        children("wf.b", "wf.a");
        children("wf.c", "wf.a");
        node("wf.a", "Skipped", "Omitted", "wf").put("displayName", "a");

        assertThat(steps()).containsExactly(" ✔ wf", " ├─✔ z", " ├─✔ b", " ├─✔ c", " └─○ a");
    }

    @Test
    void aRetryOfOneAttemptIsTheAttemptAndOneOfMoreHasThemInside() {
        node("wf", "DAG", "Running", "");
        node("wf.once", "Retry", "Succeeded", "wf").put("displayName", "once");
        children("wf.once", "wf.once(0)");
        node("wf.once(0)", "Pod", "Succeeded", "wf").put("displayName", "once(0)");
        // What follows in time is a child of the last attempt, and not inside.
        children("wf.once(0)", "wf.twice");
        node("wf.twice", "Retry", "Running", "wf").put("displayName", "twice");
        children("wf.twice", "wf.twice(0)", "wf.twice(1)");
        node("wf.twice(0)", "Pod", "Failed", "wf").put("displayName", "twice(0)");
        node("wf.twice(1)", "Pod", "Running", "wf").put("displayName", "twice(1)");

        assertThat(steps())
                .containsExactly(
                        " ● wf",
                        " ├─✔ once(0)",
                        " └─● twice",
                        "   ├─✖ twice(0)",
                        "   └─● twice(1)");
    }

    @Test
    void itemsOfALoopAreInsideTheirGroupInTheOrderOfTheirNumbers() {
        node("wf", "DAG", "Running", "");
        node("wf.loop", "TaskGroup", "Running", "wf").put("displayName", "loop");
        children("wf.loop", "wf.loop(10:k)", "wf.loop(9:j)", "wf.after");
        node("wf.loop(10:k)", "Pod", "Running", "wf").put("displayName", "loop(10:k)");
        node("wf.loop(9:j)", "Pod", "Running", "wf").put("displayName", "loop(9:j)");
        node("wf.after", "Pod", "", "wf").put("displayName", "after");

        assertThat(steps())
                .containsExactly(
                        " ● wf",
                        " ├─● loop",
                        " │ ├─● loop(9:j)",
                        " │ └─● loop(10:k)",
                        " └─◷ after");
    }

    @Test
    void theExitHandlerIsATreeOfItsOwnAtTheEnd() {
        node("wf.onExit", "Pod", "Error", "").put("startedAt", "2026-03-01T09:00:00Z");
        node("wf", "Suspend", "Running", "");

        assertThat(steps()).containsExactly(" ǁ wf", "", " ⚠ wf.onExit");
    }

    @Test
    void containersOfASetAreInsideTheirPod() {
        node("wf", "Pod", "Running", "").put("templateName", "set");
        children("wf", "wf.a");
        node("wf.a", "Container", "Succeeded", "wf").put("displayName", "a");
        children("wf.a", "wf.b");
        node("wf.b", "Container", "Running", "wf").put("displayName", "b");

        assertThat(steps()).containsExactly(" ● wf", " ├─✔ a", " └─● b");
    }

    @Test
    void theTemplateOfAReferenceIsNamedWithItsOwner() {
        ObjectNode pod = node("wf.a", "Pod", "Running", "wf");
        pod.putObject("templateRef").put("name", "shared").put("template", "say");
        node("wf", "DAG", "Running", "");

        assertThat(render())
                .anyMatch(line -> line.contains("shared/say") && line.contains("wf-say-"));
    }

    @Test
    void aTreeWhoseBoundariesGoInACircleIsDrawnAllTheSame() {
        node("wf.a", "Steps", "Running", "wf.b").put("displayName", "a");
        node("wf.b", "Steps", "Running", "wf.a").put("displayName", "b");

        assertThat(String.join("\n", steps())).contains("● a").contains("● b");
    }

    @Test
    void withoutNodesThereIsNothing() {
        assertThat(render()).isEmpty();
    }

    @Test
    void sequencesThatSteerATerminalAreNotPassedOn() {
        node("wf", "Pod", "Failed", "").put("message", "\u001b[2Jgone\u0007");

        assertThat(String.join("\n", render()))
                .doesNotContain("\u001b")
                .doesNotContain("\u0007")
                .contains("[2Jgone");
    }

    private ObjectNode node(String name, String type, String phase, String boundary) {
        ObjectNode node =
                workflow.withObject("/status")
                        .withObject("/nodes")
                        .putObject(name)
                        .put("id", name)
                        .put("name", name)
                        .put("displayName", name)
                        .put("type", type)
                        .put("phase", phase)
                        .put("startedAt", "2026-03-01T10:00:00Z");
        if (!boundary.isEmpty()) {
            node.put("boundaryID", boundary);
        }
        return node;
    }

    private void children(String parent, String... children) {
        var list =
                ((ObjectNode) workflow.path("status").path("nodes").path(parent))
                        .putArray("children");
        for (String child : children) {
            list.add(child);
        }
    }

    private List<String> render() {
        return WorkflowTree.render(workflow, NOW);
    }

    /** The first column only. */
    private List<String> steps() {
        List<String> lines = render();
        int width = lines.getFirst().indexOf("TEMPLATE");
        return lines.stream()
                .skip(1)
                .map(line -> line.substring(0, Math.min(width, line.length())).stripTrailing())
                .toList();
    }
}
