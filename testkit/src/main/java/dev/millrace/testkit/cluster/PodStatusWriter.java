package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what became of one pod to the API server, and tries again while that is away. */
record PodStatusWriter(KubernetesClient client, Pod pod) {
    private static final Logger LOG = LoggerFactory.getLogger(PodStatusWriter.class);
    private static final Duration RETRY = Duration.ofMillis(200);

    /** A call of the API. */
    private interface Call {
        void run();
    }

    /**
     * Writes the status as a JSON merge patch; a pod that is gone, or another one by now, is left.
     */
    void write(PodStatus status) throws InterruptedException {
        var meta = pod.getMetadata();
        Pod patch =
                new PodBuilder()
                        .withNewMetadata()
                        .withName(meta.getName())
                        .withNamespace(meta.getNamespace())
                        .withUid(meta.getUid())
                        .endMetadata()
                        .withStatus(status)
                        .build();
        String text = client.getKubernetesSerialization().asJson(patch);
        untilAnswered(
                () ->
                        client.pods()
                                .inNamespace(meta.getNamespace())
                                .withName(meta.getName())
                                .subresource("status")
                                .patch(PatchContext.of(PatchType.JSON_MERGE), text));
    }

    /** Lets the API server forget the pod: nothing of it runs any more. */
    void delete() throws InterruptedException {
        var meta = pod.getMetadata();
        untilAnswered(
                () ->
                        client.pods()
                                .inNamespace(meta.getNamespace())
                                .withName(meta.getName())
                                .withGracePeriod(0)
                                .delete());
    }

    private void untilAnswered(Call call) throws InterruptedException {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                call.run();
                return;
            } catch (KubernetesClientException e) {
                int code = e.getCode();
                if (code == 404 || code == 409) {
                    return;
                }
                if (code >= 400 && code < 500 && code != 429) {
                    throw e;
                }
                LOG.debug("the API server does not answer; trying again", e);
                Thread.sleep(RETRY);
            }
        }
    }
}
