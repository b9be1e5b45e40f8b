package dev.millrace.executors;

import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.Metadata;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The labels and annotations of a step's pod, and what a step that runs without one says where a
 * manifest asks for a field of its pod.
 */
public final class PodFields {
    /** Where steps of this host reach each other; they share its network. */
    public static final String ADDRESS = "127.0.0.1";

    private static final Pattern ENTRY =
            Pattern.compile("metadata\\.(labels|annotations)\\['([^']+)'\\]");
    private static final String PREFIX = "workflows.argoproj.io/";

    private PodFields() {}

    /**
     * The value of a field.
     *
     * @param path as in {@code fieldRef.fieldPath}
     * @return empty if the field means nothing without a pod
     */
    public static Optional<String> value(StepSpec step, String path) {
        Matcher entry = ENTRY.matcher(path);
        if (entry.matches()) {
            Map<String, String> map =
                    entry.group(1).equals("labels") ? labels(step) : annotations(step);
            return Optional.of(map.getOrDefault(entry.group(2), ""));
        }
        return Optional.ofNullable(
                switch (path) {
                    case "metadata.name" -> step.podName();
                    case "metadata.namespace" -> step.workflow().namespace();
                    case "metadata.uid" -> step.stepId();
                    case "metadata.labels" -> lines(labels(step));
                    case "metadata.annotations" -> lines(annotations(step));
                    case "status.podIP", "status.hostIP" -> ADDRESS;
                    case "spec.nodeName" -> "localhost";
                    case "spec.serviceAccountName" -> "default";
                    default -> null;
                });
    }

    /** The labels of a step's pod: of the workflow, of the template, then the engine's own. */
    public static Map<String, String> labels(StepSpec step) {
        Map<String, String> all = written(step, Metadata::labels);
        all.put(PREFIX + "workflow", step.workflow().name());
        all.put(PREFIX + "completed", "false");
        return all;
    }

    /** The annotations of a step's pod, as {@link #labels}. */
    public static Map<String, String> annotations(StepSpec step) {
        Map<String, String> all = written(step, Metadata::annotations);
        all.put(PREFIX + "node-id", step.nodeId());
        all.put(PREFIX + "node-name", step.nodeName());
        return all;
    }

    private static Map<String, String> written(
            StepSpec step, Function<Metadata, Map<String, String>> part) {
        Map<String, String> all = new TreeMap<>();
        Metadata common = step.pods() == null ? null : step.pods().podMetadata();
        Metadata own = step.template().metadata();
        if (common != null) {
            all.putAll(part.apply(common));
        }
        if (own != null) {
            all.putAll(part.apply(own));
        }
        return all;
    }

    /** One {@code key="value"} a line, as a downward API volume shows a map. */
    private static String lines(Map<String, String> map) {
        StringBuilder text = new StringBuilder();
        map.forEach(
                (key, value) ->
                        text.append(key)
                                .append("=\"")
                                .append(
                                        value.replace("\\", "\\\\")
                                                .replace("\"", "\\\"")
                                                .replace("\n", "\\n"))
                                .append("\"\n"));
        return text.toString();
    }
}
