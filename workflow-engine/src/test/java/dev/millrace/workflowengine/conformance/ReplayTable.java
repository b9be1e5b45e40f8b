package dev.millrace.workflowengine.conformance;

import java.util.Map;
import java.util.TreeMap;

/** The recordings that are not replayed, each with its reason. */
final class ReplayTable {
    static final Map<String, String> LEFT_OUT =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry(
                                    "timeouts-workflow.json",
                                    "the recorded exit code of a step that the deadline killed depends on timing; ours has none")));

    private ReplayTable() {}
}
