package dev.millrace.bench.load;

import java.util.Locale;
import java.util.Random;
import java.util.StringJoiner;

/** Shapes of large workflows; what a step does is the same in all of them: nothing. */
enum Shape {
    /** One loop over all steps. */
    FLAT("flat fan-out") {
        @Override
        String main(int steps) {
            return "\"steps\": [[{\"name\": \"s\", \"template\": \"noop\", \"withSequence\": {\"count\": \"%d\"}}]]"
                    .formatted(steps);
        }
    },
    /** Tasks that run side by side, each a hundred steps one after the other. */
    TASKS_OF_STEPS("tasks of 100 steps") {
        @Override
        String main(int steps) {
            StringJoiner tasks = new StringJoiner(",");
            for (int i = 0; i < steps / STEPS_OF_TASK; i++) {
                tasks.add("{\"name\": \"t%d\", \"template\": \"steps\"}".formatted(i));
            }
            return "\"dag\": {\"tasks\": [%s]}".formatted(tasks);
        }
    },
    /** One step after the other. */
    CHAIN("chain") {
        @Override
        String main(int steps) {
            return oneByOne(steps);
        }
    },
    /** Layers of a hundred tasks; each depends on ten of the layer above, taken by chance. */
    LAYERS("layers, 10 dependencies") {
        @Override
        String main(int steps) {
            Random chance = new Random(1);
            StringJoiner tasks = new StringJoiner(",");
            for (int i = 0; i < steps; i++) {
                StringJoiner dependencies = new StringJoiner(",", ", \"dependencies\": [", "]");
                int above = i / WIDTH * WIDTH - WIDTH;
                for (int place : chance.ints(0, WIDTH).distinct().limit(DEPENDENCIES).toArray()) {
                    dependencies.add("\"t%d\"".formatted(above + place));
                }
                tasks.add(
                        "{\"name\": \"t%d\", \"template\": \"noop\"%s}"
                                .formatted(i, above < 0 ? "" : dependencies));
            }
            return "\"dag\": {\"tasks\": [%s]}".formatted(tasks);
        }
    };

    private static final int STEPS_OF_TASK = 100;
    private static final int WIDTH = 100;
    private static final int DEPENDENCIES = 10;

    private final String text;

    Shape(String text) {
        this.text = text;
    }

    /** The shape that a name on the command line means. */
    static Shape of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    String text() {
        return text;
    }

    /** The entry template's own members, with so many no-op steps in all. */
    abstract String main(int steps);

    /** JSON of the spec of a workflow with so many steps. */
    String spec(int steps) {
        return """
        {"entrypoint": "main", "templates": [
          {"name": "main", %s},
          {"name": "steps", %s},
          {"name": "noop", "container": {"image": "busybox", "command": ["true"]}}]}"""
                .formatted(main(steps), oneByOne(STEPS_OF_TASK));
    }

    private static String oneByOne(int steps) {
        StringJoiner all = new StringJoiner(",");
        for (int i = 0; i < steps; i++) {
            all.add("[{\"name\": \"s%d\", \"template\": \"noop\"}]".formatted(i));
        }
        return "\"steps\": [%s]".formatted(all);
    }
}
