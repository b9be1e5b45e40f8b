package dev.millrace.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.testkit.Await;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
class SmallKubeletIT {
    private final ClusterFixture cluster;
    private final KubernetesClient client;
    private String namespace;
    private SmallKubelet kubelet;

    SmallKubeletIT(ClusterFixture cluster) {
        this.cluster = cluster;
        this.client = cluster.client();
    }

    @BeforeEach
    void start() throws Exception {
        assumeTrue(cluster.isOwn(), "the nodes of a foreign cluster run its pods");
        Optional<String> against = SmallKubelet.reasonAgainst();
        assumeTrue(against.isEmpty(), () -> against.orElse(""));
        namespace = cluster.newNamespace("kubelet");
        kubelet = new SmallKubelet(client, KubeletSettings.of(namespace));
    }

    @AfterEach
    void stop() throws Exception {
        if (kubelet != null) {
            kubelet.close();
        }
    }

    @Test
    void aPodRunsToItsEndAndItsLogsCanBeRead() {
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, command: [sh, -c, 'echo one; echo two; echo out > /dev/termination-log']}]}");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Succeeded"));
        ContainerStateTerminated end = end(status.getContainerStatuses().getFirst());
        assertThat(end.getReason()).isEqualTo("Completed");
        assertThat(end.getMessage()).isEqualTo("out\n");
        assertThat(pod().inContainer("main").getLog()).isEqualTo("one\ntwo\n");
        assertThat(pod().inContainer("main").tailingLines(1).getLog()).isEqualTo("two\n");
        assertThat(pod().inContainer("main").limitBytes(2).getLog()).isEqualTo("on");
        assertThat(pod().inContainer("main").usingTimestamps().getLog())
                .matches("(?s)\\d{4}-\\S+Z one\n.*");
    }

    @Test
    void aLogIsFollowedToItsEnd() throws Exception {
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, command: [sh, -c, 'echo one; until [ -e /shared/go ]; do sleep 0.05; done; echo two'], volumeMounts: [{name: v, mountPath: /shared}]}, {name: other, image: any, command: [sh, -c, 'sleep 0.5; touch /shared/go'], volumeMounts: [{name: v, mountPath: /shared}]}], volumes: [{name: v, emptyDir: {}}]}");
        until(p -> p.getStatus().getPhase().equals("Running"));
        try (var watch = pod().inContainer("main").watchLog()) {
            assertThat(new String(watch.getOutput().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("one\ntwo\n");
        }
    }

    @Test
    void aContainerThatFailsFailsThePodWithTheEndOfItsLog() {
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, terminationMessagePolicy: FallbackToLogsOnError, command: [sh, -c, 'echo broken; exit 3']}]}");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Failed"));
        ContainerStateTerminated end = end(status.getContainerStatuses().getFirst());
        assertThat(end.getExitCode()).isEqualTo(3);
        assertThat(end.getReason()).isEqualTo("Error");
        assertThat(end.getMessage()).isEqualTo("broken\n");
    }

    @Test
    void initContainersRunInOrderAndASidecarLivesUntilTheMainContainerHasEnded() {
        create(
                "spec: {restartPolicy: Never, terminationGracePeriodSeconds: 1, initContainers: [{name: first, image: any, command: [sh, -c, 'echo a > /v/f'], volumeMounts: [{name: v, mountPath: /v}]}, {name: side, image: any, restartPolicy: Always, command: [sh, -c, \"trap 'exit 0' TERM; while :; do sleep 0.05; done\"]}], containers: [{name: main, image: any, command: [cat, /v/f], volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, emptyDir: {}}]}");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Succeeded"));
        assertThat(pod().inContainer("main").getLog()).isEqualTo("a\n");
        assertThat(end(status.getInitContainerStatuses().get(1)).getExitCode()).isZero();
    }

    @Test
    void anInitContainerThatFailsKeepsTheOthersFromRunning() {
        create(
                "spec: {restartPolicy: Never, initContainers: [{name: first, image: any, command: ['false']}], containers: [{name: main, image: any, command: ['true']}]}");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Failed"));
        assertThat(status.getContainerStatuses().getFirst().getState().getWaiting()).isNotNull();
    }

    @Test
    void theDownwardApiConfigMapsAndSecretsReachEnvironmentAndFiles() {
        apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {k: from-map}");
        apply("apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {k: from-secret}");
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, env: [{name: POD, valueFrom: {fieldRef: {fieldPath: metadata.name}}}, {name: MAP, valueFrom: {configMapKeyRef: {name: c, key: k}}}, {name: SEC, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: BOTH, value: $(POD)-$(MAP)}], command: [sh, -c, 'echo $BOTH $SEC; cat /etc/c/k /etc/s/k /etc/d/l'], volumeMounts: [{name: c, mountPath: /etc/c}, {name: s, mountPath: /etc/s}, {name: d, mountPath: /etc/d}]}], volumes: [{name: c, configMap: {name: c}}, {name: s, secret: {secretName: s}}, {name: d, projected: {sources: [{downwardAPI: {items: [{path: l, fieldRef: {fieldPath: \"metadata.labels['app']\"}}]}}]}}]}");
        until(p -> p.getStatus().getPhase().equals("Succeeded"));
        assertThat(pod().inContainer("main").getLog())
                .isEqualTo("pod-from-map from-secret\nfrom-mapfrom-secretx");
    }

    @Test
    void aPodPastItsDeadlineFails() {
        create(
                "spec: {restartPolicy: Never, activeDeadlineSeconds: 1, terminationGracePeriodSeconds: 0, containers: [{name: main, image: any, command: [sleep, '600']}]}");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Failed"));
        assertThat(status.getReason()).isEqualTo("DeadlineExceeded");
        assertThat(end(status.getContainerStatuses().getFirst()).getExitCode()).isEqualTo(137);
    }

    @Test
    void aDeletedPodGetsItsGraceAndIsGone() {
        create(
                "metadata: {name: pod, finalizers: [millrace.dev/test]}\nspec: {restartPolicy: Never, containers: [{name: main, image: any, command: [sh, -c, \"trap 'exit 7' TERM; echo up; while :; do sleep 0.05; done\"]}]}");
        Await.until("it is up", () -> pod().inContainer("main").getLog().equals("up\n"));
        pod().delete();
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Failed"));
        assertThat(end(status.getContainerStatuses().getFirst()).getExitCode()).isEqualTo(7);
        pod().patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\": {\"finalizers\": null}}");
        Await.until("the pod is gone", () -> pod().get() == null);
    }

    @Test
    void aContainerIsRunAgainOnFailureAndKeepsItsLastState() {
        create(
                "spec: {restartPolicy: OnFailure, containers: [{name: main, image: any, volumeMounts: [{name: v, mountPath: /v}], command: [sh, -c, '[ -e /v/f ] || { touch /v/f; exit 1; }']}], volumes: [{name: v, emptyDir: {}}]}");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Succeeded"));
        ContainerStatus main = status.getContainerStatuses().getFirst();
        assertThat(main.getRestartCount()).isEqualTo(1);
        assertThat(main.getLastState().getTerminated().getExitCode()).isEqualTo(1);
    }

    @Test
    void memoryThatRunsOutIsTheReasonOfTheEnd() throws Exception {
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, command: [sh, -c, 'echo up; sleep 600']}]}");
        Await.until("it is up", () -> pod().inContainer("main").getLog().equals("up\n"));
        kubelet.killForMemory(namespace, "pod", "main");
        PodStatus status = until(p -> p.getStatus().getPhase().equals("Failed"));
        ContainerStateTerminated end = end(status.getContainerStatuses().getFirst());
        assertThat(end.getReason()).isEqualTo("OOMKilled");
        assertThat(end.getExitCode()).isEqualTo(137);
    }

    @Test
    void aContainerIsReadyWhenItsProbePasses() {
        create(
                "spec: {restartPolicy: Never, terminationGracePeriodSeconds: 0, containers: [{name: main, image: any, readinessProbe: {periodSeconds: 1, exec: {command: [test, -e, /tmp/ready]}}, command: [sh, -c, 'until [ -e /v/go ]; do sleep 0.05; done; touch /tmp/ready; sleep 600'], volumeMounts: [{name: v, mountPath: /v}]}, {name: other, image: any, command: [sh, -c, 'sleep 2; touch /v/go; sleep 600'], volumeMounts: [{name: v, mountPath: /v}]}], volumes: [{name: v, emptyDir: {}}]}");
        PodStatus before = until(p -> p.getStatus().getPhase().equals("Running"));
        assertThat(before.getContainerStatuses().getFirst().getReady()).isFalse();
        until(p -> p.getStatus().getContainerStatuses().getFirst().getReady());
    }

    @Test
    void anImageThatIsNotThereKeepsThePodWaiting() {
        create("spec: {containers: [{name: main, image: does-not-exist/x}]}");
        until(p -> waitsFor(p, "ImagePullBackOff"));
        pod().delete();
        Await.until("the pod is gone", () -> pod().get() == null);
    }

    @Test
    void anImageWithoutShellRunsItsProgramOnly() {
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: x/noshell, command: [ls, /bin/sh]}]}");
        until(p -> p.getStatus().getPhase().equals("Failed"));
        assertThat(pod().inContainer("main").getLog()).contains("cannot access '/bin/sh'");
    }

    @Test
    void podsThatFitNowhereSayWhy() throws Exception {
        kubelet.close();
        kubelet =
                new SmallKubelet(client, KubeletSettings.of(namespace).unschedulable("0/1 nodes"));
        create("spec: {containers: [{name: main, image: any}]}");
        until(
                p ->
                        p.getStatus().getConditions().stream()
                                .anyMatch(
                                        c ->
                                                "0/1 nodes".equals(c.getMessage())
                                                        && "Unschedulable".equals(c.getReason())));
    }

    @Test
    void podsOfALoadTestFinishWithoutAProcess() throws Exception {
        kubelet.close();
        kubelet = new SmallKubelet(client, KubeletSettings.of(namespace).finishingAtOnce());
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, command: ['false']}]}");
        until(p -> p.getStatus().getPhase().equals("Succeeded"));
    }

    @Test
    void whatEndsWhileTheApiServerIsAwayIsSaidWhenItIsBack() throws Exception {
        create(
                "spec: {restartPolicy: Never, containers: [{name: main, image: any, command: [sh, -c, 'sleep 1']}]}");
        until(p -> p.getStatus().getPhase().equals("Running"));
        cluster.down();
        cluster.up();
        until(p -> p.getStatus().getPhase().equals("Succeeded"));
    }

    private static boolean waitsFor(Pod pod, String reason) {
        return pod.getStatus().getContainerStatuses().stream()
                .anyMatch(
                        c ->
                                c.getState().getWaiting() != null
                                        && reason.equals(c.getState().getWaiting().getReason()));
    }

    private static ContainerStateTerminated end(ContainerStatus status) {
        return status.getState().getTerminated();
    }

    private PodResource pod() {
        return client.pods().inNamespace(namespace).withName("pod");
    }

    private PodStatus until(Predicate<Pod> fact) {
        Pod[] last = new Pod[1];
        try {
            return Await.value(
                            "the pod is as it should be",
                            () -> {
                                last[0] = pod().get();
                                return Optional.ofNullable(last[0]).filter(fact);
                            })
                    .getStatus();
        } catch (AssertionError e) {
            throw new AssertionError("last seen: " + last[0], e);
        }
    }

    private void create(String body) {
        String metadata =
                body.startsWith("metadata:") ? "" : "metadata: {name: pod, labels: {app: x}}\n";
        apply("apiVersion: v1\nkind: Pod\n" + metadata + body);
    }

    private void apply(String manifest) {
        client.resource(manifest).inNamespace(namespace).create();
    }
}
