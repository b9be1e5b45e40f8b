package dev.millrace.executors;

import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.ConfigMapKeySelector;
import dev.millrace.schemas.workflow.EnvFromSource;
import dev.millrace.schemas.workflow.EnvVar;
import dev.millrace.schemas.workflow.EnvVarSource;
import dev.millrace.schemas.workflow.LocalObjectReference;
import dev.millrace.schemas.workflow.SecretKeySelector;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The environment variables of a step. Values of secrets and config maps are looked up here, when
 * the step starts, and nowhere else.
 */
public final class StepEnvironment {
    private final KeyValues secrets;
    private final KeyValues configMaps;

    public StepEnvironment(KeyValues secrets, KeyValues configMaps) {
        this.secrets = secrets;
        this.configMaps = configMaps;
    }

    /**
     * Resolves the variables of a container; later ones may refer to earlier ones as {@code
     * $(NAME)}.
     *
     * @param deadline when the step will be ended; null for never
     * @throws StepRefusedException if an object or key that is not optional is missing, or a source
     *     is not known here
     */
    public Map<String, String> resolve(
            StepSpec step, StepContainer container, @Nullable Instant deadline)
            throws StepRefusedException {
        Map<String, String> all = new LinkedHashMap<>();
        for (EnvFromSource source : container.spec().envFrom()) {
            String prefix = source.prefix() == null ? "" : source.prefix();
            entries(step, source).forEach((key, value) -> all.put(prefix + key, value));
        }
        for (EnvVar variable : container.spec().env()) {
            if (variable.valueFrom() != null) {
                value(step, variable, variable.valueFrom())
                        .ifPresent(v -> all.put(variable.name(), v));
            } else {
                String text = variable.value() == null ? "" : variable.value().text();
                all.put(variable.name(), VariableReferences.expand(text, all));
            }
        }
        own(step, container.name(), deadline).forEach(all::putIfAbsent);
        return all;
    }

    /**
     * The entries of a Secret or ConfigMap that a volume shows.
     *
     * @param name of the object
     * @param keys those that are wanted; empty for all
     * @param optional whether it may be missing, or some of its keys
     */
    public Map<String, String> secret(
            StepSpec step, @Nullable String name, List<String> keys, boolean optional)
            throws StepRefusedException {
        return entries(step, secrets, "Secret", name, keys, optional);
    }

    /** As {@link #secret}, of a ConfigMap. */
    public Map<String, String> configMap(
            StepSpec step, @Nullable String name, List<String> keys, boolean optional)
            throws StepRefusedException {
        return entries(step, configMaps, "ConfigMap", name, keys, optional);
    }

    private static Map<String, String> entries(
            StepSpec step,
            KeyValues from,
            String kind,
            @Nullable String name,
            List<String> keys,
            boolean optional)
            throws StepRefusedException {
        if (keys.isEmpty() || name == null) {
            return object(step, from, "volumes", kind, name, optional);
        }
        Map<String, String> found = new LinkedHashMap<>();
        for (String key : keys) {
            Optional<String> value = from.value(step.workflow().namespace(), name, key);
            if (value.isEmpty() && !optional) {
                throw new StepRefusedException(
                        "volumes: there is no %s %s in namespace %s with a key %s"
                                .formatted(kind, name, step.workflow().namespace(), key));
            }
            value.ifPresent(v -> found.put(key, v));
        }
        return found;
    }

    private static Map<String, String> own(
            StepSpec step, String container, @Nullable Instant deadline) {
        return Map.of(
                "ARGO_CONTAINER_NAME",
                container,
                "ARGO_NODE_ID",
                step.nodeId(),
                "ARGO_WORKFLOW_NAME",
                step.workflow().name(),
                "ARGO_INCLUDE_SCRIPT_OUTPUT",
                Boolean.toString(step.captureResult()),
                "ARGO_DEADLINE",
                deadline == null ? "0001-01-01T00:00:00Z" : deadline.toString(),
                "ARGO_PROGRESS_FILE_TICK_DURATION",
                "3s",
                "ARGO_PROGRESS_PATCH_TICK_DURATION",
                "1m0s");
    }

    private Map<String, String> entries(StepSpec step, EnvFromSource source)
            throws StepRefusedException {
        LocalObjectReference secret = source.secretRef();
        LocalObjectReference configMap = source.configMapRef();
        if (secret != null) {
            return object(
                    step,
                    secrets,
                    "envFrom",
                    "Secret",
                    secret.name(),
                    Boolean.TRUE.equals(secret.optional()));
        }
        if (configMap != null) {
            return object(
                    step,
                    configMaps,
                    "envFrom",
                    "ConfigMap",
                    configMap.name(),
                    Boolean.TRUE.equals(configMap.optional()));
        }
        return Map.of();
    }

    private static Map<String, String> object(
            StepSpec step,
            KeyValues from,
            String where,
            String kind,
            @Nullable String name,
            boolean optional)
            throws StepRefusedException {
        if (name == null) {
            throw new StepRefusedException(where + ": the name of the " + kind + " is missing");
        }
        Optional<Map<String, String>> found = from.find(step.workflow().namespace(), name);
        if (found.isEmpty() && !optional) {
            throw new StepRefusedException(
                    "%s: %s %s not found in namespace %s"
                            .formatted(where, kind, name, step.workflow().namespace()));
        }
        return found.orElse(Map.of());
    }

    private Optional<String> value(StepSpec step, EnvVar variable, EnvVarSource source)
            throws StepRefusedException {
        SecretKeySelector secret = source.secretKeyRef();
        ConfigMapKeySelector configMap = source.configMapKeyRef();
        JsonNode field = source.fieldRef();
        if (secret != null) {
            return key(
                    step,
                    variable,
                    secrets,
                    "Secret",
                    secret.name(),
                    secret.key(),
                    secret.optional());
        }
        if (configMap != null) {
            return key(
                    step,
                    variable,
                    configMaps,
                    "ConfigMap",
                    configMap.name(),
                    configMap.key(),
                    configMap.optional());
        }
        if (field != null) {
            return Optional.of(field(step, variable, field.path("fieldPath").asString("")));
        }
        throw new StepRefusedException(
                "env %s: this executor knows value, secretKeyRef, configMapKeyRef and fieldRef"
                        .formatted(variable.name()));
    }

    private static Optional<String> key(
            StepSpec step,
            EnvVar variable,
            KeyValues from,
            String kind,
            @Nullable String name,
            String key,
            @Nullable Boolean optional)
            throws StepRefusedException {
        String namespace = step.workflow().namespace();
        Optional<String> value = name == null ? Optional.empty() : from.value(namespace, name, key);
        if (value.isEmpty() && !Boolean.TRUE.equals(optional)) {
            throw new StepRefusedException(
                    "env %s: there is no %s %s in namespace %s with a key %s"
                            .formatted(variable.name(), kind, name, namespace, key));
        }
        return value;
    }

    private static String field(StepSpec step, EnvVar variable, String path)
            throws StepRefusedException {
        return PodFields.value(step, path)
                .orElseThrow(
                        () ->
                                new StepRefusedException(
                                        "env %s: fieldRef %s has no meaning for a process; known are metadata.name, namespace, uid, labels and annotations, status.podIP, status.hostIP, spec.nodeName"
                                                .formatted(variable.name(), path)));
    }
}
