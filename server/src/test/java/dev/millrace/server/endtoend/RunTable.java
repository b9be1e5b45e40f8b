package dev.millrace.server.endtoend;

import java.util.Map;
import java.util.TreeMap;

/**
 * The recordings whose workflows are not run here though their steps could be, each with its
 * reason.
 */
final class RunTable {
    static final Map<String, String> LEFT_OUT =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(
                                    "global-parameters-from-configmap.json",
                                    "parameters from ConfigMaps are not supported yet"),
                            Map.entry("memoize-simple.json", "memoization is not supported yet"),
                            Map.entry(
                                    "arguments-parameters-from-configmap.json",
                                    "parameters from ConfigMaps are not supported yet"),
                            Map.entry(
                                    "colored-logs.json",
                                    "one step that prints and sleeps for a minute and a half by design"),
                            Map.entry(
                                    "dag-task-level-timeout.json",
                                    "the recording is of a machine so busy that a deadline passed"),
                            Map.entry(
                                    "fibonacci-seq-conditional-param.json",
                                    "memoization is not supported yet"),
                            Map.entry(
                                    "global-parameters-from-configmap-referenced-as-local-variable.json",
                                    "parameters from ConfigMaps are not supported yet"),
                            Map.entry("k8s-wait-wf.json", "resource templates need Kubernetes"),
                            Map.entry(
                                    "workflow-of-workflows.json",
                                    "resource templates need Kubernetes")));

    private RunTable() {}
}
