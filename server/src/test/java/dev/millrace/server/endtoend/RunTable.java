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
                                    "colored-logs.json",
                                    "one step that prints and sleeps for a minute and a half by design"),
                            Map.entry(
                                    "dag-task-level-timeout.json",
                                    "the recording is of a machine so busy that a deadline passed"),
                            Map.entry("k8s-wait-wf.json", "resource templates need Kubernetes"),
                            Map.entry(
                                    "workflow-of-workflows.json",
                                    "resource templates need Kubernetes")));

    private RunTable() {}
}
