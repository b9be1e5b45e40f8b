package dev.millrace.workflowengine.submission;

import java.util.Map;

/** Finds ConfigMaps that may hold parameters. */
@FunctionalInterface
public interface ConfigMapLookup {

    /** What marks a ConfigMap whose data may be parameters. */
    String LABEL = "workflows.argoproj.io/configmap-type";

    /** The value of the label. */
    String PARAMETER = "Parameter";

    /** The data of all ConfigMaps of a namespace that carry the label, by name. */
    Map<String, Map<String, String>> parameters(String namespace);

    /** Knows none. */
    static ConfigMapLookup none() {
        return namespace -> Map.of();
    }
}
