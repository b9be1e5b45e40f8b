package dev.millrace.executors.kubernetes;

import dev.millrace.executors.PodFields;
import dev.millrace.executors.StepContainer;
import dev.millrace.executors.StepContainer.Role;
import dev.millrace.executors.StepContainers;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepSpec;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The pod that runs a step. In the common case it has one container, the user's, as the manifest
 * has it.
 */
final class StepPod {
    /** The label that tells whose pod it is: only a pod with the same step id is the step's. */
    static final String STEP_ID = "millrace.dev/step-id";

    private static final String CLIENTS = "workflows.argoproj.io/";
    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";
    private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");

    private final StepSpec step;
    private final PodSetup setup;
    private final @Nullable Instant deadline;
    private final StepContainers containers;
    private final HandedFiles files;

    private StepPod(StepSpec step, PodSetup setup, @Nullable Instant deadline)
            throws StepRefusedException {
        this.step = step;
        this.setup = setup;
        this.deadline = deadline;
        this.containers = StepContainers.of(step);
        MovedFiles.refuse(step);
        this.files = HandedFiles.of(step);
    }

    /**
     * The pod of a step.
     *
     * @param deadline what its containers are told about when the step will be ended; null for
     *     never
     * @throws StepRefusedException if there can be no such pod; says what is wrong, and where
     */
    static Pod of(StepSpec step, PodSetup setup, @Nullable Instant deadline)
            throws StepRefusedException {
        ObjectNode tree = new StepPod(step, setup, deadline).tree();
        try {
            return Json.convert(tree, Pod.class);
        } catch (DatabindException e) {
            throw new StepRefusedException(
                    "the pod of template %s: %s: %s"
                            .formatted(step.template().name(), place(e), e.getOriginalMessage()),
                    e);
        } catch (JacksonException e) {
            throw new StepRefusedException(
                    "the pod of template %s: %s"
                            .formatted(step.template().name(), e.getOriginalMessage()),
                    e);
        }
    }

    /** The names of containers that a pod may have for the needs of its step. */
    static Set<String> helpers() {
        return Set.of(Wrapping.PREPARE);
    }

    private static String place(DatabindException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference reference : e.getPath()) {
            if (reference.getPropertyName() == null) {
                path.append('[').append(reference.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(reference.getPropertyName());
            }
        }
        return path.toString();
    }

    private ObjectNode tree() throws StepRefusedException {
        ObjectNode pod = Json.object().put("apiVersion", "v1").put("kind", "Pod");
        pod.set("metadata", metadata());
        ObjectNode spec = spec();
        if (step.pods() != null) {
            spec = PodSpecPatch.apply(spec, "workflow", step.pods().podSpecPatch());
        }
        spec = PodSpecPatch.apply(spec, "template", step.template().podSpecPatch());
        checkMains(spec);
        Wrapping.apply(containers, setup, spec);
        pod.set("spec", spec);
        return pod;
    }

    private ObjectNode metadata() throws StepRefusedException {
        ObjectNode metadata = Json.object();
        metadata.put("name", step.podName()).put("namespace", step.workflow().namespace());
        Map<String, String> labels = new TreeMap<>(PodFields.labels(step));
        labels.put(STEP_ID, step.stepId());
        if (step.exitHandler()) {
            labels.put(CLIENTS + "on-exit", "true");
        }
        if (setup.instanceId() != null) {
            labels.put(CLIENTS + "controller-instanceid", setup.instanceId());
        }
        metadata.set("labels", Json.tree(labels));
        Map<String, String> annotations = new TreeMap<>(PodFields.annotations(step));
        annotations.putAll(files.annotations());
        annotations.putIfAbsent(
                DEFAULT_CONTAINER,
                containers.main().orElseGet(() -> containers.in(Role.MAIN).getFirst()).name());
        HandedFiles.check(annotations);
        metadata.set("annotations", Json.tree(annotations));
        if (setup.owner() != null) {
            metadata.putArray("ownerReferences").add(Json.tree(setup.owner()));
        }
        return metadata;
    }

