package dev.millrace.cli.testing;

import dev.millrace.cli.testing.WorkflowTest.Attempt;
import dev.millrace.cli.testing.WorkflowTest.Step;
import dev.millrace.expressions.duration.DurationSyntaxException;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a test file says wrongly, and what it expected in vain, each with its place. */
final class Complaints {

    static final DocumentPath STEPS = DocumentPath.ROOT.key("steps");
    static final DocumentPath THEN = DocumentPath.ROOT.key("then");

    private static final List<String> STEP_PHASES = List.of("Succeeded", "Failed", "Error");
    private static final List<String> WORKFLOW_PHASES = List.of("Succeeded", "Failed", "Error");
    private static final List<String> NODE_PHASES =
            List.of("Pending", "Running", "Succeeded", "Skipped", "Failed", "Error", "Omitted");

    private final Places places;
    private final List<Problem> problems = new ArrayList<>();

    /** Both ends count. */
    record Span(Duration least, Duration most) {}

    Complaints(Places places) {
        this.places = places;
    }

    List<Problem> problems() {
        return problems;
    }

    void add(DocumentPath path, String message, String hint) {
        problems.add(Problem.error(places.of(path), path.toString(), message, hint));
    }

    /** What the structure of the document does not show. */
    void values(WorkflowTest test) {
        for (int i = 0; i < test.steps().size(); i++) {
            Step step = test.steps().get(i);
            DocumentPath path = STEPS.index(i);
            attempt(new Attempt(step.after(), null, step.phase(), null, null), path);
            if (!step.attempts().isEmpty()
                    && (step.after() != null
                            || step.exitCode() != null
                            || step.phase() != null
                            || step.message() != null
                            || step.outputs() != null)) {
                add(path, "says how it goes both itself and in attempts", "keep one of the two");
            }
            for (int k = 0; k < step.attempts().size(); k++) {
                attempt(step.attempts().get(k), path.key("attempts").index(k));
            }
        }
        phase(test.then().phase(), WORKFLOW_PHASES, THEN.key("phase"));
        test.then()
                .nodes()
                .forEach((name, phase) -> phase(phase, NODE_PHASES, THEN.key("nodes").key(name)));
        if (test.then().duration() != null) {
            span(test.then().duration());
        }
    }

    private void attempt(Attempt attempt, DocumentPath path) {
        phase(attempt.phase(), STEP_PHASES, path.key("phase"));
        if (attempt.after() != null) {
            duration(attempt.after(), path.key("after"));
        }
    }

    private void phase(@Nullable String phase, List<String> known, DocumentPath path) {
        if (phase != null && !known.contains(phase)) {
            add(path, "%s: one of %s is expected".formatted(phase, String.join(", ", known)), "");
        }
    }

    private Optional<Duration> duration(String text, DocumentPath path) {
        try {
            Duration duration = GoDuration.parse(text.strip());
            if (!duration.isNegative()) {
                return Optional.of(duration);
            }
        } catch (DurationSyntaxException e) {
            // Said below, as for negative ones.
        }
        add(path, "'%s' is no duration".formatted(text), "write it like 10s, 1m30s or 500ms");
        return Optional.empty();
    }

    /** The expected duration; empty, and complained of, if it is none. */
    Optional<Span> span(String text) {
        DocumentPath path = THEN.key("duration");
        int dots = text.indexOf("..");
        String from = dots < 0 ? text : text.substring(0, dots);
        String to = dots < 0 ? text : text.substring(dots + 2);
        Optional<Duration> least = duration(from, path);
        return least.isEmpty()
                ? Optional.empty()
                : duration(to, path).map(most -> new Span(least.get(), most));
    }
}
