package dev.millrace.cli.testing;

import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowCommand;
import dev.millrace.schemas.record.WorkflowHead;
import dev.millrace.schemas.workflow.Outputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import dev.millrace.workflowengine.simulation.Simulation;
import dev.millrace.workflowengine.view.WorkflowView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Runs a workflow with the steps of a test, and holds what came against what was expected. */
public final class Trial {

    /** When every test begins; the same story comes of it at any time. */
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * How it went.
     *
     * @param problems what was expected and what came; empty if the test passes
     * @param workflow as clients would see it at its end; null if it was not run
     * @param took virtual time
     */
    public record Outcome(List<Problem> problems, @Nullable JsonNode workflow, Duration took) {}

    private final WorkflowTest test;
    private final Complaints complaints;
    private final NodeCalls calls;
    private final MockedSteps steps;

    private Trial(WorkflowTest test, Places places, String workflow) {
        this.test = test;
        this.complaints = new Complaints(places);
        this.calls = new NodeCalls(workflow);
        this.steps = new MockedSteps(test.steps(), calls);
    }

    /**
     * Runs it.
     *
     * @param limits values of ConfigMaps by {@code namespace/name}
     */
    public static Outcome run(
            WorkflowTest test,
            Places places,
            WorkflowCommand.Submit submit,
            Map<String, Map<String, String>> limits) {
        return new Trial(test, places, submit.name()).run(submit, limits);
    }

    private Outcome run(WorkflowCommand.Submit submit, Map<String, Map<String, String>> limits) {
        complaints.values(test);
        if (!complaints.problems().isEmpty()) {
            return new Outcome(complaints.problems(), null, Duration.ZERO);
        }
        Simulation.Result result = Simulation.run(submit, steps, limits, START);
        if (!result.finished()) {
            complaints.add(
                    Complaints.THEN,
                    "the workflow does not end: nothing more happens after %s, open are %s"
                            .formatted(GoDuration.format(result.took()), open(result)),
                    "an entry in steps ends a pause");
        }
        steps.unsaid()
                .forEach(
                        missing ->
                                complaints.add(
                                        Complaints.STEPS,
                                        missing,
                                        "write it under outputs.parameters of the entry for the step"));
        phase(result);
        duration(result);
        nodes(result);
        path(result);
        outputs(result);
        for (int i = 0; i < test.steps().size(); i++) {
            if (!steps.isUsed(i)) {
                complaints.add(
                        Complaints.STEPS.index(i).key("match"),
                        "no step that began is %s; begun are %s"
                                .formatted(test.steps().get(i).match(), begun(result)),
                        "the first entry that fits a step counts");
            }
        }
        return new Outcome(
                complaints.problems(), WorkflowView.render(result.state(), "0"), result.took());
    }

    private void phase(Simulation.Result result) {
        WorkflowHead head = Objects.requireNonNull(result.state().head(), "submitted");
        String phase = head.phase() == null ? "Pending" : head.phase().text();
        String message = head.message() == null ? "" : head.message();
        if (test.then().phase() != null && !test.then().phase().equals(phase)) {
            differs(
                    Complaints.THEN.key("phase"),
                    test.then().phase(),
                    (message.isEmpty() ? phase : phase + ": " + message) + cause(result));
        }
        if (test.then().message() != null && !NodeCalls.glob(test.then().message(), message)) {
            differs(Complaints.THEN.key("message"), test.then().message(), quoted(message));
        }
    }

    /** The first step that did not succeed, which the message of the workflow seldom names. */
    private static String cause(Simulation.Result result) {
        return nodes(result.begun(), result).stream()
                .filter(node -> node.phase().failedOrError())
                .findFirst()
                .map(
                        node ->
                                " (%s: %s)"
                                        .formatted(
                                                node.name(),
                                                Objects.requireNonNullElse(
                                                        node.message(), node.phase().text())))
                .orElse("");
    }

    private void duration(Simulation.Result result) {
        String expected = test.then().duration();
        if (expected != null) {
            complaints
                    .span(expected)
                    .filter(
                            span ->
                                    result.took().compareTo(span.least()) < 0
                                            || result.took().compareTo(span.most()) > 0)
                    .ifPresent(
                            _ ->
                                    differs(
                                            Complaints.THEN.key("duration"),
                                            expected,
                                            GoDuration.format(result.took())));
        }
    }

