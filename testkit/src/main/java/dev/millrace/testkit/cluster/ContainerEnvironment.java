package dev.millrace.testkit.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Resolves what a container's environment and command refer to, as a kubelet does. */
record ContainerEnvironment(KubernetesClient client, Pod pod) {
    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$)?\\(([-._a-zA-Z0-9]+)\\)");

    /** Something that the pod refers to is not there: the container waits for it. */
    static final class MissingReference extends Exception {
        private static final long serialVersionUID = 1;

        MissingReference(String message) {
            super(message);
        }
    }

    /** The variables of a container, in order. */
    Map<String, String> of(Container container) throws MissingReference {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        env.put("HOSTNAME", pod.getMetadata().getName());
        for (EnvFromSource source : container.getEnvFrom()) {
            String prefix = source.getPrefix() == null ? "" : source.getPrefix();
            if (source.getConfigMapRef() != null) {
                var ref = source.getConfigMapRef();
                configMap(ref.getName(), Boolean.TRUE.equals(ref.getOptional()))
                        .forEach((k, v) -> env.put(prefix + k, text(v)));
            }
            if (source.getSecretRef() != null) {
                var ref = source.getSecretRef();
                secret(ref.getName(), Boolean.TRUE.equals(ref.getOptional()))
                        .forEach((k, v) -> env.put(prefix + k, text(v)));
            }
        }
        for (EnvVar variable : container.getEnv()) {
            if (variable.getValueFrom() != null) {
                String value = valueFrom(variable.getValueFrom(), container);
                if (value != null) {
                    env.put(variable.getName(), value);
                }
            } else {
                String value = variable.getValue() == null ? "" : variable.getValue();
                env.put(variable.getName(), expand(value, env));
            }
        }
        return env;
    }

    /** {@code $(NAME)} becomes the variable's value; {@code $$(NAME)} is {@code $(NAME)}. */
    static String expand(String text, Map<String, String> env) {
        return REFERENCE
                .matcher(text)
                .replaceAll(
                        match -> {
                            String name = match.group(2);
                            String plain = "$(" + name + ")";
                            return Matcher.quoteReplacement(
                                    match.group(1) != null ? plain : env.getOrDefault(name, plain));
                        });
    }

    static List<String> expand(List<String> words, Map<String, String> env) {
        return words.stream().map(word -> expand(word, env)).toList();
    }

    private @Nullable String valueFrom(EnvVarSource source, Container container)
            throws MissingReference {
        if (source.getFieldRef() != null) {
            return field(source.getFieldRef().getFieldPath());
        }
        if (source.getResourceFieldRef() != null) {
            return Resources.value(container, source.getResourceFieldRef());
        }
        boolean optional;
        Map<String, byte[]> data;
        String key;
        String where;
        if (source.getConfigMapKeyRef() != null) {
            var ref = source.getConfigMapKeyRef();
            optional = Boolean.TRUE.equals(ref.getOptional());
            data = configMap(ref.getName(), optional);
            key = ref.getKey();
            where = "ConfigMap " + pod.getMetadata().getNamespace() + "/" + ref.getName();
        } else {
            var ref = source.getSecretKeyRef();
            optional = Boolean.TRUE.equals(ref.getOptional());
            data = secret(ref.getName(), optional);
            key = ref.getKey();
            where = "Secret " + pod.getMetadata().getNamespace() + "/" + ref.getName();
        }
        byte[] value = data.get(key);
        if (value == null && !optional) {
            throw new MissingReference("couldn't find key " + key + " in " + where);
        }
        return value == null ? null : text(value);
    }

    /** A field of the pod as the downward API gives it. */
    String field(String path) {
        var meta = pod.getMetadata();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        Map<String, String> annotations =
                meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
        Matcher entry = Pattern.compile("metadata\\.(labels|annotations)\\['(.+)']").matcher(path);
        if (entry.matches()) {
            return (entry.group(1).equals("labels") ? labels : annotations)
                    .getOrDefault(entry.group(2), "");
        }
        return switch (path) {
            case "metadata.name" -> meta.getName();
            case "metadata.namespace" -> meta.getNamespace();
            case "metadata.uid" -> meta.getUid();
            case "metadata.labels" -> quoted(labels);
            case "metadata.annotations" -> quoted(annotations);
            case "spec.nodeName" -> pod.getSpec().getNodeName();
            case "spec.serviceAccountName" -> String.valueOf(pod.getSpec().getServiceAccountName());
            case "status.podIP", "status.podIPs", "status.hostIP", "status.hostIPs" -> "127.0.0.1";
            default -> throw new IllegalArgumentException("no field " + path + " of pods here");
        };
    }

    private static String quoted(Map<String, String> entries) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(entries)
                .forEach(
                        (k, v) -> {
                            String escaped =
                                    v.replace("\\", "\\\\")
                                            .replace("\"", "\\\"")
                                            .replace("\n", "\\n");
                            text.append(text.isEmpty() ? "" : "\n")
                                    .append(k + "=\"" + escaped + "\"");
                        });
        return text.toString();
    }

    /** What a config map holds; nothing if it is optional and not there. */
    Map<String, byte[]> configMap(String name, boolean optional) throws MissingReference {
        var namespace = pod.getMetadata().getNamespace();
        var found = client.configMaps().inNamespace(namespace).withName(name).get();
        Map<String, byte[]> data = new TreeMap<>();
        if (found == null) {
            if (!optional) {
                throw new MissingReference("configmap \"" + name + "\" not found");
            }
            return data;
        }
        if (found.getData() != null) {
            found.getData().forEach((k, v) -> data.put(k, v.getBytes(StandardCharsets.UTF_8)));
        }
        if (found.getBinaryData() != null) {
            found.getBinaryData().forEach((k, v) -> data.put(k, Base64.getDecoder().decode(v)));
        }
        return data;
    }

    /** What a secret holds; nothing if it is optional and not there. */
    Map<String, byte[]> secret(String name, boolean optional) throws MissingReference {
        var namespace = pod.getMetadata().getNamespace();
        var found = client.secrets().inNamespace(namespace).withName(name).get();
        Map<String, byte[]> data = new TreeMap<>();
        if (found == null && !optional) {
            throw new MissingReference("secret \"" + name + "\" not found");
        }
        if (found != null && found.getData() != null) {
            found.getData().forEach((k, v) -> data.put(k, Base64.getDecoder().decode(v)));
        }
        return data;
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
