package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every executor must do. The steps are small shell scripts. */
@Timeout(40)
public abstract class ExecutorContract {
    protected static final KeyValues SECRETS =
            (namespace, name) ->
                    namespace.equals("argo") && name.equals("db")
                            ? Optional.of(Map.of("user", "anna", "pass word", "x'y\"z$1"))
                            : Optional.empty();

    protected final Reports reports = new Reports();
    protected Executor executor;

    /** A new executor of the same place as those before it. */
    protected abstract Executor create();

    protected abstract LogStore logs();

    @BeforeEach
    void open() {
        executor = create();
        executor.recover(reports);
    }

    @AfterEach
    void close() {
        executor.close(false);
    }

    private StepOutcome run(String source) {
        executor.start(Steps.script("s1", source));
        return reports.awaitEnd("s1");
    }

    @Test
    void aStepThatEndsWithZeroSucceeds() {
        assertThat(run("echo hello; echo; echo aside >&2"))
                .isEqualTo(new StepOutcome(NodePhase.SUCCEEDED, null, 0, "hello\n", Map.of()));
        assertThat(reports.hasStarted("s1")).isTrue();
    }

    @Test
    void anyOtherExitCodeFails() {
        StepOutcome end = run("echo partly; exit 7");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("main: Error (exit code 7)");
        assertThat(end.exitCode()).isEqualTo(7);
        assertThat(end.result()).isEqualTo("partly");
    }

    @Test
    void aStepThatKillsItselfHasTheExitCodeOfTheSignal() {
        assertThat(run("kill -KILL $$").exitCode()).isEqualTo(137);
    }

    @Test
    void aMissingCommandFailsWithTheWordsOfTheField() {
        executor.start(
                Steps.template("s1", "{'container':{'image':'x','command':['no-such-command']}}"));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .isEqualTo(
                        "main: Error (exit code 64): failed to find name in PATH: exec: \"no-such-command\": executable file not found in $PATH");
    }