    private ObjectNode spec() throws StepRefusedException {
        ObjectNode spec = Json.object().put("restartPolicy", "Never");
        PodSpecFields.put(spec, step);
        if (step.deadlineSeconds() != null) {
            if (step.deadlineSeconds() < 1) {
                throw new StepRefusedException(
                        "activeDeadlineSeconds must be at least 1, not " + step.deadlineSeconds());
            }
            spec.put("activeDeadlineSeconds", step.deadlineSeconds());
        }
        ArrayNode first = spec.arrayNode();
        ArrayNode others = spec.arrayNode();
        for (StepContainer container : containers.all()) {
            if (container.name().length() > 63 || !NAME.matcher(container.name()).matches()) {
                throw new StepRefusedException(
                        "the container name '%s' must be lower-case letters, digits and hyphens for a pod"
                                .formatted(container.name()));
            }
            if (helpers().contains(container.name())) {
                throw new StepRefusedException(
                        "the container name '%s' is one of our own; give it another"
                                .formatted(container.name()));
            }
            switch (container.role()) {
                case INIT, NATIVE_SIDECAR -> first.add(container(container));
                case MAIN, SIDECAR -> others.add(container(container));
            }
        }
        if (!first.isEmpty()) {
            spec.set("initContainers", first);
        }
        spec.set("containers", others);
        ArrayNode volumes = spec.arrayNode();
        if (step.template().volumes() != null) {
            step.template().volumes().forEach(volumes::add);
        }
        volumes.addAll(files.volumes());
        if (!volumes.isEmpty()) {
            spec.set("volumes", volumes);
        }
        return spec;
    }

    private ObjectNode container(StepContainer container) throws StepRefusedException {
        ObjectNode tree = (ObjectNode) Json.tree(container.spec());
        tree.put("name", container.name());
        if (container.role() != Role.NATIVE_SIDECAR) {
            // Kubernetes knows it of init containers only, where it makes a sidecar.
            tree.remove("restartPolicy");
        }
        tree.set("env", environment(container));
        if (container.role() == Role.MAIN && !files.mounts().isEmpty()) {
            tree.withArray("volumeMounts").addAll(files.mounts());
        }
        if (container.source() != null) {
            tree.withArray("args").add(HandedFiles.SCRIPT);
        }
        return tree;
    }

    /** What manifests may rely on, in front: a user's own variables may refer to it. */
    private ArrayNode environment(StepContainer container) {
        Set<String> own = new HashSet<>();
        container.spec().env().forEach(variable -> own.add(variable.name()));
        ArrayNode all = Json.mapper().createArrayNode();
        Map<String, String> known =
                new TreeMap<>(
                        Map.of(
                                "ARGO_CONTAINER_NAME", container.name(),
                                "ARGO_NODE_ID", step.nodeId(),
                                "ARGO_WORKFLOW_NAME", step.workflow().name(),
                                "ARGO_INCLUDE_SCRIPT_OUTPUT", "" + step.captureResult(),
                                "ARGO_DEADLINE",
                                        deadline == null
                                                ? "0001-01-01T00:00:00Z"
                                                : deadline.toString()));
        known.forEach(
                (name, value) -> {
                    if (!own.contains(name)) {
                        all.addObject().put("name", name).put("value", value);
                    }
                });
        container.spec().env().forEach(variable -> all.add(Json.tree(variable)));
        return all;
    }

    /** A patch may change the mains, but a step whose mains are gone would never end well. */
    private void checkMains(ObjectNode spec) throws StepRefusedException {
        Set<String> there = new HashSet<>();
        for (JsonNode container : spec.path("containers")) {
            there.add(container.path("name").asString(""));
        }
        for (StepContainer main : containers.in(Role.MAIN)) {
            if (!there.contains(main.name())) {
                throw new StepRefusedException(
                        "podSpecPatch takes the container %s away, which the template has"
                                .formatted(main.name()));
            }
        }
    }
}
