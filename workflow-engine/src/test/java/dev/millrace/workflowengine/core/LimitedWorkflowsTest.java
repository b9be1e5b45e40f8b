package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.WorkflowPhase;
import dev.millrace.workflowengine.view.WorkflowView;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Where only so many workflows run, each asks for a slot before it begins. */
final class LimitedWorkflowsTest {
    private static final String TOO_MANY =
            "Workflow processing has been postponed because too many workflows are already running";

    private static final String PLAIN =
            """
            entrypoint: main
            templates:
            - name: main
              container: {image: busybox, command: [run]}
            """;

    private static final String LOCKED = PLAIN + "synchronization: {mutexes: [{name: m}]}\n";

    @Test
    void aWorkflowAsksForItsSlotsAndItsLocksTogether() {
        assertThat(Scenario.limited(PLAIN).claimed(null))
                .containsExactly("workflows", "workflows/default");
        assertThat(Scenario.limited(LOCKED).claimed(null))
                .containsExactly("workflows", "workflows/default", "default/Mutex/m");
        assertThat(Scenario.given(PLAIN).claimants()).as("without a limit").isEmpty();
    }

    @Test
    void itIsPendingUntilItHasASlotWhichIsNoLockThatClientsSee() {
        Scenario s = Scenario.limited(LOCKED).waits(null, "workflows", TOO_MANY);
        JsonNode status = WorkflowView.render(s.state(), "1").path("status");
        assertThat(status.path("phase").asString()).isEqualTo("Pending");
        assertThat(status.path("message").asString()).isEqualTo(TOO_MANY);
        assertThat(status.has("synchronization")).isFalse();
        assertThat(s.running()).isEmpty();

        s.granted((String) null);
        assertThat(s.running()).containsExactly("wf");
        status = WorkflowView.render(s.state(), "1").path("status");
        assertThat(status.path("phase").asString()).isEqualTo("Running");
        assertThat(status.has("message")).isFalse();
        assertThat(status.path("synchronization").toString())
                .contains("default/Mutex/m")
                .doesNotContain("workflows");

        s.succeeds("wf").isFinished(WorkflowPhase.SUCCEEDED, null);
        assertThat(s.released()).containsExactly(s.holder(null));
    }

    @Test
    void oneThatIsStoppedWhileItWaitsEndsAndWantsNoSlot() {
        Scenario s = Scenario.limited(PLAIN).waits(null, "workflows", TOO_MANY);
        s.stop().endsAs(WorkflowPhase.FAILED);
        assertThat(s.released()).containsExactly(s.holder(null));
    }

    @Test
    void oneThatIsTakenUpAgainTakesASlotAnew() {
        Scenario s = Scenario.limited(PLAIN).granted((String) null).fails("wf", 1);
        s.endsAs(WorkflowPhase.FAILED);
        LockHolder before = s.holder(null);
        s.retry();
        assertThat(s.asking()).containsExactly(s.holder(null)).doesNotContain(before);
        assertThat(s.claimed(null)).containsExactly("workflows", "workflows/default");
        assertThat(s.running()).isEmpty();
        s.granted((String) null);
        assertThat(s.running()).containsExactly("wf");
    }
}