    @Test
    void anImageWithoutACommandIsAnErrorThatNamesBothCures() {
        executor.start(Steps.template("s1", "{'container':{'image':'nginx:1.25'}}"));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message())
                .contains("nginx:1.25")
                .contains("command")
                .contains("setting images");
    }

    @Test
    void onlyTheLast256KiBOfTheResultAreKept() {
        String result =
                run("i=0; while [ $i -lt 40000 ]; do echo line-$i; i=$((i+1)); done; echo end")
                        .result();
        assertThat(result).hasSize(256 * 1024).endsWith("line-39999\nend");
    }

    @Test
    void theResultIsLeftOutWhereNobodyAsks() {
        executor.start(Steps.script("s1", "echo hello", "{}", false, null));
        assertThat(reports.awaitEnd("s1").result()).isNull();
    }

    @Test
    void outputParametersComeFromFiles() {
        executor.start(
                Steps.script(
                        "s1",
                        "mkdir -p /mnt/out; echo one > /mnt/out/a.txt; printf 'two\\n\\n' > /tmp/b",
                        "{'outputs':{'parameters':[{'name':'a','valueFrom':{'path':'/mnt/out/a.txt'}},{'name':'b','valueFrom':{'path':'/tmp/b'}},{'name':'c','valueFrom':{'path':'/tmp/none','default':'three'}}]}}",
                        false,
                        null));
        assertThat(reports.awaitEnd("s1"))
                .isEqualTo(
                        new StepOutcome(
                                NodePhase.SUCCEEDED,
                                null,
                                0,
                                null,
                                Map.of("a", "one", "b", "two\n", "c", "three")));
    }

    @Test
    void aMissingOutputFileIsAnErrorThatNamesParameterAndPath() {
        executor.start(
                Steps.script(
                        "s1",
                        "true",
                        "{'outputs':{'parameters':[{'name':'a','valueFrom':{'path':'/tmp/none'}}]}}",
                        false,
                        null));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).contains("parameter a").contains("/tmp/none");
    }

    @Test
    void environmentComesFromValuesSecretsAndTheStepItself() {
        executor.start(
                Steps.template(
                        "s1",
                        "{'container':{'image':'x','command':['sh','-c'],'args':['echo $A-$B-$P-$db_user-$(A)-$(NO)-$ARGO_NODE_ID-$ARGO_WORKFLOW_NAME'],"
                                + "'envFrom':[{'prefix':'db_','secretRef':{'name':'db'}}],"
                                + "'env':[{'name':'A','value':1},{'name':'B','value':'<$(A)>'},{'name':'P','valueFrom':{'secretKeyRef':{'name':'db','key':'pass word'}}}]}}"
                                        .replace("$(NO)", "")));
        assertThat(reports.awaitEnd("s1").result()).isEqualTo("1-<1>-x'y\"z$1-anna-1--wf-123-wf");
    }

    @Test
    void nothingOfTheServersEnvironmentReachesAStep() {
        String names = run("env | cut -d= -f1 | sort | tr '\\n' ' '").result();
        assertThat(names.split(" "))
                .isSubsetOf(
                        "_ ARGO_CONTAINER_NAME ARGO_DEADLINE ARGO_INCLUDE_SCRIPT_OUTPUT ARGO_NODE_ID ARGO_PROGRESS_FILE ARGO_PROGRESS_FILE_TICK_DURATION ARGO_PROGRESS_PATCH_TICK_DURATION ARGO_TERMINATION_GRACE_PERIOD_SECONDS ARGO_WORKFLOW_NAME HOME LANG MILLRACE_STEP_ID PATH PWD OLDPWD SHLVL TMPDIR"
                                .split(" "));
    }

    @Test
    void aMissingSecretIsAnErrorThatNamesIt() {
        executor.start(
                Steps.template(
                        "s1",
                        "{'container':{'image':'x','command':['true'],'env':[{'name':'P','valueFrom':{'secretKeyRef':{'name':'gone','key':'k'}}}]}}"));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message())
                .isEqualTo("env P: there is no Secret gone in namespace argo with a key k");
    }

    @Test
    void theImagesOfTheExamplesHaveStandIns() {
        executor.start(
                Steps.template(
                        "s1",
                        "{'container':{'image':'argoproj/argosay:v2','args':['echo','hi there']}}"));
        executor.start(
                Steps.template(
                        "s2", "{'container':{'image':'docker/whalesay:latest','args':['moo']}}"));
        executor.start(
                Steps.template(
                        "s3",
                        "{'script':{'image':'python:3.12','command':['python'],'source':'print(1+1)'}}"));
        assertThat(reports.awaitEnd("s1").result()).isEqualTo("hi there");
        assertThat(reports.awaitEnd("s2").result()).contains("moo");
        assertThat(reports.awaitEnd("s3").result()).isEqualTo("2");
    }

    @Test
    void parallelStepsDoNotSeeEachOthersFiles() {
        String outputs =
                "{'outputs':{'parameters':[{'name':'x','valueFrom':{'path':'/mnt/data/x'}}]}}";
        for (int i = 0; i < 12; i++) {
            executor.start(
                    Steps.script(
                            "p" + i,
                            "mkdir -p /mnt/data; test -e /mnt/data/x && exit 9; echo %d > /mnt/data/x; sleep 0.2; cat /mnt/data/x"
                                    .formatted(i),
                            outputs,
                            true,
                            null));
        }
        for (int i = 0; i < 12; i++) {
            StepOutcome end = reports.awaitEnd("p" + i);
            assertThat(end.result()).isEqualTo("" + i);
            assertThat(end.parameters()).containsEntry("x", "" + i);
        }
    }

    @Test
    void aDeadlineEndsAStepAndSaysSo() {
        executor.start(Steps.script("s1", "sleep 60", "{}", false, 1L));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .isEqualTo("Pod was active on the node longer than the specified deadline");
        assertThat(end.exitCode()).isEqualTo(143);
    }

    @Test
    void aStepThatIgnoresItsDeadlineIsKilledAfterTheGracePeriod() {
        executor.start(
                Steps.script(
                        "s1", "trap '' TERM; sleep 60 & wait; wait; sleep 60", "{}", false, 1L));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.message())
                .isEqualTo("Pod was active on the node longer than the specified deadline");
        assertThat(end.exitCode()).isEqualTo(137);
    }

    @Test
    void aStepHearsThatItIsToStop() throws Exception {
        executor.start(
                Steps.script("s1", "trap 'echo bye; exit 3' TERM; echo ready; sleep 60 & wait"));
        awaitLog("s1", "ready");
        executor.stop(Steps.stop("s1", 30));
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("workflow shutdown with strategy:  Stop");
        assertThat(end.exitCode()).isEqualTo(3);
        assertThat(end.result()).isEqualTo("ready\nbye");
    }

    @Test
    void aStepThatDoesNotListenIsKilled() throws Exception {
        executor.start(Steps.script("s1", "trap '' TERM; echo ready; while :; do sleep 1; done"));
        awaitLog("s1", "ready");
        executor.stop(Steps.stop("s1", 1));
        assertThat(reports.awaitEnd("s1").exitCode()).isEqualTo(137);
    }

    @Test
    void stoppingAStepThatIsNotKnownIsAnsweredWithAnError() {
        executor.stop(Steps.stop("never", 1));
        assertThat(reports.awaitEnd("never").phase()).isEqualTo(NodePhase.ERROR);
    }

    @Test
    void aStepStartedTwiceRunsOnceAndReportsItsEndAgain() {
        executor.start(Steps.script("s1", "date +%s%N"));
        executor.start(Steps.script("s1", "date +%s%N"));
        StepOutcome first = reports.awaitEnd("s1");
        Reports.await("the repeat", () -> repeat("s1"));
        assertThat(reports.ends("s1").getLast().outcome()).isEqualTo(first);
        assertThat(reports.of("s1").stream().filter(r -> r instanceof StepReport.Started))
                .hasSize(1);
    }

    private boolean repeat(String stepId) {
        if (reports.ends(stepId).size() < 2) {
            executor.start(Steps.script(stepId, "date +%s%N"));
        }
        return reports.ends(stepId).size() >= 2;
    }

    @Test
    void logsCanBeReadWhileAStepRunsAndAfterwards() throws Exception {
        executor.start(Steps.script("s1", "echo one; echo two >&2; sleep 0.5; echo three"));
        StringBuilder seen = new StringBuilder();
        AtomicInteger pieces = new AtomicInteger();
        logs().follow(
                        "s1",
                        "main",
                        0,
                        piece -> {
                            pieces.incrementAndGet();
                            seen.append(new String(piece, StandardCharsets.UTF_8));
                        },
                        () -> true);
        assertThat(seen.toString().lines()).containsExactlyInAnyOrder("one", "two", "three");
        assertThat(pieces.get()).isGreaterThan(1);
        reports.awaitEnd("s1");
        try (var in = logs().open("s1", "main", 0).orElseThrow()) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(seen.toString());
        }
        assertThat(logs().tail("s1", "main", 1)).hasValue("three\n");
        assertThat(logs().tail("s1", "main", 100)).hasValue(seen.toString());
        assertThat(logs().open("none", "main", 0)).isEmpty();
    }

    @Test
    void everyLineHasTheTimeAtWhichItWasWritten() throws Exception {
        Instant before = Instant.now().minusMillis(50);
        executor.start(
                Steps.script("s1", "date +%s%N; sleep 0.7; date +%s%N; sleep 0.7; date +%s%N"));
        awaitLog("s1", "\n");
        Instant early;
        try (LogTimes times = logs().times("s1", "main").orElseThrow()) {
            early = times.at(20);
        }
        reports.awaitEnd("s1");
        List<String> lines = logs().tail("s1", "main", 10).orElseThrow().lines().toList();
        try (LogTimes times = logs().times("s1", "main").orElseThrow()) {
            for (int i = 0; i < 3; i++) {
                Instant said = Instant.EPOCH.plusNanos(Long.parseLong(lines.get(i)));
                assertThat(Duration.between(said, times.at(20L * (i + 1))).abs())
                        .as("line %d", i)
                        .isLessThan(Duration.ofMillis(350));
            }
            assertThat(times.at(1)).isEqualTo(times.at(20)).isAfter(before);
            assertThat(Duration.between(early, times.at(20)).abs())
                    .isLessThan(Duration.ofMillis(350));
        }
        assertThat(logs().times("none", "main")).isEmpty();
        assertThat(logs().times("s1", "../claim")).isEmpty();
    }

    @Test
    void aFollowerMayLeave() throws Exception {
        executor.start(Steps.script("s1", "echo one; sleep 60"));
        AtomicBoolean wanted = new AtomicBoolean(true);
        logs().follow("s1", "main", 0, _ -> wanted.set(false), wanted::get);
        assertThat(wanted).isFalse();
    }

    @Test
    void aForgottenStepLeavesNothing() throws Exception {
        executor.start(Steps.script("s1", "echo one"));
        reports.awaitEnd("s1");
        executor.start(Steps.script("s2", "echo ready; sleep 60"));
        awaitLog("s2", "ready");
        executor.forget("s1");
        executor.forget("s2");
        Reports.await("the logs to go", () -> tail("s1").isEmpty() && tail("s2").isEmpty());
        assertThat(reports.ends("s2")).isEmpty();
    }

    @Test
    void anOrderlyStopEndsTheStepsAndSaysSo() throws Exception {
        executor.start(Steps.script("s1", "echo ready; sleep 60"));
        awaitLog("s1", "ready");
        executor.close(false);
        executor = create();
        executor.recover(reports);
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("the server was stopped");
        assertThat(reports.ends("s1")).hasSize(1);
    }

    @Test
    void stepsThatAreKeptAreAdoptedByTheNextExecutor() throws Exception {
        executor.start(Steps.script("s1", "echo ready; sleep 1; echo done; exit 4"));
        awaitLog("s1", "ready");
        executor.close(true);
        executor = create();
        executor.recover(reports);
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end.exitCode()).isEqualTo(4);
        assertThat(end.result()).isEqualTo("ready\ndone");
    }

    @Test
    void progressIsToldWhileAStepRuns() {
        executor.start(Steps.script("s1", "echo 1/2 > $ARGO_PROGRESS_FILE; sleep 60"));
        Reports.await(
                "the progress of s1",
                () ->
                        reports.of("s1").stream()
                                .anyMatch(
                                        r ->
                                                r instanceof StepReport.Progress p
                                                        && p.progress().equals("1/2")));
    }

    protected void awaitLog(String stepId, String text) {
        Reports.await(text + " in the log of " + stepId, () -> tail(stepId).contains(text));
    }

    private String tail(String stepId) {
        return log(stepId, StepContainer.MAIN);
    }

    /** The last lines that a container wrote. */
    protected String log(String stepId, String container) {
        try {
            return logs().tail(stepId, container, 10).orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
