package dev.millrace.executors.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pods of a cluster. All methods throw {@link KubernetesClientException} where the API server
 * cannot be reached or says no in a way that is not theirs to know.
 */
final class PodApi implements AutoCloseable {
    private static final String BY_STEP = "step";
    private static final int UNPROCESSABLE = 422;

    private final KubernetesClient client;
    private @Nullable SharedIndexInformer<Pod> informer;

    PodApi(KubernetesClient client) {
        this.client = client;
    }

    /** What became of the wish to create a pod. */
    sealed interface Created {
        /** It is there now. */
        record New(Pod pod) implements Created {}

        /** A pod of its name is there. */
        record Taken(Pod by) implements Created {}

        /** There can be no such pod, whenever it is asked for. */
        record Refused(String why) implements Created {}
    }

    /**
     * Tells of all pods of steps, now and whenever they change, on one thread; goes on for ever.
     */
    void follow(ResourceEventHandler<Pod> handler) {
        Map<String, Function<Pod, List<String>>> indexers =
                Map.of(
                        BY_STEP,
                        pod ->
                                List.of(
                                        pod.getMetadata()
                                                .getLabels()
                                                .getOrDefault(StepPod.STEP_ID, "")));
        SharedIndexInformer<Pod> started =
                client.pods()
                        .inAnyNamespace()
                        .withLabel(StepPod.STEP_ID)
                        .withIndexers(indexers)
                        .runnableInformer(0);
        // The API server may be away for as long as it likes.
        started.exceptionHandler((_, _) -> true);
        started.addEventHandler(handler);
        started.start();
        informer = started;
    }

    /** The pod of a step, as the watch knows it. */
    Optional<Pod> known(String stepId) {
        return informer == null
                ? Optional.empty()
                : newest(informer.getIndexer().byIndex(BY_STEP, stepId));
    }

    /** Where one pod takes the place of another, both may be there. */
    private static Optional<Pod> newest(List<Pod> pods) {
        return pods.stream().max(Comparator.comparingInt(PodMarks::replaced));
    }

    /** The pod of a step in a namespace, as the API server knows it. */
    Optional<Pod> look(String namespace, String stepId) {
        return newest(
                client.pods()
                        .inNamespace(namespace)
                        .withLabel(StepPod.STEP_ID, stepId)
                        .list()
                        .getItems());
    }

    Created create(Pod pod) {
        try {
            return new Created.New(at(pod).create());
        } catch (KubernetesClientException e) {
            switch (e.getCode()) {
                case HttpURLConnection.HTTP_CONFLICT -> {
                    Pod there = at(pod).get();
                    return there == null ? create(pod) : new Created.Taken(there);
                }
                case HttpURLConnection.HTTP_BAD_REQUEST,
                        HttpURLConnection.HTTP_NOT_FOUND,
                        UNPROCESSABLE -> {
                    return new Created.Refused(why(e));
                }
                case HttpURLConnection.HTTP_FORBIDDEN -> {
                    // A quota may have room again.
                    if (why(e).contains("exceeded quota")) {
                        throw e;
                    }
                    return new Created.Refused(why(e));
                }
                default -> throw e;
            }
        }
    }

    private static String why(KubernetesClientException e) {
        String message = e.getStatus() == null ? null : e.getStatus().getMessage();
        return message == null ? String.valueOf(e.getMessage()) : message;
    }

    /** Lays a JSON merge patch on a pod; nothing happens if it is gone. */
    void merge(Pod pod, String patch) {
        patch(pod, PatchType.JSON_MERGE, patch);
    }

    /** Lays a strategic merge patch on a pod; nothing happens if it is gone. */
    void strategic(Pod pod, String patch) {
        patch(pod, PatchType.STRATEGIC_MERGE, patch);
    }

    private void patch(Pod pod, PatchType type, String patch) {
        try {
            at(pod).patch(PatchContext.of(type), patch);
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    /**
     * Deletes this very pod, not another one of its name; nothing happens if it is gone.
     *
     * @param graceSeconds null for what the pod itself says
     */
    void delete(Pod pod, @Nullable Long graceSeconds) {
        Pod exact =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withUid(pod.getMetadata().getUid())
                        .endMetadata()
                        .build();
        try {
            PodResource at = client.pods().resource(exact);
            if (graceSeconds == null) {
                at.delete();
            } else {
                at.withGracePeriod(graceSeconds).delete();
            }
        } catch (KubernetesClientException e) {
            boolean gone =
                    e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                            || e.getCode() == HttpURLConnection.HTTP_CONFLICT;
            if (!gone) {
                throw e;
            }
        }
    }

    /** Whether a pod of this name and uid is there. */
    boolean isThere(Pod pod) {
        Pod there = at(pod).get();
        return there != null && there.getMetadata().getUid().equals(pod.getMetadata().getUid());
    }

    /** What a container has written so far, to be closed by the caller. */
    InputStream log(Pod pod, String container) throws IOException {
        try {
            return at(pod).inContainer(container).getLogInputStream();
        } catch (KubernetesClientException e) {
            throw new IOException(
                    "the log of container %s of pod %s cannot be read: %s"
                            .formatted(container, pod.getMetadata().getName(), why(e)),
                    e);
        }
    }

    private PodResource at(Pod pod) {
        return client.pods().resource(pod);
    }

    @Override
    public void close() {
        if (informer != null) {
            informer.stop();
        }
    }
}
