package dev.millrace.workflowengine.topology;

import dev.millrace.schemas.record.LockHolder;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.yaml.YamlReader;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Workflows for the tests. */
final class Samples {
    static final String NAMESPACE = "ns";

    static final String HELLO =
            """
            entrypoint: main
            templates:
            - name: main
              container: {image: busybox, command: [echo, hello]}
            """;

    static final String DIAMOND =
            """
            entrypoint: main
            templates:
            - name: main
              dag:
                tasks:
                - {name: A, template: echo}
                - {name: B, template: echo, dependencies: [A]}
                - {name: C, template: echo, dependencies: [A]}
                - {name: D, template: echo, dependencies: [B, C]}
            - name: echo
              container: {image: busybox, command: [echo]}
            """;

    static final String RETRY =
            """
            entrypoint: main
            templates:
            - name: main
              retryStrategy:
                limit: "3"
                backoff: {duration: "1", factor: "1"}
              container: {image: busybox, command: [flaky]}
            """;

    static final String SUSPEND =
            """
            entrypoint: main
            templates:
            - name: main
              steps:
              - - {name: before, template: echo}
              - - {name: wait, template: wait}
              - - {name: after, template: echo}
            - name: wait
              suspend: {}
            - name: echo
              container: {image: busybox, command: [echo]}
            """;

    private Samples() {}

    static String loop(int items) {
        return """
        entrypoint: main
        templates:
        - name: main
          steps:
          - - name: each
              template: echo
              withSequence: {count: "%d"}
              arguments: {parameters: [{name: i, value: "{{item}}"}]}
        - name: echo
          inputs: {parameters: [{name: i}]}
          container: {image: busybox, command: [echo, "{{inputs.parameters.i}}"]}
        """
                .formatted(items);
    }

    /** One step, and the workflow takes this mutex. */
    static String mutex(String name) {
        return HELLO + "synchronization: {mutexes: [{name: %s}]}\n".formatted(name);
    }

    /** A loop whose items share the semaphore {@code ns/ConfigMap/limits/most}. */
    static String semaphoreLoop(int items) {
        return loop(items).stripTrailing()
                + "\n  synchronization: {semaphores: [{configMapKeyRef: {name: limits, key: most}}]}\n";
    }

    /** A holder of a workflow that was never submitted. */
    static LockHolder holder(String name) {
        return new LockHolder(NAMESPACE, name, "uid-of-nobody", null, 0);
    }

    static WorkflowCommand.Submit submit(String name, String spec) {
        return submit("submit-" + name, name, spec);
    }

    static WorkflowCommand.Submit submit(String commandId, String name, String spec) {
        JsonNode tree = YamlReader.read("sample", spec).documents().getFirst().tree();
        ObjectNode manifest =
                (ObjectNode)
                        YamlReader.read("sample", "kind: Workflow").documents().getFirst().tree();
        manifest.putObject("metadata").put("name", name).put("namespace", NAMESPACE);
        manifest.set("spec", tree);
        return new WorkflowCommand.Submit(
                commandId,
                NAMESPACE,
                name,
                "uid-of-" + commandId,
                manifest,
                tree,
                Map.of(),
                false,
                null,
                null);
    }

    static String key(String name) {
        return NAMESPACE + "/" + name;
    }
}
