package dev.millrace.workflowengine.core;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.workflow.Artifact;
import java.util.List;
import java.util.Objects;

/** Looks at the artifacts of a scenario: what steps were asked for, what nodes gave. */
final class Stored {
    private Stored() {}

    /** An input of a step that was requested. */
    static Artifact input(Scenario s, String node, String name) {
        return named(
                Objects.requireNonNull(s.requested(node).template().inputs()).artifacts(), name);
    }

    /** An output that a step was asked to store. */
    static Artifact output(Scenario s, String node, String name) {
        return named(
                Objects.requireNonNull(s.requested(node).template().outputs()).artifacts(), name);
    }

    /** What a node gave. */
    static Artifact outputOf(Node node, String name) {
        return named(Objects.requireNonNull(node.outputs()).artifacts(), name);
    }

    /** The key in the repository of scenarios. */
    static String key(Artifact artifact) {
        return Json.tree(artifact).path("local").path("key").asString();
    }

    static List<String> names(Node node) {
        return Objects.requireNonNull(node.outputs()).artifacts().stream()
                .map(Artifact::name)
                .toList();
    }

    private static Artifact named(List<Artifact> artifacts, String name) {
        return artifacts.stream().filter(a -> a.name().equals(name)).findFirst().orElseThrow();
    }
}
