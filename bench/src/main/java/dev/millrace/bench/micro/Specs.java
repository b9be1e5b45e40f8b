package dev.millrace.bench.micro;

/** Workflows to measure with. */
final class Specs {

    private static final int WIDTH = 10;

    private Specs() {}

    /**
     * A DAG in layers of ten; each task depends on two of the layer above, has a condition, and
     * gets a result of the layer above.
     */
    static String dag(int tasks) {
        StringBuilder yaml =
                new StringBuilder(
                        """
                        entrypoint: main
                        arguments: {parameters: [{name: region, value: north}]}
                        templates:
                        - name: work
                          inputs: {parameters: [{name: text}]}
                          container: {image: busybox, command: [echo, "{{inputs.parameters.text}}"]}
                        - name: main
                          dag:
                            tasks:
                        """);
        for (int i = 0; i < tasks; i++) {
            yaml.append("    - name: t").append(i).append("\n      template: work\n");
            if (i < WIDTH) {
                yaml.append("      arguments: {parameters: [{name: text, value: first}]}\n");
                continue;
            }
            int above = i - WIDTH;
            int beside = above - above % WIDTH + (above + 1) % WIDTH;
            yaml.append("      depends: t%d && t%d.Succeeded\n".formatted(above, beside))
                    .append("      when: \"{{workflow.parameters.region}} != south\"\n")
                    .append(
                            "      arguments: {parameters: [{name: text, value: \"{{tasks.t%d.outputs.result}} in {{workflow.name}}\"}]}\n"
                                    .formatted(above));
        }
        return yaml.toString();
    }

    /** A step that is done once for each of so many items. */
    static String loop(int items) {
        return """
        entrypoint: main
        templates:
        - name: main
          steps:
          - - name: each
              template: work
              withSequence: {count: "%d"}
              arguments: {parameters: [{name: text, value: "item {{item}}"}]}
        - name: work
          inputs: {parameters: [{name: text}]}
          container: {image: busybox, command: [echo, "{{inputs.parameters.text}}"]}
        """
                .formatted(items);
    }

    /** One step. */
    static String single() {
        return """
        entrypoint: main
        templates:
        - name: main
          container: {image: busybox, command: ["true"]}
        """;
    }
}
