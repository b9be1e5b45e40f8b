package dev.millrace.workflowengine.cron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.CronInput;
import dev.millrace.schemas.record.WorkflowPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class CronMachineTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String EACH_MINUTE = "schedules: ['* * * * *']\n";

    @Test
    void eachTimeOfTheScheduleHasAWorkflowNamedAfterIt() {
        CronScenario cron =
                new CronScenario("schedules: ['*/10 * * * *']").pass(MINUTE.multipliedBy(25));
        assertThat(cron.runs()).containsExactly("2026-01-05T12:10:00Z", "2026-01-05T12:20:00Z");
        assertThat(cron.workflows()).containsExactly("c-1767615000", "c-1767615600");
        assertThat(cron.state().lastScheduledTime())
                .isEqualTo(Instant.parse("2026-01-05T12:20:00Z"));
        assertThat(cron.state().active())
                .extracting(CronState.Run::workflow)
                .containsExactly("c-1767615000", "c-1767615600");
    }

    @Test
    void theWorkflowHasNameTimeLabelOwnerAndTheMetadataThatIsWritten() {
        CronScenario cron =
                new CronScenario(
                                """
                                schedules: ['* * * * *']
                                workflowMetadata:
                                  labels: {a: b}
                                  annotations: {c: d}
                                workflowSpec:
                                  entrypoint: main
                                  arguments:
                                    parameters:
                                    - {name: who, value: 'by {{cronworkflow.name}} of {{cronworkflow.labels.team}}'}
                                    - {name: first, value: '{{=cronworkflow.lastScheduledTime == nil}}'}
                                    - {name: later, value: '{{workflow.scheduledTime}}'}
                                """)
                        .pass(MINUTE);
        JsonNode workflow = cron.of(CronEvent.RunOrdered.class).getFirst().manifest();
        JsonNode metadata = workflow.path("metadata");
        assertThat(metadata.path("name").asString()).isEqualTo("c-1767614460");
        assertThat(metadata.path("namespace").asString()).isEqualTo("ns");
        assertThat(metadata.path("labels").toString())
                .isEqualTo("{\"workflows.argoproj.io/cron-workflow\":\"c\",\"a\":\"b\"}");
        assertThat(metadata.path("annotations").toString())
                .isEqualTo(
                        "{\"workflows.argoproj.io/scheduled-time\":\"2026-01-05T12:01:00Z\",\"c\":\"d\"}");
        assertThat(metadata.path("ownerReferences").get(0).path("uid").asString()).isEqualTo("u");
        assertThat(workflow.path("spec").path("arguments").path("parameters"))
                .extracting(p -> p.path("value").asString())
                .containsExactly("by c of red", "true", "{{workflow.scheduledTime}}");
    }

    @Test
    void severalSchedulesRunEachAtItsTimeAndOnceWhereTheyMeet() {
        CronScenario cron =
                new CronScenario("schedules: ['*/10 * * * *', '*/15 * * * *']")
                        .pass(Duration.ofMinutes(31));
        assertThat(cron.runs())
                .containsExactly(
                        "2026-01-05T12:10:00Z",
                        "2026-01-05T12:15:00Z",
                        "2026-01-05T12:20:00Z",
                        "2026-01-05T12:30:00Z");
    }

    @Test
    void anIntervalCountsFromItsOwnTimesWhateverAnotherScheduleDoes() {
        CronScenario cron =
                new CronScenario("schedules: ['@every 4m', '* * * * *']")
                        .pass(Duration.ofMinutes(9));
        assertThat(cron.runs())
                .contains("2026-01-05T12:04:30Z", "2026-01-05T12:08:30Z")
                .hasSize(11);
    }

    /** The table of the field's documentation: a skipped hour has no run, a repeated one two. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-29T00:00:00Z, 30 2 * * *, ''",
        "2026-03-29T00:00:00Z, 30 1 * * *, 2026-03-29T00:30:00Z",
        "2026-03-29T00:00:00Z, 30 3 * * *, 2026-03-29T01:30:00Z",
        "2026-10-24T23:00:00Z, 30 2 * * *, 2026-10-25T00:30:00Z 2026-10-25T01:30:00Z",
        "2026-10-24T23:00:00Z, 30 3 * * *, 2026-10-25T02:30:00Z"
    })
    void summerTimeSkipsOrRepeatsWhatTheClockDoes(Instant start, String schedule, String runs) {
        CronScenario cron =
                new CronScenario(
                                "{schedules: ['" + schedule + "'], timezone: Europe/Berlin}", start)
                        .pass(Duration.ofHours(6));
        assertThat(String.join(" ", cron.runs())).isEqualTo(runs);
    }

    @Test
    void theRemedyForTheRepeatedHourIsAWhen() {
        CronScenario cron =
                new CronScenario(
                                """
                                schedules: ['30 2 * * *']
                                timezone: Europe/Berlin
                                when: "{{= cronworkflow.lastScheduledTime == nil || (now() - cronworkflow.lastScheduledTime).Seconds() > 3600 }}"
                                """,
                                Instant.parse("2026-10-24T23:00:00Z"))
                        .pass(Duration.ofHours(6));
        assertThat(cron.runs()).containsExactly("2026-10-25T00:30:00Z");
        assertThat(cron.skipped()).containsExactly("2026-10-25T01:30:00Z WHEN");
    }

    @Test
    void forbidSkipsWhileAWorkflowRunsOrIsUnderWay() {
        CronScenario cron =
                new CronScenario(EACH_MINUTE + "concurrencyPolicy: Forbid")
                        .pass(MINUTE.multipliedBy(2));
        assertThat(cron.workflows()).containsExactly("c-1767614460");
        assertThat(cron.skipped()).containsExactly("2026-01-05T12:02:00Z FORBID");
        cron.finished("c-1767614460", WorkflowPhase.SUCCEEDED).pass(MINUTE);
        assertThat(cron.runs()).containsExactly("2026-01-05T12:01:00Z", "2026-01-05T12:03:00Z");
    }

    @Test
    void replaceTerminatesWhatRunsFirst() {
        CronScenario cron =
                new CronScenario(EACH_MINUTE + "concurrencyPolicy: Replace")
                        .pass(MINUTE.multipliedBy(2));
        assertThat(cron.events)
                .filteredOn(
                        e ->
                                e instanceof CronEvent.TerminationOrdered
                                        || e instanceof CronEvent.RunOrdered)
                .extracting(
                        e ->
                                e instanceof CronEvent.TerminationOrdered(String w)
                                        ? "end " + w
                                        : "run")
                .containsExactly("run", "end c-1767614460", "run");
    }

    @Test
    void afterADowntimeOnlyTheLastMissedTimeWithinTheDeadlineRuns() {
        CronScenario without = new CronScenario(EACH_MINUTE).down(Duration.ofHours(3));
        // 15:00:00 is 30 s ago: a restart takes as long.
        assertThat(without.runs()).containsExactly("2026-01-05T15:00:00Z");
        CronScenario hourly =
                new CronScenario("schedules: ['0 * * * *']").down(Duration.ofMinutes(150));
        assertThat(hourly.runs()).isEmpty();
        assertThat(hourly.skipped()).containsExactly("2026-01-05T13:00:00Z MISSED");
        CronScenario deadline =
                new CronScenario("{schedules: ['0 * * * *'], startingDeadlineSeconds: 3600}")
                        .down(Duration.ofMinutes(150));
        assertThat(deadline.runs()).containsExactly("2026-01-05T14:00:00Z");
        CronScenario tooLate =
                new CronScenario("{schedules: ['0 * * * *'], startingDeadlineSeconds: 600}")
                        .down(Duration.ofMinutes(150));
        assertThat(tooLate.runs()).isEmpty();
        tooLate.pass(Duration.ofHours(1));
        assertThat(tooLate.runs()).containsExactly("2026-01-05T15:00:00Z");
    }

    @Test
    void aPauseOfAYearIsNoWorkForAScheduleOfEachSecond() {
        CronScenario cron =
                new CronScenario("{schedules: ['@every 1s'], startingDeadlineSeconds: 99999999}")
                        .down(Duration.ofDays(365));
        assertThat(cron.runs()).hasSize(1);
        assertThat(cron.next()).isAfter(cron.now);
        CronScenario yearly =
                new CronScenario("{schedules: ['@yearly'], startingDeadlineSeconds: 99999999}")
                        .down(Duration.ofDays(700));
        assertThat(yearly.runs()).containsExactly("2027-01-01T00:00:00Z");
    }

    @Test
    void whatPassesWhileItIsSuspendedIsNotMadeUpFor() {
        CronScenario cron =
                new CronScenario(EACH_MINUTE + "suspend: true\nstartingDeadlineSeconds: 3600")
                        .pass(MINUTE.multipliedBy(2));
        assertThat(cron.skipped()).hasSize(2).allMatch(s -> s.endsWith("SUSPENDED"));
        cron.define(EACH_MINUTE + "startingDeadlineSeconds: 3600").pass(MINUTE);
        assertThat(cron.runs()).containsExactly("2026-01-05T12:03:00Z");
    }

    @Test
    void aChangedScheduleForgetsWhatWasBeforeAnyOtherChangeDoesNot() {
        CronScenario cron = new CronScenario(EACH_MINUTE).pass(MINUTE);
        cron.define(EACH_MINUTE + "concurrencyPolicy: Forbid");
        assertThat(cron.state().lastScheduledTime()).isNotNull();
        cron.define("{schedules: ['0 * * * *'], startingDeadlineSeconds: 3600}");
        assertThat(cron.state().lastScheduledTime()).isNull();
        assertThat(cron.next()).isEqualTo(Instant.parse("2026-01-05T13:00:00Z"));
        cron.define(
                "{schedules: ['0 * * * *'], timezone: Asia/Kolkata, startingDeadlineSeconds: 3600}");
        assertThat(cron.next()).isEqualTo(Instant.parse("2026-01-05T12:30:00Z"));
    }

    @Test
    void theStopStrategyStopsItAndAChangedOneLetsItGoOn() {
        String stop = EACH_MINUTE + "stopStrategy: {expression: cronworkflow.%s}";
        CronScenario cron =
                new CronScenario(stop.formatted("failed >= 2")).pass(MINUTE.multipliedBy(2));
        cron.workflows().forEach(w -> cron.finished(w, WorkflowPhase.FAILED));
        assertThat(cron.state().stopped()).isTrue();
        assertThat(cron.state().failed()).isEqualTo(2);
        cron.pass(MINUTE);
        assertThat(cron.skipped()).containsExactly("2026-01-05T12:03:00Z STOPPED");
        cron.define(stop.formatted("failed >= 3"));
        assertThat(cron.state().stopped()).isFalse();
        cron.pass(MINUTE);
        assertThat(cron.runs()).hasSize(3);
        cron.define(stop.formatted("failed >= nothing"));
        cron.pass(MINUTE);
        assertThat(cron.state().conditions()).containsKey("SpecError");
        assertThat(cron.runs()).hasSize(3);
    }

    @Test
    void aConditionThatCannotBeEvaluatedIsSaidInTheStatus() {
        CronScenario cron = new CronScenario(EACH_MINUTE + "when: '{{nothing}} > 3'").pass(MINUTE);
        assertThat(cron.runs()).isEmpty();
        assertThat(cron.state().conditions().get("SubmissionError"))
                .isEqualTo("run policy error: failed to resolve {{nothing}}");
        cron.define(EACH_MINUTE).pass(MINUTE);
        assertThat(cron.state().conditions()).isEmpty();
    }

    @Test
    void aDefinitionThatCannotBeFollowedSaysSoAndRunsNothing() {
        CronScenario cron = new CronScenario("schedules: ['61 * * * *']").pass(Duration.ofHours(2));
        assertThat(cron.runs()).isEmpty();
        assertThat(cron.state().conditions().get("SpecError"))
                .contains("\"61 * * * *\" is malformed");
        cron.define(EACH_MINUTE).pass(MINUTE);
        assertThat(cron.state().conditions()).isEmpty();
        assertThat(cron.runs()).hasSize(1);
    }

    @Test
    void aRefusedSubmissionIsSaidAndCountsAsNotScheduled() {
        CronScenario cron = new CronScenario(EACH_MINUTE + "concurrencyPolicy: Forbid");
        Instant first = Instant.parse("2026-01-05T12:01:00Z");
        cron.now = first;
        tickWithoutStart(cron);
        assertThat(cron.state().lastScheduledTime()).isEqualTo(first);
        cron.fact(new CronInput.SubmissionEnded(first, "no such template"));
        assertThat(cron.state().lastScheduledTime()).isNull();
        assertThat(cron.state().conditions())
                .containsEntry("SubmissionError", "Failed to submit Workflow: no such template");
        cron.pass(MINUTE);
        assertThat(cron.workflows()).hasSize(2);
        assertThat(cron.state().conditions()).isEmpty();
    }

    @Test
    void aWorkflowThatIsThereAlreadyWasRunAlready() {
        CronScenario cron = new CronScenario(EACH_MINUTE + "concurrencyPolicy: Forbid");
        Instant first = Instant.parse("2026-01-05T12:01:00Z");
        cron.now = first;
        tickWithoutStart(cron);
        cron.fact(new CronInput.SubmissionEnded(first, null));
        assertThat(cron.state().pending()).isEmpty();
        assertThat(cron.state().conditions()).isEmpty();
        assertThat(cron.state().lastScheduledTime()).isEqualTo(first);
    }

    @Test
    void theHistoryKeepsThreeThatSucceededAndOneThatDidNotUnlessItSaysOtherwise() {
        CronScenario cron = new CronScenario(EACH_MINUTE).pass(MINUTE.multipliedBy(7));
        List<String> all = cron.workflows();
        for (int i = 0; i < 7; i++) {
            cron.now = cron.now.plusSeconds(1);
            cron.finished(all.get(i), i % 3 == 0 ? WorkflowPhase.ERROR : WorkflowPhase.SUCCEEDED);
        }
        assertThat(cron.deleted()).containsExactly(all.get(0), all.get(1), all.get(3));
        assertThat(cron.state().succeeded()).isEqualTo(4);
        assertThat(cron.state().failed()).isEqualTo(3);
        cron.define(EACH_MINUTE + "successfulJobsHistoryLimit: 1\nfailedJobsHistoryLimit: 0");
        assertThat(cron.deleted()).hasSize(6).doesNotHaveDuplicates();
        assertThat(cron.state().ended()).hasSize(1);
    }

    @Test
    void workflowsOfItsLabelCountWhoeverStartedThem() {
        CronScenario cron = new CronScenario(EACH_MINUTE + "concurrencyPolicy: Forbid");
        cron.fact(new CronInput.WorkflowSubmitted("c-byhand", "uid-c-byhand", false)).pass(MINUTE);
        assertThat(cron.runs()).isEmpty();
        cron.fact(new CronInput.WorkflowDeleted("c-byhand", "uid-c-byhand")).pass(MINUTE);
        assertThat(cron.runs()).hasSize(1);
        assertThat(cron.state().succeeded() + cron.state().failed()).isZero();
    }

    @Test
    void whatItOwnsGoesWithItAlsoWhatIsUnderWay() {
        CronScenario cron = new CronScenario(EACH_MINUTE).pass(MINUTE);
        cron.fact(new CronInput.WorkflowSubmitted("again", "uid-again", false));
        cron.now = Instant.parse("2026-01-05T12:02:00Z");
        tickWithoutStart(cron);
        cron.remove();
        assertThat(cron.deleted()).containsExactly("c-1767614460");
        cron.started("c-1767614520");
        assertThat(cron.deleted()).containsExactly("c-1767614460", "c-1767614520");
        cron.fact(new CronInput.WorkflowDeleted("again", "uid-again"));
        assertThat(cron.state).isNull();
    }

    @Test
    void workflowsAreKnownBeforeTheirDefinitionIs() {
        CronMachine machine = new CronMachine();
        CronState state = null;
        for (CronInput input :
                List.of(
                        new CronInput.WorkflowSubmitted("c-1", "u1", true),
                        new CronInput.Defined(
                                CronScenario.manifest(EACH_MINUTE + "concurrencyPolicy: Forbid"),
                                7))) {
            for (CronEvent event :
                    machine.decide(state, new CronMachine.Input.Fact(input), CronScenario.START)) {
                state = machine.evolve(state, event);
            }
        }
        assertThat(state.active()).hasSize(1);
        assertThat(
                        machine.decide(
                                state,
                                new CronMachine.Input.Tick(),
                                CronScenario.START.plus(MINUTE)))
                .noneMatch(CronEvent.RunOrdered.class::isInstance);
    }

    @Test
    void aRepeatOfAnyInputChangesNothing() {
        CronScenario cron = new CronScenario(EACH_MINUTE).pass(MINUTE);
        CronState before = cron.state();
        cron.started(cron.workflows().getFirst());
        cron.fact(new CronInput.Defined(CronScenario.manifest("schedules: ['@daily']"), 1));
        cron.fact(new CronInput.SubmissionEnded(Instant.parse("2026-01-05T12:01:00Z"), "late"));
        assertThat(cron.state()).isEqualTo(before);
    }

    @Test
    void afterAFailureItGoesOnWithTheNextTime() {
        CronScenario cron = new CronScenario(EACH_MINUTE);
        List<CronEvent> events =
                new CronMachine().decideAfterFailure(cron.state(), "cron-inputs/0/7", cron.now);
        assertThat(events)
                .hasAtLeastOneElementOfType(CronEvent.Due.class)
                .hasAtLeastOneElementOfType(CronEvent.ConditionSet.class);
    }

    private static void tickWithoutStart(CronScenario cron) {
        CronMachine machine = new CronMachine();
        for (CronEvent event : machine.decide(cron.state, new CronMachine.Input.Tick(), cron.now)) {
            cron.state = machine.evolve(cron.state, event);
            cron.events.add(event);
        }
    }
}
