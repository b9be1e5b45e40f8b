package dev.millrace.workflowengine.conformance;

import java.util.Map;
import java.util.TreeMap;

/** The recordings that are not replayed, each with its reason. */
final class ReplayTable {
    static final Map<String, String> LEFT_OUT =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(
                                    "artifacts-workflowtemplate.json",
                                    "containerSet is not supported yet"),
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
                            Map.entry("daemon-nginx.json", "daemon steps are not supported yet"),
                            Map.entry("daemon-step.json", "daemon steps are not supported yet"),
                            Map.entry(
                                    "dag-daemon-retry-strategy.json",
                                    "daemon steps are not supported yet"),
                            Map.entry("dag-daemon-task.json", "daemon steps are not supported yet"),
                            Map.entry(
                                    "steps-daemon-retry-strategy.json",
                                    "daemon steps are not supported yet"),
                            Map.entry(
                                    "timeouts-workflow.json",
                                    "the recorded exit code of a step that the deadline killed depends on timing; ours has none"),
                            Map.entry(
                                    "variables-showcase.json",
                                    "daemon steps are not supported yet")));

    private ReplayTable() {}
}
