package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.ContainerEnd;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.WorkflowRef;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every executor must do with steps of several containers, with daemons and with volumes. */
public abstract class MultiContainerContract extends ExecutorContract {
    protected static final KeyValues CONFIG_MAPS =
            (namespace, name) ->
                    namespace.equals("argo") && name.equals("settings")
                            ? Optional.of(Map.of("color", "blue", "size", "9"))
                            : Optional.empty();

    private static final String SHARED = "'volumes':[{'name':'v','emptyDir':{}}]";
    private static final String MOUNT = "'volumeMounts':[{'name':'v','mountPath':'/shared'}]";

    private static String container(String name, String source, String... more) {
        return "{'name':'%s','image':'x','command':['sh','-c','%s']%s}"
                .formatted(name, source, more.length == 0 ? "" : "," + String.join(",", more));
    }

    private static String main(String source, String... more) {
        return "'container':" + container("main", source, more);
    }

    private StepOutcome run(String... members) {
        executor.start(Steps.template("s1", "{'name':'t'," + String.join(",", members) + "}"));
        return reports.awaitEnd("s1");
    }

    @Test
    void initContainersRunInOrderBeforeTheMainOneAndShareItsVolumes() {
        StepOutcome end =
                run(
                        SHARED,
                        main("cat /shared/a", MOUNT),
                        "'initContainers':["
                                + container("one", "sleep 0.3; echo 1 >> /shared/a; echo hi", MOUNT)
                                + ","
                                + container(
                                        "two", "echo 2 >> /shared/a", "'mirrorVolumeMounts':true")
                                + "]");
        assertThat(end).isEqualTo(new StepOutcome(NodePhase.SUCCEEDED, null, 0, "1\n2", Map.of()));
        assertThat(log("s1", "one")).isEqualTo("hi\n");
        assertThat(log("s1", "main")).isEqualTo("1\n2\n");
    }

    @Test
    void anInitContainerThatFailsKeepsTheOthersFromRunning() throws Exception {
        StepOutcome end =
                run(
                        main("echo ran"),
                        "'initContainers':["
                                + container("one", "exit 3")
                                + ","
                                + container("two", "echo ran")
                                + "]",
                        "'sidecars':[" + container("beside", "echo ran") + "]");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("one: Error (exit code 3)");
        assertThat(end.exitCode()).isNull();
        assertThat(log("s1", "main") + log("s1", "two") + log("s1", "beside")).isEmpty();
    }

    @Test
    void aSidecarRunsBesideTheMainContainerAndEndsAfterIt() {
        StepOutcome end =
                run(
                        SHARED,
                        main("until [ -e /shared/up ]; do sleep 0.1; done; echo seen", MOUNT),
                        "'sidecars':["
                                + container(
                                        "beside",
                                        "trap \\\"echo told; exit 143\\\" TERM; : > /shared/up; while :; do sleep 0.1; done",
                                        MOUNT)
                                + "]");
        assertThat(end).isEqualTo(new StepOutcome(NodePhase.SUCCEEDED, null, 0, "seen", Map.of()));
        assertThat(log("s1", "beside")).endsWith("told\n");
    }

    @Test
    void aSidecarThatDoesNotListenIsKilledAndThatIsNoFailure() {
        StepOutcome end =
                run(
                        SHARED,
                        main("until [ -e /shared/up ]; do sleep 0.1; done", MOUNT),
                        "'sidecars':["
                                + container(
                                        "beside",
                                        "trap : TERM; : > /shared/up; while :; do sleep 0.2; done",
                                        MOUNT)
                                + "]");
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
    }

    @Test
    void aSidecarThatFailsByItselfFailsTheStep() {
        StepOutcome end =
                run(
                        main("sleep 0.5; echo fine"),
                        "'sidecars':[" + container("beside", "exit 9") + "]");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("beside: Error (exit code 9)");
        assertThat(end.exitCode()).isEqualTo(0);
        assertThat(end.result()).isEqualTo("fine");
    }

