package dev.millrace.workflowengine.cron.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.log.serde.UndecodableRecordException;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.cron.topology.LifeSigns.Sign;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifeSignsTest {

    private static LifeSigns read(String json) {
        return LifeSigns.read("t", json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void beginningAndEndAreSeenAmongOtherEventsInWhateverOrderTheMembersStand() {
        assertThat(
                        read(
                                """
                                {'namespace': 'n', 'name': 'w', 'uid': 'u', 'seq': 1, 'events': [
                                  {'manifest': {'spec': {'metadata': 1}, 'metadata': {'labels':
                                    {'workflows.argoproj.io/cron-workflow': 'c'}, 'ownerReferences':
                                    [{'kind': 'CronWorkflow', 'name': 'c'}]}}, 'kind': 'Submitted'},
                                  {'kind': 'NodeFinished', 'phase': 'Failed', 'at': 'x', 'outputs': {'kind': 'Finished'}},
                                  {'kind': 'Finished', 'phase': 'Error', 'at': '2026-01-01T00:00:00Z', 'message': null},
                                  {'kind': 'Deleted', 'at': '2026-01-01T00:00:00Z'}]}
                                """))
                .isEqualTo(
                        new LifeSigns(
                                "u",
                                List.of(
                                        new Sign.Submitted("c", true),
                                        new Sign.Finished(
                                                WorkflowPhase.ERROR,
                                                Instant.parse("2026-01-01T00:00:00Z")),
                                        new Sign.Deleted())));
    }

    @Test
    void aBackfillIsNoWorkflowOfTheCronAndAnotherOwnerIsNoOwner() {
        String submitted =
                "{'uid': 'u', 'events': [{'kind': 'Submitted', 'manifest': {'metadata': {'labels': {'workflows.argoproj.io/cron-workflow': 'c'%s}, 'ownerReferences': [{'kind': 'Job', 'name': 'c'}]}}}]}";
        assertThat(read(submitted.formatted("")).signs())
                .containsExactly(new Sign.Submitted("c", false));
        assertThat(read(submitted.formatted(", 'workflows.argoproj.io/backfill': 'c'")).signs())
                .containsExactly(new Sign.Submitted(null, false));
    }

    @Test
    void whatCannotBeReadIsSaid() {
        for (String text :
                List.of(
                        "[]",
                        "{'events': [{'kind': 'Finished', 'phase': 'Odd', 'at': '2026-01-01T00:00:00Z'}]}",
                        "{'uid'")) {
            assertThatThrownBy(() -> read(text)).isInstanceOf(UndecodableRecordException.class);
        }
    }
}
