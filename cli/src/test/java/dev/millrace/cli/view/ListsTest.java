package dev.millrace.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Summaries and tables. */
final class ListsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final JsonNode WORKFLOW =
            Json.mapper()
                    .readTree(
                            """
                            {"metadata":{"name":"wf","namespace":"ns","creationTimestamp":"2026-03-01T10:59:00Z"},
                             "spec":{"arguments":{"parameters":[{"name":"a","value":"1"},{"name":"b"}]}},
                             "status":{"phase":"Failed","message":"no\\nluck","progress":"1/2",
                               "startedAt":"2026-03-01T11:00:00Z","finishedAt":"2026-03-01T11:01:05Z",
                               "conditions":[{"type":"Completed","status":"True"}],
                               "outputs":{"parameters":[{"name":"o","value":"2"}]}}}
                            """);

    @Test
    void theSummaryHasOneFactALine() {
        assertThat(WorkflowSummary.render(WORKFLOW, NOW, ZoneOffset.UTC, Style.PLAIN))
                .containsExactly(
                        "Name:                wf",
                        "Namespace:           ns",
                        "ServiceAccount:      unset",
                        "Status:              Failed",
                        "Message:             no luck",
                        "Conditions:",
                        " Completed           True",
                        "Created:             Sun Mar 01 10:59:00 +0000 (1 hour 1 minute ago)",
                        "Started:             Sun Mar 01 11:00:00 +0000 (1 hour ago)",
                        "Finished:            Sun Mar 01 11:01:05 +0000 (58 minutes 55 seconds ago)",
                        "Duration:            1 minute 5 seconds",
                        "Progress:            1/2",
                        "Parameters:",
                        "  a:                 1",
                        "  b:",
                        "Output Parameters:",
                        "  o:                 2");
    }

    @Test
    void theTableHasAWorkflowALine() {
        assertThat(WorkflowTable.render(List.of(WORKFLOW), NOW, false, false, Style.PLAIN))
                .containsExactly(
                        "NAME  STATUS  AGE  DURATION  MESSAGE",
                        "wf    Failed  1h   1m        no luck");
        assertThat(WorkflowTable.render(List.of(WORKFLOW), NOW, true, true, Style.PLAIN))
                .containsExactly(
                        "NAMESPACE  NAME  STATUS  AGE  DURATION  PROGRESS  PARAMETERS  MESSAGE",
                        "ns         wf    Failed  1h   1m        1/2       a=1,b=      no luck");
    }

    @Test
    void coloursTakeNoRoomInATable() {
        List<String> lines =
                WorkflowTable.render(List.of(WORKFLOW), NOW, false, false, Style.COLOURED);

        assertThat(lines.getLast())
                .isEqualTo("wf    \u001b[31mFailed\u001b[0m  1h   1m        no luck");
    }

    @Test
    void anEventIsShownWithItsDecisionsAndWorkflows() {
        JsonNode event =
                Json.mapper()
                        .readTree(
                                """
                                {"id":"e1","namespace":"ns","source":"src","subject":"push","type":"webhook",
                                 "time":"2026-03-01T11:59:00Z","size":7,"data":"{}","partition":1,"offset":2,
                                 "decisions":[{"sensor":"s","trigger":"t","dependency":"d","outcome":"filtered","reason":"body.x"}],
                                 "activations":[{"workflows":["ns/wf"]}]}
                                """);

        assertThat(EventPicture.show(event, Style.PLAIN))
                .contains(
                        "Event:               ns/src/push",
                        "Place in the log:    partition 1, offset 2",
                        "  sensor s, trigger t, dependency d: filtered (body.x)",
                        "Workflow:            ns/wf");
        assertThat(EventPicture.list(Json.mapper().createArrayNode().add(event), NOW).getLast())
                .isEqualTo("e1  ns         src     push   webhook  1m   7      0");
    }

    @Test
    void spansAreToldInTheirLargestUnits() {
        assertThat(Times.brief(Duration.ofSeconds(-3))).isEqualTo("0s");
        assertThat(Times.brief(Duration.ofSeconds(59))).isEqualTo("59s");
        assertThat(Times.brief(Duration.ofSeconds(3_599))).isEqualTo("59m");
        assertThat(Times.brief(Duration.ofHours(25))).isEqualTo("1d");
        assertThat(Times.words(Duration.ZERO)).isEqualTo("0 seconds");
        assertThat(Times.words(Duration.ofSeconds(90_061))).isEqualTo("1 day 1 hour");
    }

    @Test
    void objectsAreYamlThatReadsBackTheSame() {
        String yaml = YamlText.of(WORKFLOW);

        assertThat(yaml).contains("  name: wf").doesNotContain("{");
        assertThat(
                        dev.millrace.schemas.yaml.YamlReader.read("x", yaml)
                                .documents()
                                .getFirst()
                                .tree())
                .isEqualTo(WORKFLOW);
    }
}