    @Test
    void aSidecarAmongTheInitContainersRunsFromThereOnAndAgainAfterItEnded() {
        StepOutcome end =
                run(
                        SHARED,
                        main(
                                "until [ \\\"$(wc -l < /shared/n)\\\" -ge 2 ]; do sleep 0.1; done",
                                MOUNT),
                        "'initContainers':["
                                + container(
                                        "native",
                                        "echo x >> /shared/n; exit 1",
                                        MOUNT,
                                        "'restartPolicy':'Always'")
                                + ","
                                + container(
                                        "after",
                                        "until [ -e /shared/n ]; do sleep 0.1; done",
                                        MOUNT)
                                + "]");
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
    }

    @Test
    void eachContainerHasFilesOfItsOwnButForItsVolumes() {
        StepOutcome end =
                run(
                        SHARED,
                        "'containerSet':{"
                                + MOUNT
                                + ",'containers':["
                                + container("a", "echo a > mine; echo a > /shared/ours")
                                + ","
                                + container(
                                        "main",
                                        "test -e mine && echo seen; cat /shared/ours",
                                        "'dependencies':['a']")
                                + "]}",
                        "'outputs':{'parameters':[{'name':'o','valueFrom':{'path':'/shared/ours'}}]}");
        assertThat(end.result()).isEqualTo("a");
        assertThat(end.parameters()).containsEntry("o", "a");
        assertThat(end.exitCode()).isEqualTo(0);
    }

    @Test
    void theContainersOfASetRunByTheirDependencies() {
        StepOutcome end =
                run(
                        SHARED,
                        "'containerSet':{"
                                + MOUNT
                                + ",'containers':["
                                + container(
                                        "d",
                                        "echo d >> /shared/l; cat /shared/l",
                                        "'dependencies':['b','c']")
                                + ","
                                + container("a", "sleep 0.3; echo a >> /shared/l")
                                + ","
                                + container(
                                        "b",
                                        "sleep 0.3; echo b >> /shared/l",
                                        "'dependencies':['a']")
                                + ","
                                + container("c", "echo c >> /shared/l", "'dependencies':['a']")
                                + "]}");
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(log("s1", "d")).isEqualTo("a\nc\nb\nd\n");
        assertThat(end.exitCode()).isNull();
        assertThat(end.result()).isNull();
        assertThat(end.containers())
                .hasSize(4)
                .contains(new ContainerEnd("a", NodePhase.SUCCEEDED, null, 0));
    }

    @Test
    void whatDependsOnAContainerThatFailedFailsWithoutRunning() {
        StepOutcome end =
                run(
                        "'containerSet':{'containers':["
                                + container("a", "exit 5")
                                + ","
                                + container("b", "echo ran", "'dependencies':['a']")
                                + ","
                                + container("main", "echo alone")
                                + "]}");
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("a: Error (exit code 5)");
        assertThat(end.result()).isEqualTo("alone");
        assertThat(log("s1", "b")).isEmpty();
        assertThat(end.containers())
                .containsExactlyInAnyOrder(
                        new ContainerEnd("a", NodePhase.FAILED, "Error (exit code 5)", 5),
                        new ContainerEnd("b", NodePhase.FAILED, "Error (exit code 64)", 64),
                        new ContainerEnd("main", NodePhase.SUCCEEDED, null, 0));
    }

    @Test
    void theContainersOfASetAreRetriedAsTheSetSays() {
        String twice = "echo x >> /shared/$0; [ $(wc -l < /shared/$0) -ge 3 ]";
        StepOutcome end =
                run(
                        SHARED,
                        "'containerSet':{'retryStrategy':{'retries':'2','duration':'100ms'},"
                                + MOUNT
                                + ",'containers':["
                                + container("a", twice.replace("$0", "a"))
                                + ","
                                + container(
                                        "main", twice.replace("$0", "b"), "'dependencies':['a']")
                                + "]}");
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
        executor.start(
                Steps.template(
                        "s2",
                        "{'name':'t','containerSet':{'retryStrategy':{'retries':1},'containers':["
                                + container("main", "echo again; exit 2")
                                + "]}}"));
        assertThat(reports.awaitEnd("s2").message()).isEqualTo("main: Error (exit code 2)");
        assertThat(log("s2", "main")).isEqualTo("again\nagain\n");
    }

