package dev.millrace.executors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.workflow.Artifact;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every executor must do with artifacts of steps with several containers and volumes. */
public abstract class ContainerArtifactsContract extends MultiContainerContract {
    private static final String CLAIM =
            "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'wf-work'}}]";
    private static final String EMPTY = "'volumes':[{'name':'v','emptyDir':{}}]";
    private static final String MOUNT = "'volumeMounts':[{'name':'v','mountPath':'/vol'}]";

    private static String container(String name, String source, String... more) {
        return "{'name':'%s','image':'x','command':['sh','-c','%s']%s}"
                .formatted(name, source, more.length == 0 ? "" : "," + String.join(",", more));
    }

    private static String inputs(String... artifacts) {
        return "'inputs':{'artifacts':[" + String.join(",", artifacts) + "]}";
    }

    private static String outputs(String... artifacts) {
        return "'outputs':{'artifacts':[" + String.join(",", artifacts) + "]}";
    }

    private static String raw(String name, String path) {
        return "{'name':'%1$s','path':'%2$s','raw':{'data':'%1$s\\n'}}".formatted(name, path);
    }

    private static String stored(String name, String path) {
        return "{'name':'%s','path':'%s','local':{'key':'%1$s'}}".formatted(name, path);
    }

    private static String log(String container) {
        return "{'name':'%1$s-logs','archiveLogs':true,'local':{'key':'%1$s.log'},'archive':{'none':{}}}"
                .formatted(container);
    }

    private StepOutcome run(String id, String... members) {
        executor.start(Steps.template(id, "{'name':'t'," + String.join(",", members) + "}"));
        return reports.awaitEnd(id);
    }

    /** What lies under a key, read by another step. */
    private String content(String name) {
        StepOutcome end =
                run(
                        "read-" + name,
                        inputs(stored(name, "/tmp/in")),
                        "'container':" + container("main", "cat /tmp/in"));
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
        return String.valueOf(end.result());
    }

    private static List<String> names(StepOutcome end) {
        return end.artifacts().stream().map(Artifact::name).toList();
    }

    @Test
    void artifactsMayLieInAVolumeOfTheStep() {
        StepOutcome end =
                run(
                        "s1",
                        EMPTY,
                        inputs(raw("in", "/vol/deep/in"), raw("own", "/opt/own")),
                        outputs(stored("out", "/vol/out")),
                        "'initContainers':["
                                + container("before", "cat /vol/deep/in > /vol/seen", MOUNT)
                                + "]",
                        "'container':"
                                + container(
                                        "main",
                                        "cat /vol/deep/in /vol/seen /opt/own | tee /vol/out",
                                        MOUNT));
        assertThat(end.result()).as(end.message()).isEqualTo("in\nin\nown");
        assertThat(names(end)).containsExactly("out");
        assertThat(content("out")).isEqualTo("in\nin\nown");
    }

    @Test
    void anInputMayBeAVolumeOfTheStepButReplacesNoneThatOutlivesIt() {
        String main = "'container':" + container("main", "cat /vol/x", MOUNT);
        StepOutcome made =
                run(
                        "s1",
                        outputs(stored("folder", "/tmp/folder")),
                        "'container':"
                                + container(
                                        "main",
                                        "mkdir /tmp/folder; cd /tmp/folder; echo given > x"));
        assertThat(made.phase()).as(made.message()).isEqualTo(NodePhase.SUCCEEDED);
        StepOutcome own = run("s2", EMPTY, inputs(stored("folder", "/vol")), main);
        assertThat(own.result()).as(own.message()).isEqualTo("given");
        StepOutcome claimed = run("s3", CLAIM, inputs(stored("folder", "/vol")), main);
        assertThat(claimed.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(claimed.message())
                .contains("inputs artifact folder")
                .contains("/vol")
                .contains("below it");
    }

    @Test
    void anOutputInAClaimIsStoredAndStaysThere() {
        String main = "'container':" + container("main", "echo x >> /vol/n; cat /vol/n", MOUNT);
        StepOutcome first = run("s1", CLAIM, outputs(stored("n", "/vol/n")), main);
        assertThat(names(first)).as(first.message()).containsExactly("n");
        assertThat(run("s2", CLAIM, main).result()).isEqualTo("x\nx");
        assertThat(content("n")).isEqualTo("x");
    }

    @Test
    void whoMirrorsTheMountsOfMainSeesItsInputs() {
        StepOutcome end =
                run(
                        "s1",
                        inputs(
                                raw("in", "/tmp/in"),
                                "{'name':'none','path':'/tmp/none','optional':true}"),
                        "'initContainers':["
                                + container("mirrors", "cat /tmp/in", "'mirrorVolumeMounts':true")
                                + ","
                                + container("other", "ls /tmp/in || echo nothing")
                                + "]",
                        "'container':" + container("main", "cat /tmp/in"));
        assertThat(end.result()).as(end.message()).isEqualTo("in");
        assertThat(log("s1", "mirrors")).isEqualTo("in\n");
        assertThat(log("s1", "other")).contains("nothing\n");
    }

    @Test
    void theArtifactsOfASetAreThoseOfItsContainerMain() {
        StepOutcome end =
                run(
                        "s1",
                        inputs(raw("in", "/tmp/in")),
                        outputs(stored("out", "/tmp/out"), log("main"), log("a")),
                        "'containerSet':{'containers':["
                                + container("a", "echo of a")
                                + ","
                                + container(
                                        "main",
                                        "cat /tmp/in | tee /tmp/out",
                                        "'dependencies':['a']")
                                + "]}");
        assertThat(end.phase()).as(end.message()).isEqualTo(NodePhase.SUCCEEDED);
        assertThat(end.containers()).hasSize(2);
        assertThat(names(end)).containsExactly("out", "main-logs", "a-logs");
        assertThat(content("out")).isEqualTo("in");
        assertThat(content("main.log")).isEqualTo("in");
        assertThat(content("a.log")).isEqualTo("of a");
    }

    @Test
    void aSetThatFailsKeepsTheEndsOfItsContainersAndStoresWhatItLeft() {
        StepOutcome end =
                run(
                        "s1",
                        outputs(stored("out", "/tmp/out")),
                        "'containerSet':{'containers':["
                                + container("main", "echo x > /tmp/out; exit 3")
                                + "]}");
        assertThat(end.message()).isEqualTo("main: Error (exit code 3)");
        assertThat(names(end)).containsExactly("out");
        assertThat(end.containers()).singleElement().matches(c -> c.phase() == NodePhase.FAILED);
    }
}
