package dev.millrace.executors.kubernetes;

import dev.millrace.executors.StepContainers;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepCommand;
import dev.millrace.schemas.record.StepSpec;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an executor writes on a pod, and reads off it. There is no other memory of steps that run as
 * pods, so any server that watches the cluster can go on with them.
 */
final class PodMarks {
    /** {@code true} once the end of the step is in the log; clients of the field look for it. */
    static final String COMPLETED = "workflows.argoproj.io/completed";

    /** Keeps a pod that somebody deletes until the end of its step is in the log. */
    static final String FINALIZER = "millrace.dev/step";

    private static final String MEMORY = "millrace.dev/step";
    private static final String STOP = "millrace.dev/stop";
    private static final String REPLACED = "millrace.dev/replaced";

    private PodMarks() {}

    /** The pod of a step, ready to be created. */
    static Pod mark(Pod pod, StepSpec step) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(MEMORY, StepMemory.write(step))
                .addToFinalizers(FINALIZER)
                .endMetadata()
                .build();
    }

    /**
     * A pod to be created in place of one that did nothing. It has a name of its own, so that it
     * can be there before the other one goes: at no moment would a crash leave the step without a
     * pod.
     */
    static Pod replacement(Pod pod) {
        ObjectMeta old = pod.getMetadata();
        int number = replaced(pod) + 1;
        String name = number == 1 ? old.getName() : old.getName().replaceFirst("-r\\d+$", "");
        return new PodBuilder()
                .withNewMetadata()
                .withName(name + "-r" + number)
                .withNamespace(old.getNamespace())
                .withLabels(old.getLabels())
                .withAnnotations(old.getAnnotations())
                .addToAnnotations(REPLACED, Integer.toString(number))
                .withOwnerReferences(old.getOwnerReferences())
                .withFinalizers(FINALIZER)
                .endMetadata()
                .withNewSpecLike(pod.getSpec())
                .withNodeName(null)
                .endSpec()
                .build();
    }

    /** Whether a pod is that of a step. */
    static boolean isOf(Pod pod, String stepId) {
        return stepId.equals(pod.getMetadata().getLabels().get(StepPod.STEP_ID));
    }

    /** The step of a pod, with as much of it as a pod keeps; empty if it is no step's. */
    static Optional<StepSpec> step(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations().get(MEMORY))
                .map(StepMemory::read);
    }

    /** How a pod stands. */
    static PodView view(Pod pod, StepSpec step, Set<String> helpers) throws StepRefusedException {
        ObjectMeta metadata = pod.getMetadata();
        String deletion = metadata.getDeletionTimestamp();
        StepCommand.@Nullable Stop stop = stop(pod).orElse(null);
        return new PodView(
                PodReading.read(StepContainers.of(step), helpers, pod),
                Boolean.TRUE.equals(step.template().daemon()),
                "true".equals(metadata.getLabels().get(COMPLETED)),
                stop == null ? null : stop.reason(),
                // The API counts the grace in: it is the moment at which the pod is to be gone.
                deletion == null ? null : Instant.parse(deletion),
                replaced(pod));
    }

    /** How many pods of the step there were before. */
    static int replaced(Pod pod) {
        return Integer.parseInt(pod.getMetadata().getAnnotations().getOrDefault(REPLACED, "0"));
    }

    /** Why and how the step is to end, if it is. */
    static Optional<StepCommand.Stop> stop(Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations().get(STOP))
                .map(text -> Json.mapper().readValue(text, StepCommand.Stop.class));
    }

    /** A merge patch that notes a stop. */
    static String stopped(StepCommand.Stop stop) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(STOP, Json.tree(stop).toString());
        return patch.toString();
    }

    /** A strategic merge patch after which the pod is nobody's care. */
    static String completed() {
        ObjectNode metadata = Json.object();
        metadata.putObject("labels").put(COMPLETED, "true");
        return letGo(metadata);
    }

    /** A strategic merge patch after which the pod can vanish. */
    static String released() {
        return letGo(Json.object());
    }

    private static String letGo(ObjectNode metadata) {
        metadata.putArray("$deleteFromPrimitiveList/finalizers").add(FINALIZER);
        ObjectNode patch = Json.object();
        patch.set("metadata", metadata);
        return patch.toString();
    }
}