    private void nodes(Simulation.Result result) {
        test.then()
                .nodes()
                .forEach(
                        (name, phase) -> {
                            DocumentPath path = Complaints.THEN.key("nodes").key(name);
                            List<Node> named = named(result, name);
                            if (named.isEmpty()) {
                                complaints.add(
                                        path,
                                        "expected %s, but there is no such node; there are %s"
                                                .formatted(
                                                        phase,
                                                        names(
                                                                nodes(
                                                                        result.state().nodes(),
                                                                        result))),
                                        "");
                            }
                            named.stream()
                                    .filter(node -> !node.phase().text().equals(phase))
                                    .forEach(
                                            node ->
                                                    differs(
                                                            path,
                                                            phase,
                                                            node.phase().text()
                                                                    + (node.message() == null
                                                                            ? ""
                                                                            : ": " + node.message())
                                                                    + (named.size() == 1
                                                                            ? ""
                                                                            : " ("
                                                                                    + node.name()
                                                                                    + ")")));
                        });
    }

    /** Those whose full name it is; where there are none, all that may be called so. */
    private List<Node> named(Simulation.Result result, String name) {
        List<Node> all = nodes(result.state().nodes(), result);
        List<Node> exact = all.stream().filter(node -> node.name().equals(name)).toList();
        return exact.isEmpty()
                ? all.stream()
                        .filter(node -> node.type() != NodeType.STEP_GROUP)
                        .filter(node -> calls.fit(name, node))
                        .toList()
                : exact;
    }

    private void path(Simulation.Result result) {
        List<String> expected = test.then().path();
        if (expected == null) {
            return;
        }
        List<Node> begun = nodes(result.begun(), result);
        for (int i = 0; i < Math.max(expected.size(), begun.size()); i++) {
            if (i >= expected.size()
                    || i >= begun.size()
                    || !calls.fit(expected.get(i), begun.get(i))) {
                differs(
                        i < expected.size()
                                ? Complaints.THEN.key("path").index(i)
                                : Complaints.THEN.key("path"),
                        i < expected.size() ? expected.get(i) : "no further step",
                        "%s; begun are %s"
                                .formatted(
                                        i < begun.size()
                                                ? begun.get(i).displayName()
                                                : "no further step",
                                        begun(result)));
                return;
            }
        }
    }

    private void outputs(Simulation.Result result) {
        test.then()
                .outputs()
                .forEach(
                        (name, value) -> {
                            Optional<String> given = output(result, name);
                            if (!given.equals(Optional.of(value.text()))) {
                                differs(
                                        Complaints.THEN.key("outputs").key(name),
                                        quoted(value.text()),
                                        given.map(Trial::quoted)
                                                .orElse("no output parameter of that name"));
                            }
                        });
    }

    /** Of the entry template, or exported under a global name. */
    private Optional<String> output(Simulation.Result result, String name) {
        WorkflowHead head = Objects.requireNonNull(result.state().head(), "submitted");
        Stream<Parameter> ofEntry =
                nodes(result.state().nodes(), result).stream()
                        .filter(node -> node.name().equals(head.name()))
                        .map(Node::outputs)
                        .filter(Objects::nonNull)
                        .map(Outputs::parameters)
                        .flatMap(List::stream);
        return Stream.concat(head.outputs().stream(), ofEntry)
                .filter(parameter -> parameter.name().equals(name) && parameter.value() != null)
                .map(parameter -> Objects.requireNonNull(parameter.value()).text())
                .findFirst();
    }

    private void differs(DocumentPath path, String expected, String came) {
        complaints.add(path, "expected %s, got %s".formatted(expected, came), "");
    }

    private static String begun(Simulation.Result result) {
        return result.begun().isEmpty()
                ? "none"
                : String.join(
                        ", ",
                        nodes(result.begun(), result).stream().map(Node::displayName).toList());
    }

    private static String open(Simulation.Result result) {
        List<String> open = names(nodes(result.state().openNodes(), result));
        return open.isEmpty() ? "none" : String.join(", ", open);
    }

    private static List<String> names(List<Node> nodes) {
        return nodes.stream().map(Node::name).toList();
    }

    private static List<Node> nodes(List<String> ids, Simulation.Result result) {
        List<Node> nodes = new ArrayList<>();
        for (String id : ids) {
            nodes.add(Objects.requireNonNull(result.state().node(id), id));
        }
        return nodes;
    }

    private static String quoted(String text) {
        return "'" + text + "'";
    }
}
