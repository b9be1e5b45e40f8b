package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.Images;
import dev.millrace.executors.Reports;
import dev.millrace.executors.Steps;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.StepOutcome;
import dev.millrace.schemas.record.StepReport;
import dev.millrace.testkit.cluster.ClusterExtension;
import dev.millrace.testkit.cluster.ClusterFixture;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The executor against a real API server; the test is the kubelet. */
@Timeout(60)
@ExtendWith(ClusterExtension.class)
class KubernetesExecutorIT {
    private static final AtomicInteger STEPS = new AtomicInteger();

    private final Reports reports = new Reports();
    // A list may be served from what the API server remembers: pods of an earlier test are in it.
    private final String id = "s" + STEPS.incrementAndGet();
    private final String other = "s" + STEPS.incrementAndGet();
    private ClusterFixture cluster;
    private KubernetesClient client;
    private KubernetesExecutor executor;

    @BeforeEach
    void open(ClusterFixture running) {
        cluster = running;
        client = running.client();
        if (client.namespaces().withName("argo").get() == null) {
            client.namespaces()
                    .resource(
                            new NamespaceBuilder()
                                    .withNewMetadata()
                                    .withName("argo")
                                    .endMetadata()
                                    .build())
                    .create();
        }
        executor = create();
        executor.recover(reports);
    }

    private KubernetesExecutor create() {
        return new KubernetesExecutor(
                client,
                new PodSetup("helper", new Images(Map.of()), null, null),
                InstantSource.system());
    }

    @AfterEach
    void close() {
        Reports.await(
                "all pods are gone",
                () -> {
                    executor.forget(id);
                    executor.forget(other);
                    return client.pods().inNamespace("argo").list().getItems().isEmpty();
                });
        executor.close(true);
    }

    private static final String SIMPLE = "{'name':'a','container':{'image':'i','command':['c']}}";

    private Pod pod() {
        return client.pods().inNamespace("argo").withName("wf-main-123").get();
    }

    private void status(String status) {
        client.pods()
                .inNamespace("argo")
                .withName("wf-main-123")
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        ("{'status':" + status + "}").replace('\'', '"'));
    }

    private void start(String step) {
        executor.start(Steps.template(step, SIMPLE));
    }

    @Test
    void aStepIsOnePodAndItsEndIsReported() {
        var step = Steps.script(id, "true", "{}", false, null);
        executor.start(step);
        assertThat(pod().getSpec().getContainers()).hasSize(1);
        status(
                "{'phase':'Running','containerStatuses':[{'name':'main','image':'i','imageID':'i','ready':true,'restartCount':0,'state':{'running':{'startedAt':'2026-01-01T00:00:00Z'}}}]}");
        reports.awaitStart(id);
        status(
                "{'phase':'Failed','containerStatuses':[{'name':'main','image':'i','imageID':'i','ready':false,'restartCount':0,'state':{'terminated':{'exitCode':3,'reason':'Error','startedAt':'2026-01-01T00:00:00Z'}}}]}");
        StepOutcome end = reports.awaitEnd(id);
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("main: Error (exit code 3)");
        Reports.await(
                "the mark",
                () ->
                        "true".equals(pod().getMetadata().getLabels().get(PodMarks.COMPLETED))
                                && pod().getMetadata().getFinalizers().isEmpty());
        executor.start(step);
        Reports.await("the repeat", () -> reports.ends(id).size() == 2);
    }

    @Test
    void aPodThatSomebodyDeletesIsAnError() {
        start(id);
        client.pods().inNamespace("argo").withName("wf-main-123").delete();
        StepOutcome end = reports.awaitEnd(id);
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).isEqualTo("pod deleted");
        Reports.await("the pod is gone", () -> pod() == null);
    }

    @Test
    void aStopEndsAPod() {
        start(id);
        executor.stop(Steps.stop(id, 30));
        StepOutcome end = reports.awaitEnd(id);
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message()).isEqualTo("workflow shutdown with strategy:  Stop");
        Reports.await("the pod is gone", () -> pod() == null);
    }

    @Test
    void anotherExecutorGoesOn() {
        start(id);
        executor.close(true);
        status(
                "{'phase':'Failed','reason':'DeadlineExceeded','message':'Pod was active on the node longer than the specified deadline'}");
        executor = create();
        executor.recover(reports);
        assertThat(reports.awaitEnd(id).message())
                .isEqualTo("Pod was active on the node longer than the specified deadline");
    }

    private Pod named(String name) {
        return client.pods().inNamespace("argo").withName(name).get();
    }

    @Test
    void aPodThatWasTakenAwayTooSoonIsReplacedAndTheStepGoesOn() {
        start(id);
        String evicted =
                "{'phase':'Failed','reason':'Evicted','message':'the node was low on memory'}";
        status(evicted);
        Reports.await("the next pod", () -> named("wf-main-123-r1") != null && pod() == null);
        for (int i = 1; i <= 3; i++) {
            String name = "wf-main-123-r" + i;
            Reports.await("pod " + i, () -> named(name) != null);
            client.pods()
                    .inNamespace("argo")
                    .withName(name)
                    .subresource("status")
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            ("{'status':" + evicted + "}").replace('\'', '"'));
        }
        StepOutcome end = reports.awaitEnd(id);
        assertThat(end.phase()).isEqualTo(NodePhase.FAILED);
        assertThat(end.message())
                .isEqualTo(
                        "Pod failed before main container starts due to Evicted: the node was low on memory");
        assertThat(reports.ends(id)).hasSize(1);
    }

    @Test
    void aPodOfAnotherRunIsRemovedFirst() {
        start(id);
        Reports.await(
                "the pod of the second step",
                () -> {
                    try {
                        start(other);
                    } catch (UncheckedIOException e) {
                        return false;
                    }
                    return PodMarks.isOf(pod(), other);
                });
    }

    @Test
    void aStopOfAStepThatIsNotThereIsAnsweredWithAnError() {
        executor.stop(Steps.stop("never", 1));
        assertThat(reports.awaitEnd("never").phase()).isEqualTo(NodePhase.ERROR);
    }

    @Test
    void anApiServerThatIsAwayForAWhileCostsNothing() throws Exception {
        start(id);
        cluster.down();
        assertThatThrownBy(() -> start(other))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot be created");
        cluster.up();
        status(
                "{'phase':'Failed','reason':'DeadlineExceeded','message':'Pod was active on the node longer than the specified deadline'}");
        assertThat(reports.awaitEnd(id).phase()).isEqualTo(NodePhase.FAILED);
        assertThat(reports.ends(id)).hasSize(1);
    }

    @Test
    void aPodThatTheServerRefusesIsAnErrorThatSaysWhy() {
        executor.start(
                Steps.template(
                        id,
                        "{'name':'a','container':{'image':'i','command':['c'],'resources':{'requests':{'cpu':'2'},'limits':{'cpu':'1'}}}}"));
        StepOutcome end = reports.awaitEnd(id);
        assertThat(end.phase()).isEqualTo(NodePhase.ERROR);
        assertThat(end.message()).contains("cpu");
        assertThat(reports.of(id).stream().filter(r -> r instanceof StepReport.Started)).isEmpty();
    }
}
