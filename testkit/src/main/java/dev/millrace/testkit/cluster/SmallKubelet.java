package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node that is its own scheduler and kubelet: it binds pods and runs their containers as
 * processes of this host. Images are names only: a container sees the host's programs, with files
 * of its own ({@code does-not-exist/…} cannot be pulled; {@code …/noshell} has no shell). All pods
 * share the network of the host, and the commands of exec probes are no processes of the container.
 */
public final class SmallKubelet implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SmallKubelet.class);

    private final KubernetesClient client;
    private final KubeletSettings settings;
    private final Path folder = Files.createTempDirectory("millrace-kubelet");
    private final String node = "node-" + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, PodRun> pods = new ConcurrentHashMap<>();
    private final LogsServer logs;
    private final SharedIndexInformer<Pod> informer;

    /** Why containers cannot be run on this host; empty if they can. */
    public static Optional<String> reasonAgainst() {
        return Sandbox.reasonAgainst();
    }

    /**
     * Makes its node, and begins to watch.
     *
     * @param client stays open while the kubelet runs; it is not closed with it
     */
    public SmallKubelet(KubernetesClient client, KubeletSettings settings)
            throws IOException, InterruptedException {
        this.client = client;
        this.settings = settings;
        this.logs =
                new LogsServer(
                        folder,
                        (namespace, pod, container) ->
                                run(namespace, pod)
                                        .flatMap(run -> run.container(container))
                                        .map(ContainerRun::log));
        register();
        String namespace = settings.namespace();
        var watched =
                namespace == null
                        ? client.pods().inAnyNamespace()
                        : client.pods().inNamespace(namespace);
        this.informer = watched.inform(new Handler());
    }

    /** The name of its node. */
    public String nodeName() {
        return node;
    }

    /** Kills a container as the kernel does when memory runs out. */
    public void killForMemory(String namespace, String pod, String container) throws IOException {
        run(namespace, pod)
                .flatMap(run -> run.container(container))
                .orElseThrow(
                        () -> new IllegalArgumentException("no " + pod + "/" + container + " here"))
                .killForMemory();
    }

    private Optional<PodRun> run(String namespace, String pod) {
        Pod known = informer.getStore().getByKey(namespace + "/" + pod);
        return known == null
                ? Optional.empty()
                : Optional.ofNullable(pods.get(known.getMetadata().getUid()));
    }

    private void register() {
        Node made =
                new NodeBuilder()
                        .withNewMetadata()
                        .withName(node)
                        .addToLabels("kubernetes.io/os", "linux")
                        .endMetadata()
                        .withNewStatus()
                        .addToCapacity("cpu", new Quantity("64"))
                        .addToCapacity("memory", new Quantity("256Gi"))
                        .addToCapacity("pods", new Quantity("10000"))
                        .addNewAddress("127.0.0.1", "InternalIP")
                        .addNewCondition()
                        .withType("Ready")
                        .withStatus("True")
                        .endCondition()
                        .withNewDaemonEndpoints()
                        .withNewKubeletEndpoint(logs.port())
                        .endDaemonEndpoints()
                        .endStatus()
                        .build();
        client.nodes().resource(made).create();
        client.nodes()
                .withName(node)
                .subresource("status")
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        client.getKubernetesSerialization().asJson(made));
    }

    private final class Handler implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            Thread.ofVirtual().start(() -> see(pod));
        }

        @Override
        public void onUpdate(Pod old, Pod pod) {
            Thread.ofVirtual().start(() -> see(pod));
        }

        @Override
        public void onDelete(Pod pod, boolean finalStateUnknown) {
            Thread.ofVirtual().start(() -> forget(pod.getMetadata().getUid()));
        }
    }

    private void see(Pod pod) {
        try {
            String at = pod.getSpec().getNodeName();
            if (at == null || at.isEmpty()) {
                if (pod.getMetadata().getDeletionTimestamp() == null) {
                    schedule(pod);
                }
            } else if (at.equals(node)) {
                String uid = pod.getMetadata().getUid();
                if (settings.finishesAtOnce()) {
                    finish(pod);
                } else if (pod.getMetadata().getDeletionTimestamp() != null) {
                    Optional.ofNullable(pods.get(uid)).ifPresent(run -> run.terminate(pod));
                } else if (pod.getStatus().getPhase().equals("Pending")) {
                    pods.computeIfAbsent(uid, key -> started(pod));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.error("pod {} is stuck", pod.getMetadata().getName(), e);
        }
    }

    private PodRun started(Pod pod) {
        Path own = folder.resolve(pod.getMetadata().getUid());
        PodRun run = new PodRun(pod, own, settings, client);
        run.start();
        return run;
    }

    private void schedule(Pod pod) throws InterruptedException {
        String why = settings.unschedulable();
        if (why != null) {
            boolean said =
                    pod.getStatus().getConditions().stream()
                            .anyMatch(c -> "Unschedulable".equals(c.getReason()));
            if (!said) {
                new PodStatusWriter(client, pod)
                        .write(
                                new PodStatusBuilder()
                                        .withConditions(
                                                new PodConditionBuilder(
                                                                PodPhases.condition(
                                                                        "PodScheduled", false))
                                                        .withReason("Unschedulable")
                                                        .withMessage(why)
                                                        .build())
                                        .build());
            }
            return;
        }
        try {
            client.bindings()
                    .inNamespace(pod.getMetadata().getNamespace())
                    .resource(
                            new BindingBuilder()
                                    .withNewMetadata()
                                    .withName(pod.getMetadata().getName())
                                    .endMetadata()
                                    .withNewTarget()
                                    .withKind("Node")
                                    .withName(node)
                                    .endTarget()
                                    .build())
                    .create();
        } catch (KubernetesClientException e) {
            // Bound or deleted by now: the next event tells.
            if (e.getCode() != 409 && e.getCode() != 404) {
                throw e;
            }
        }
    }

    private void finish(Pod pod) throws InterruptedException {
        PodStatusWriter writer = new PodStatusWriter(client, pod);
        if (pod.getMetadata().getDeletionTimestamp() != null) {
            writer.delete();
            return;
        }
        if (!pod.getStatus().getPhase().equals("Pending")) {
            return;
        }
        String now = Instant.now().toString();
        List<ContainerStatus> ends =
                pod.getSpec().getContainers().stream()
                        .map(
                                c ->
                                        new ContainerStatusBuilder()
                                                .withName(c.getName())
                                                .withImage(c.getImage())
                                                .withImageID("")
                                                .withReady(false)
                                                .withRestartCount(0)
                                                .withState(
                                                        new ContainerStateBuilder()
                                                                .withNewTerminated()
                                                                .withExitCode(0)
                                                                .withReason("Completed")
                                                                .withStartedAt(now)
                                                                .withFinishedAt(now)
                                                                .endTerminated()
                                                                .build())
                                                .build())
                        .toList();
        writer.write(
                new PodStatusBuilder()
                        .withPhase("Succeeded")
                        .withStartTime(now)
                        .withContainerStatuses(ends)
                        .build());
    }

    private void forget(String uid) {
        PodRun run = pods.remove(uid);
        if (run == null) {
            return;
        }
        try {
            run.kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            LOG.error("cannot clean up after a pod", e);
        }
    }

    /** Ends every process that it started, and removes its node. */
    @Override
    public void close() throws IOException {
        informer.close();
        List.copyOf(pods.keySet()).forEach(this::forget);
        logs.close();
        client.nodes().withName(node).delete();
        ApiServer.deleteTree(folder);
    }
}
