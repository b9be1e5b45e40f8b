package dev.millrace.cli.testing;

import dev.millrace.schemas.workflow.Scalar;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A document of a test file.
 *
 * @param name what the report calls the test
 * @param workflow a manifest, or the path of a file that holds one, from the test file on
 * @param templates paths of files with templates and ConfigMaps that the workflow refers to
 * @param arguments parameters of the workflow
 * @param steps what becomes of steps; the first entry that fits counts, and a step that none fits
 *     succeeds at once
 * @param then what shall come of it
 */
public record WorkflowTest(
        @Nullable String name,
        JsonNode workflow,
        List<String> templates,
        Map<String, Scalar> arguments,
        List<Step> steps,
        Then then) {

    public WorkflowTest {
        templates = templates == null ? List.of() : templates;
        arguments = arguments == null ? Map.of() : arguments;
        steps = steps == null ? List.of() : steps;
    }

    /**
     * What becomes of the steps that fit.
     *
     * @param match template, display name, name, or name below the workflow; {@code *} and {@code
     *     ?} stand for any characters
     * @param attempts one after the other, for the attempts of a retried node; the last one counts
     *     for all further ones. Without it the entry itself says how each goes
     */
    public record Step(
            String match,
            @Nullable String after,
            @Nullable Integer exitCode,
            @Nullable String phase,
            @Nullable String message,
            @Nullable Outputs outputs,
            List<Attempt> attempts) {

        public Step {
            attempts = attempts == null ? List.of() : attempts;
        }

        /** How the attempt of this number, from 0, goes. */
        Attempt attempt(int number) {
            return attempts.isEmpty()
                    ? new Attempt(after, exitCode, phase, message, outputs)
                    : attempts.get(Math.min(number, attempts.size() - 1));
        }
    }

    /**
     * How one attempt goes.
     *
     * @param after virtual duration, such as 1m30s
     * @param exitCode 0 if nothing says otherwise; another one fails the step
     * @param phase Succeeded, Failed or Error, against the exit code
     */
    public record Attempt(
            @Nullable String after,
            @Nullable Integer exitCode,
            @Nullable String phase,
            @Nullable String message,
            @Nullable Outputs outputs) {}

    /** What a step gives. */
    public record Outputs(@Nullable Scalar result, Map<String, Scalar> parameters) {
        public Outputs {
            parameters = parameters == null ? Map.of() : parameters;
        }
    }

    /**
     * What is expected; what is absent is not looked at.
     *
     * @param message of the workflow; {@code *} and {@code ?} stand for any characters
     * @param duration a virtual duration, or a range such as 10s..30s
     * @param nodes phases by the names of nodes
     * @param path the steps in the order in which they began, all of them
     * @param outputs output parameters of the workflow
     */
    public record Then(
            @Nullable String phase,
            @Nullable String message,
            @Nullable String duration,
            Map<String, String> nodes,
            @Nullable List<String> path,
            Map<String, Scalar> outputs) {
        public Then {
            nodes = nodes == null ? Map.of() : nodes;
            outputs = outputs == null ? Map.of() : outputs;
        }
    }
}
