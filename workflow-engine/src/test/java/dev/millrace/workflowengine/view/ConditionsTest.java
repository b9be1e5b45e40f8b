package dev.millrace.workflowengine.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.LargeSubmission;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowSource;
import dev.millrace.workflowengine.core.WorkflowInput;
import dev.millrace.workflowengine.core.WorkflowMachine;
import dev.millrace.workflowengine.state.Evolution;
import dev.millrace.workflowengine.state.InMemoryWorkflow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Warnings about a manifest as clients see them. */
final class ConditionsTest {

    private static WorkflowCommand.Submit submit(String comment, List<String> warnings) {
        JsonNode manifest =
                Json.mapper()
                        .readTree(
                                """
                                {"metadata": {"name": "w", "annotations": {"comment": "%s"}},
                                 "spec": {"entrypoint": "main", "templates": [{"name": "main", "container": {"image": "x"}}]}}"""
                                        .formatted(comment));
        return new WorkflowCommand.Submit(
                "c",
                "n",
                "w",
                "u",
                new WorkflowSource(
                        manifest,
                        manifest.path("spec"),
                        Map.of(),
                        null,
                        null,
                        Map.of(),
                        Map.of(),
                        null,
                        warnings),
                false,
                null,
                null);
    }

    private static List<String> conditions(WorkflowCommand.Submit submit) {
        InMemoryWorkflow state = new InMemoryWorkflow();
        new WorkflowMachine()
                .decide(
                        state,
                        "n",
                        "w",
                        new WorkflowInput.Command(submit),
                        Instant.parse("2026-01-01T00:00:00Z"))
                .forEach(event -> Evolution.apply(state, "n", "w", event));
        return WorkflowView.render(state, "1")
                .at("/status/conditions")
                .valueStream()
                .filter(c -> c.path("type").asString().equals("SpecWarning"))
                .map(c -> c.path("status").asString() + " " + c.path("message").asString())
                .toList();
    }

    @Test
    void allWarningsAreOneCondition() {
        assertThat(conditions(submit("", List.of("spec.a: old", "spec.b: older"))))
                .containsExactly("True spec.a: old; spec.b: older");
        assertThat(conditions(submit("", List.of()))).isEmpty();
    }

    @Test
    void aLargeSubmissionKeepsItsWarnings() {
        StringBuilder comment = new StringBuilder();
        java.util.Random random = new java.util.Random(1);
        while (comment.length() < 600_000) {
            comment.append(Long.toHexString(random.nextLong()));
        }
        WorkflowCommand.Submit large = submit(comment.toString(), List.of("spec.a: old"));
        List<WorkflowCommand> parts = LargeSubmission.split(large);
        assertThat(parts).hasSizeGreaterThan(1);
        WorkflowCommand.Submit joined =
                LargeSubmission.join(
                        (WorkflowCommand.Submit) parts.getLast(),
                        parts.stream()
                                .filter(WorkflowCommand.SubmitPart.class::isInstance)
                                .map(part -> ((WorkflowCommand.SubmitPart) part).data())
                                .toList());
        assertThat(joined).isEqualTo(large);
        assertThat(conditions(joined)).containsExactly("True spec.a: old");
    }
}
