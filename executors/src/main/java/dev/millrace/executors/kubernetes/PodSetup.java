package dev.millrace.executors.kubernetes;

import dev.millrace.executors.Images;
import io.fabric8.kubernetes.api.model.OwnerReference;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all pods of an executor, or of a workflow.
 *
 * @param helperImage an image with a shell and a static busybox on its PATH; used only by steps
 *     whose containers must know of each other
 * @param images the commands of images, for containers that must be started by our own means and
 *     name none
 * @param owner of the pods, so that they go with it; null if there is no such object in the cluster
 * @param instanceId which of several servers of a cluster the pods belong to; null if there is one
 */
record PodSetup(
        String helperImage,
        Images images,
        @Nullable OwnerReference owner,
        @Nullable String instanceId) {}
