package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.executors.StepContainers;
import dev.millrace.executors.Steps;
import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.NodePhase;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodReadingTest {
    private static final Instant BEGAN = Instant.parse("2026-01-01T00:00:05Z");

    private static final String SIMPLE = "{'name':'a','container':{'image':'i','command':['c']}}";
    private static final String SURROUNDED =
            "{'name':'a','container':{'image':'i'},'initContainers':[{'name':'first','image':'i'},{'name':'proxy','image':'i','restartPolicy':'Always'}],"
                    + "'sidecars':[{'name':'db','image':'i'}]}";
    private static final String SET =
            "{'name':'a','containerSet':{'containers':[{'name':'x','image':'i'},{'name':'main','image':'i'}]}}";

    private static PodState read(String template, String status) throws Exception {
        Pod pod =
                Serialization.unmarshal(
                        ("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'nodeName':'n1'},'status':"
                                        + status
                                        + "}")
                                .replace('\'', '"'),
                        Pod.class);
        return PodReading.read(
                StepContainers.of(Steps.template("s", template)), Set.of("fetch", "upload"), pod);
    }

    private static PodState.Ended ended(String template, String status) throws Exception {
        PodState state = read(template, status);
        assertThat(state).isInstanceOf(PodState.Ended.class);
        return (PodState.Ended) state;
    }

    private static String running(String name) {
        return "{'name':'%s','state':{'running':{'startedAt':'%s'}}}".formatted(name, BEGAN);
    }

    private static String over(String name, int code, String more) {
        return "{'name':'%s','state':{'terminated':{'exitCode':%d,'startedAt':'%s'%s}}}"
                .formatted(name, code, BEGAN, more);
    }

    private static String over(String name, int code) {
        return over(name, code, code == 0 ? ",'reason':'Completed'" : ",'reason':'Error'");
    }

    private static String waiting(String name, String reason) {
        return "{'name':'%s','state':{'waiting':{%s}}}".formatted(name, reason);
    }

    private static String status(String phase, String init, String others) {
        return "{'phase':'%s','initContainerStatuses':[%s],'containerStatuses':[%s]}"
                .formatted(phase, init, others);
    }

    private static String status(String phase, String others) {
        return status(phase, "", others);
    }

    @Test
    void aPodWithoutAStatusIsPending() throws Exception {
        assertThat(read(SIMPLE, "{}")).isEqualTo(new PodState.Pending(null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "ImagePullBackOff | Back-off pulling image x | ImagePullBackOff: Back-off pulling image x",
                "ErrImagePull | - | ErrImagePull",
                "CreateContainerConfigError | secret not found | CreateContainerConfigError: secret not found",
                "ContainerCreating | - | -",
                "PodInitializing | - | -",
            })
    void aPodThatWaitsSaysWhy(String reason, @Nullable String detail, @Nullable String message)
            throws Exception {
        String waiting =
                "'reason':'" + reason + "'" + (detail == null ? "" : ",'message':'" + detail + "'");
        assertThat(read(SIMPLE, status("Pending", waiting("main", waiting))))
                .isEqualTo(new PodState.Pending(message));
        assertThat(
                        read(
                                SURROUNDED,
                                status(
                                        "Pending",
                                        waiting("first", waiting),
                                        waiting("main", "'reason':'PodInitializing'"))))
                .isEqualTo(new PodState.Pending(message));
    }

    @Test
    void aPodThatNoNodeTakesSaysWhy() throws Exception {
        assertThat(
                        read(
                                SIMPLE,
                                "{'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False','reason':'Unschedulable','message':'0/3 nodes are available'}]}"))
                .isEqualTo(new PodState.Pending("Unschedulable: 0/3 nodes are available"));
    }

    @Test
    void aPodRunsOnceItsFirstMainDoes() throws Exception {
        assertThat(
                        read(
                                SURROUNDED,
                                status(
                                        "Running",
                                        over("first", 0) + "," + running("proxy"),
                                        running("db")
                                                + ","
                                                + waiting("main", "'reason':'ErrImagePull'"))))
                .isEqualTo(new PodState.Pending("ErrImagePull"));
        assertThat(read(SIMPLE, status("Running", running("main"))))
                .isEqualTo(new PodState.Running(BEGAN, "n1", null));
    }

    @Test
    void aPodHasAnAddressForOthersOnceItIsReady() throws Exception {
        String ready =
                "{'phase':'Running','podIP':'10.1.2.3','conditions':[{'type':'Ready','status':'%s'}],'containerStatuses':["
                        + running("main")
                        + "]}";
        assertThat(read(SIMPLE, ready.formatted("False")))
                .isEqualTo(new PodState.Running(BEGAN, "n1", null));
        assertThat(read(SIMPLE, ready.formatted("True")))
                .isEqualTo(new PodState.Running(BEGAN, "n1", "10.1.2.3"));
    }

    @Test
    void aPodThatSucceededDid() throws Exception {
        assertThat(ended(SIMPLE, status("Succeeded", over("main", 0))))
                .isEqualTo(
                        new PodState.Ended(
                                BEGAN,
                                NodePhase.SUCCEEDED,
                                null,
                                0,
                                List.of(new ContainerEnd("main", NodePhase.SUCCEEDED, null, 0)),
                                false,
                                false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 | ,'reason':'Error' | main: Error (exit code 1)",
                "137 | ,'reason':'OOMKilled' | main: OOMKilled (exit code 137)",
                "128 | ,'reason':'StartError','message':'no such file' | main: StartError (exit code 128): no such file",
                "143 | '' | main: Error (exit code 143)",
            })
    void aMainThatFailsIsNamedWithItsReasonAndItsCode(int code, String more, String message)
            throws Exception {
        PodState.Ended end =
                ended(SIMPLE, status("Failed", over("main", code, more.equals("''") ? "" : more)));
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo(message);
        assertThat(end.exitCode()).isEqualTo(code);
        assertThat(end.replaceable()).isFalse();
    }

    @Test
    void whatIsSaidOfThePodCountsMoreThanItsContainers() throws Exception {
        PodState.Ended end =
                ended(
                        SIMPLE,
                        "{'phase':'Failed','reason':'DeadlineExceeded','message':'Pod was active on the node longer than the specified deadline','containerStatuses':["
                                + over("main", 137)
                                + "]}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .isEqualTo("Pod was active on the node longer than the specified deadline");
    }

    @ParameterizedTest
    @CsvSource({"Evicted", "Preempting", "NodeShutdown", "UnexpectedAdmissionError"})
    void aPodThatWasTakenAwayBeforeItDidAnythingMayBeReplaced(String reason) throws Exception {
        String status =
                "{'phase':'Failed','reason':'"
                        + reason
                        + "','message':'the node was low on memory','containerStatuses':[%s]}";
        PodState.Ended before = ended(SIMPLE, status.formatted(""));
        assertThat(before.replaceable()).isTrue();
        assertThat(before.startedAt()).isNull();
        assertThat(before.message())
                .isEqualTo(
                        "Pod failed before main container starts due to "
                                + reason
                                + ": the node was low on memory");
        PodState.Ended after = ended(SIMPLE, status.formatted(over("main", 137)));
        assertThat(after.replaceable()).isFalse();
        assertThat(after.message()).isEqualTo("the node was low on memory");
    }

    @Test
    void aDeadlineThatPassesBeforeTheMainBeginsIsNoReasonForAnotherPod() throws Exception {
        PodState.Ended end =
                ended(
                        SIMPLE,
                        "{'phase':'Failed','reason':'DeadlineExceeded','message':'Pod was active on the node longer than the specified deadline'}");
        assertThat(end.replaceable()).isFalse();
        assertThat(end.message())
                .isEqualTo("Pod was active on the node longer than the specified deadline");
    }

    @Test
    void theFirstContainerThatFailedIsNamed() throws Exception {
        assertThat(
                        ended(
                                        SURROUNDED,
                                        status(
                                                "Failed",
                                                over("first", 3),
                                                waiting("main", "'reason':'PodInitializing'")))
                                .message())
                .isEqualTo("first: Error (exit code 3)");
        assertThat(
                        ended(SURROUNDED, status("Failed", over("db", 2) + "," + over("main", 1)))
                                .message())
                .isEqualTo("main: Error (exit code 1)");
        assertThat(
                        ended(SURROUNDED, status("Failed", over("db", 2) + "," + over("main", 0)))
                                .message())
                .isEqualTo("db: Error (exit code 2)");
    }

    @ParameterizedTest
    @CsvSource({"137", "143"})
    void aSidecarThatWasEndedByItsSignalDidAsItWasTold(int code) throws Exception {
        PodState.Ended end =
                ended(
                        SURROUNDED,
                        status(
                                "Succeeded",
                                over("first", 0) + "," + over("proxy", code),
                                over("main", 0)));
        assertThat(end.phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(
                        ended(
                                        SURROUNDED,
                                        status("Failed", over("db", code) + "," + over("main", 0)))
                                .phase())
                .isEqualTo(NodePhase.SUCCEEDED);
    }

    @Test
    void aHelperOfOursThatFailsIsNotTheStepsFault() throws Exception {
        PodState.Ended end =
                ended(
                        SIMPLE,
                        status(
                                "Failed",
                                over("fetch", 22, ",'reason':'Error','message':'no such key'"),
                                waiting("main", "'reason':'PodInitializing'")));
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).isEqualTo("fetch: Error (exit code 22): no such key");
        assertThat(end.exitCode()).isNull();
        assertThat(ended(SIMPLE, status("Failed", over("upload", 137), over("main", 0))).message())
                .isEqualTo("upload: Error (exit code 137)");
    }

    @Test
    void aSidecarThatTheClusterAddedMayEndAsItIsTold() throws Exception {
        assertThat(ended(SIMPLE, status("Succeeded", over("mesh", 143), over("main", 0))).phase())
                .isEqualTo(NodePhase.SUCCEEDED);
    }

    @Test
    void everyContainerOfASetTellsItsEnd() throws Exception {
        PodState.Ended end = ended(SET, status("Failed", over("x", 4) + "," + over("main", 0)));
        assertThat(end.message()).isEqualTo("x: Error (exit code 4)");
        assertThat(end.exitCode()).isEqualTo(0);
        assertThat(end.containers())
                .containsExactly(
                        new ContainerEnd("x", NodePhase.FAILED, "Error (exit code 4)", 4),
                        new ContainerEnd("main", NodePhase.SUCCEEDED, null, 0));
    }

    @Test
    void aSidecarThatTheClusterAddedDoesNotKeepAStepOpen() throws Exception {
        String mesh = running("istio-proxy");
        assertThat(read(SIMPLE, status("Running", running("main") + "," + mesh)))
                .isInstanceOf(PodState.Running.class);
        PodState.Ended good = ended(SIMPLE, status("Running", over("main", 0) + "," + mesh));
        assertThat(good.phase()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(good.leftRunning()).isTrue();
        PodState.Ended bad = ended(SIMPLE, status("Running", over("main", 7) + "," + mesh));
        assertThat(bad.message()).isEqualTo("main: Error (exit code 7)");
        assertThat(bad.leftRunning()).isTrue();
    }

    @Test
    void aPodWhoseHelpersAreBusyIsNotOverYet() throws Exception {
        assertThat(read(SIMPLE, status("Running", running("upload"), over("main", 0))))
                .isInstanceOf(PodState.Running.class);
        assertThat(read(SIMPLE, status("Running", over("main", 0))))
                .isInstanceOf(PodState.Running.class);
    }

    @Test
    void aFailureThatNobodyExplainsIsAnError() throws Exception {
        PodState.Ended end = ended(SIMPLE, "{'phase':'Failed'}");
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).contains("says why");
    }
}