    private static final String EVERYTHING =
            "{'name':'t','activeDeadlineSeconds':1,'container':{'image':'x','command':['sh','-c','echo up; sleep 60']},"
                    + "'initContainers':[{'name':'native','image':'x','restartPolicy':'Always','command':['sh','-c','echo up; sleep 60']}],"
                    + "'sidecars':[{'name':'beside','image':'x','command':['sh','-c','echo up; sleep 60']}]}";

    @Test
    void aDeadlineIsTheWholeSteps() {
        executor.start(Steps.withDeadline("s1", EVERYTHING, 1));
        executor.start(
                Steps.withDeadline(
                        "s2",
                        "{'name':'t',"
                                + main("echo ran")
                                + ",'initContainers':["
                                + container("slow", "sleep 60")
                                + "]}",
                        1));
        for (String id : List.of("s1", "s2")) {
            StepOutcome end = reports.awaitEnd(id);
            assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
            assertThat(end.message())
                    .isEqualTo("Pod was active on the node longer than the specified deadline");
        }
        assertThat(log("s2", "main")).isEmpty();
    }

    @Test
    void aStopEndsAllContainersAndStartsNoMore() {
        executor.start(Steps.template("s1", EVERYTHING));
        executor.start(
                Steps.template(
                        "s2",
                        "{'name':'t',"
                                + main("echo ran")
                                + ",'initContainers':["
                                + container("slow", "echo up; sleep 60")
                                + "]}"));
        for (String container : List.of("main", "native", "beside")) {
            Reports.await(container, () -> log("s1", container).equals("up\n"));
        }
        Reports.await("slow", () -> log("s2", "slow").equals("up\n"));
        for (String id : List.of("s1", "s2")) {
            executor.stop(Steps.stop(id, 30));
            assertThat(reports.awaitEnd(id).message())
                    .isEqualTo("workflow shutdown with strategy:  Stop");
        }
        assertThat(log("s2", "main")).isEmpty();
    }

    @Test
    void stepsOfSeveralContainersAreAdopted() {
        executor.start(
                Steps.template(
                        "s1",
                        "{'name':'t',"
                                + main("echo first; sleep 1; echo last")
                                + ",'initContainers':["
                                + container("init", "echo up; sleep 1")
                                + "],'sidecars':["
                                + container("beside", "sleep 60")
                                + "]}"));
        Reports.await("init", () -> log("s1", "init").equals("up\n"));
        executor.close(true);
        executor = create();
        executor.recover(reports);
        StepOutcome end = reports.awaitEnd("s1");
        assertThat(end)
                .isEqualTo(new StepOutcome(NodePhase.SUCCEEDED, null, 0, "first\nlast", Map.of()));
    }

    @Test
    void containerNamesThatAreNoNamesOrNotUniqueAreRefused() {
        executor.start(
                Steps.template(
                        "s1",
                        "{'name':'t',"
                                + main("true")
                                + ",'sidecars':["
                                + container("main", "true")
                                + "]}"));
        executor.start(
                Steps.template(
                        "s2",
                        "{'name':'t',"
                                + main("true")
                                + ",'sidecars':["
                                + container("../x", "true")
                                + "]}"));
        assertThat(reports.awaitEnd("s1").message()).contains("container name 'main'");
        assertThat(reports.awaitEnd("s2").message()).contains("container name '../x'");
    }

    // Daemons

    private void daemon(String id, String source, String... more) {
        executor.start(Steps.template(id, "{'name':'t','daemon':true," + main(source, more) + "}"));
    }

    @Test
    void aDaemonWithoutAProbeIsReadyWhenItRunsAndEndsWhenItIsTold() {
        daemon("s1", "echo up; sleep 60");
        assertThat(reports.awaitReady("s1")).isEqualTo("127.0.0.1");
        assertThat(reports.ends("s1")).isEmpty();
        executor.stop(Steps.stop("s1", 5));
        assertThat(reports.awaitEnd("s1").phase()).isEqualTo(NodePhase.FAILED);
        executor.start(Steps.script("s2", "sleep 0.1"));
        reports.awaitEnd("s2");
        assertThat(reports.ready("s2")).isEmpty();
    }

