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
                                    "container-set-template/graph-workflow.json",
                                    "containerSet is not supported yet"),
                            Map.entry(
                                    "container-set-template/outputs-result-workflow.json",
                                    "containerSet is not supported yet"),
                            Map.entry(
                                    "container-set-template/parallel-workflow.json",
                                    "containerSet is not supported yet"),
                            Map.entry(
                                    "container-set-template/sequence-workflow.json",
                                    "containerSet is not supported yet"),
                            Map.entry(
                                    "container-set-template/workspace-workflow.json",
                                    "containerSet is not supported yet"),
                            Map.entry(
                                    "dag-task-level-timeout.json",
                                    "the recording is of a machine so busy that a deadline passed"),
                            Map.entry(
                                    "http-hello-world.json",
                                    "http templates are not supported yet"),
                            Map.entry(
                                    "http-success-condition.json",
                                    "http templates are not supported yet"),
                            Map.entry("init-container.json", "init containers need a pod"),
                            Map.entry("k8s-wait-wf.json", "resource templates need Kubernetes"),
                            Map.entry(
                                    "life-cycle-hooks-tmpl-level.json",
                                    "http templates are not supported yet"),
                            Map.entry(
                                    "life-cycle-hooks-wf-level.json",
                                    "http templates are not supported yet"),
                            Map.entry(
                                    "pod-resources-template-override.json", "sidecars need a pod"),
                            Map.entry(
                                    "workflow-of-workflows.json",
                                    "resource templates need Kubernetes")));

    private RunTable() {}
}