    @Test
    void aDaemonThatEndsBeforeItIsReadyNeverIs() {
        daemon(
                "s1",
                "sleep 0.3; exit 4",
                "'readinessProbe':{'tcpSocket':{'port':1},'periodSeconds':1}");
        assertThat(reports.awaitEnd("s1").exitCode()).isEqualTo(4);
        assertThat(reports.ready("s1")).isEmpty();
    }

    @Test
    void aProbeMayRunACommandAmongTheDaemonsFiles() {
        daemon(
                "s1",
                "sleep 0.5; echo yes > up; sleep 60",
                "'readinessProbe':{'exec':{'command':['sh','-c','test -e up']},'periodSeconds':1}",
                "'workingDir':'/tmp'");
        assertThat(reports.awaitReady("s1")).isEqualTo("127.0.0.1");
    }

    @Test
    void aProbeMayConnectToAPortByNumberOrName() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
            daemon(
                    "s1",
                    "sleep 60",
                    "'ports':[{'name':'web','containerPort':%d}]".formatted(server.getLocalPort()),
                    "'readinessProbe':{'tcpSocket':{'port':'web'},'successThreshold':2,'periodSeconds':1}");
            assertThat(reports.awaitReady("s1")).isEqualTo("127.0.0.1");
        }
    }

    @Test
    void aProbeMayAskByHttpAndIsRepeatedUntilItSucceeds() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        daemon(
                "s1",
                "sleep 1; mkdir -p /tmp/w; cd /tmp/w; echo > ok; exec python3 -m http.server --bind 127.0.0.1 %d"
                        .formatted(port),
                "'readinessProbe':{'httpGet':{'path':'/ok','port':%d},'periodSeconds':1,'initialDelaySeconds':1}"
                        .formatted(port));
        daemon(
                "s2",
                "sleep 60",
                "'readinessProbe':{'httpGet':{'path':'/missing','port':%d},'periodSeconds':1}"
                        .formatted(port));
        reports.awaitReady("s1");
        assertThat(reports.ready("s2")).isEmpty();
    }

    @Test
    void aDaemonIsAdoptedAndSaysAgainThatItIsReady() {
        daemon("s1", "sleep 60");
        reports.awaitReady("s1");
        executor.close(true);
        Reports later = new Reports();
        executor = create();
        executor.recover(later);
        assertThat(later.awaitReady("s1")).isEqualTo("127.0.0.1");
        executor.stop(Steps.stop("s1", 5));
        assertThat(later.awaitEnd("s1").phase()).isEqualTo(NodePhase.FAILED);
    }

    // Volumes

    @Test
    void volumesShowSecretsConfigMapsAndWhatThePodIs() {
        StepOutcome end =
                run(
                        "'metadata':{'labels':{'app':'x'}}",
                        "'volumes':[{'name':'s','secret':{'secretName':'db','items':[{'key':'user','path':'who/name'}]}},"
                                + "{'name':'c','configMap':{'name':'settings','defaultMode':256}},"
                                + "{'name':'d','downwardAPI':{'items':[{'path':'labels','fieldRef':{'fieldPath':'metadata.labels'}},{'path':'name','fieldRef':{'fieldPath':'metadata.name'}}]}},"
                                + "{'name':'p','projected':{'sources':[{'secret':{'name':'db','items':[{'key':'user','path':'u'}]}},{'configMap':{'name':'settings'}},{'secret':{'name':'gone','optional':true}}]}}]",
                        main(
                                "cat /s/who/name; echo; cat /c/color; echo; stat -L -c %a /c/size; cat /d/labels /d/name; echo; cat /p/u /p/size",
                                "'volumeMounts':[{'name':'s','mountPath':'/s'},{'name':'c','mountPath':'/c'},{'name':'d','mountPath':'/d'},{'name':'p','mountPath':'/p'}]"));
        assertThat(end.result())
                .isEqualTo(
                        "anna\nblue\n400\napp=\"x\"\nworkflows.argoproj.io/completed=\"false\"\nworkflows.argoproj.io/workflow=\"wf\"\nwf-main-123\nanna9");
    }

    @Test
    void aMissingObjectOrKeyOfAVolumeIsAnErrorThatNamesIt() {
        StepOutcome end =
                run(
                        "'volumes':[{'name':'s','secret':{'secretName':'gone'}}]",
                        main("true", "'volumeMounts':[{'name':'s','mountPath':'/s'}]"));
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).contains("Secret gone not found in namespace argo");
        executor.start(
                Steps.template(
                        "s2",
                        "{'name':'t',"
                                + main("true", "'volumeMounts':[{'name':'v','mountPath':'/s'}]")
                                + "}"));
        assertThat(reports.awaitEnd("s2").message()).contains("volume v is mounted, but");
    }

    @Test
    void hostPathsSubPathsAndMountsInsideMounts(@TempDir Path host) throws IOException {
        Files.writeString(host.resolve("given"), "from the host");
        StepOutcome end =
                run(
                        "'volumes':[{'name':'h','hostPath':{'path':'%s','type':'Directory'}},{'name':'v','emptyDir':{}}]"
                                .formatted(host),
                        main(
                                "cat /data/host/given; echo 1 > /data/a; echo 2 > /sub/b; ls /data; cat /data/deep/wf-123/b; echo new > /data/host/made",
                                "'env':[{'name':'ID','valueFrom':{'fieldRef':{'fieldPath':'metadata.annotations[~workflows.argoproj.io/node-id~]'}}}]"
                                        .replace("~", "\\u0027"),
                                "'volumeMounts':[{'name':'h','mountPath':'/data/host'},{'name':'v','mountPath':'/data'},{'name':'v','mountPath':'/sub','subPathExpr':'deep/$(ID)'}]"));
        assertThat(end.result()).isEqualTo("from the hosta\ndeep\nhost\n2");
        assertThat(Files.readString(host.resolve("made"))).isEqualTo("new\n");
        executor.start(
                Steps.template(
                        "s2",
                        "{'name':'t','volumes':[{'name':'h','hostPath':{'path':'%s/none','type':'Directory'}}],"
                                        .formatted(host)
                                + main("true", "'volumeMounts':[{'name':'h','mountPath':'/h'}]")
                                + "}"));
        assertThat(reports.awaitEnd("s2").message()).contains("there is no folder " + host);
    }

    @Test
    void aSubPathThatLeadsOutOfItsVolumeIsRefused() {
        String claim = "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'c1'}}]";
        StepOutcome end =
                run(
                        claim,
                        main(
                                "ln -s /etc /space/link",
                                "'volumeMounts':[{'name':'v','mountPath':'/space'}]"));
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
        for (String path : List.of("link", "../..")) {
            executor.start(
                    Steps.template(
                            "s-" + path.length(),
                            "{'name':'t',"
                                    + claim
                                    + ","
                                    + main(
                                            "true",
                                            "'volumeMounts':[{'name':'v','mountPath':'/w','subPath':'"
                                                    + path
                                                    + "'}]")
                                    + "}"));
            assertThat(reports.awaitEnd("s-" + path.length()).message())
                    .contains("leads out of volume v");
        }
    }

    @Test
    void aClaimIsSharedByStepsUntilItIsReleased() {
        String claim = "{'name':'v','persistentVolumeClaim':{'claimName':'wf-work'}}";
        String step =
                "{'name':'t','volumes':["
                        + claim
                        + "],"
                        + main(
                                "echo x >> /space/n; wc -l < /space/n | tr -d \\\" \\\"",
                                "'volumeMounts':[{'name':'v','mountPath':'/space'}]")
                        + "}";
        executor.start(Steps.template("c1", step));
        assertThat(reports.awaitEnd("c1").result()).isEqualTo("1");
        executor.start(Steps.template("c2", step));
        assertThat(reports.awaitEnd("c2").result()).isEqualTo("2");
        executor.releaseClaims(new WorkflowRef("argo", "wf", "uid-1"), List.of("wf-work", "none"));
        executor.start(Steps.template("c3", step));
        assertThat(reports.awaitEnd("c3").result()).isEqualTo("1");
    }
}
