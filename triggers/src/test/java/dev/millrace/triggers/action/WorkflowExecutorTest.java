package dev.millrace.triggers.action;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class WorkflowExecutorTest {

    private final List<WorkflowSubmitter.Submission> submissions = new ArrayList<>();
    private final List<WorkflowSubmitter.Operation> operations = new ArrayList<>();
    private final WorkflowExecutor workflows =
            new WorkflowExecutor(
                    new WorkflowSubmitter() {
                        @Override
                        public DispatchOutcome submit(Submission submission) {
                            submissions.add(submission);
                            return new DispatchOutcome.Succeeded("submitted");
                        }

                        @Override
                        public DispatchOutcome act(Operation operation) {
                            operations.add(operation);
                            return new DispatchOutcome.Succeeded("done");
                        }

                        @Override
                        public Optional<Map<String, String>> labels(String namespace, String name) {
                            return Optional.empty();
                        }
                    },
                    (_, name) ->
                            name.equals("cm")
                                    ? Optional.of(
                                            Map.of(
                                                    "wf",
                                                    "kind: Workflow\nmetadata: {name: from-map}\n"))
                                    : Optional.empty());
    private final ActionRunner runner =
            new ActionRunner(
                    (_, _) -> {
                        throw new AssertionError("no request");
                    },
                    workflows,
                    workflows.k8s(),
                    new LogExecutor());

    @Test
    void theGeneratedNameIsTheSameAtEveryAttempt() throws Exception {
        String trigger = workflow("submit", "kind: Workflow\nmetadata: {generateName: g-}");
        run(trigger, 1);
        run(trigger, 2);
        assertThat(submissions).extracting(WorkflowSubmitter.Submission::name).hasSize(2);
        assertThat(submissions.get(0).name()).matches("g-[0-9a-f]{10}");
        assertThat(submissions.get(1).name()).isEqualTo(submissions.get(0).name());
        assertThat(submissions.get(1).manifest()).isEqualTo(submissions.get(0).manifest());
        assertThat(submissions.get(1).attempt()).isEqualTo(2);
    }

    @Test
    void aWrittenNameAndNamespaceStay() throws Exception {
        run(workflow("submit", "kind: Workflow\nmetadata: {name: nn, namespace: other}"), 1);
        assertThat(submissions.getFirst().name()).isEqualTo("nn");
        assertThat(submissions.getFirst().namespace()).isEqualTo("other");
    }

    @Test
    void argumentsOfTheCommandLineChangeTheWorkflow() throws Exception {
        run(
                workflow(
                        "submit",
                        "kind: Workflow\nmetadata: {generateName: g-}\nspec: {arguments: {parameters:"
                                + " [{name: a, value: old}]}}",
                        "[-p, a=new=er, --parameter=b=2, --labels, 'l=1,m=2', --entrypoint, e,"
                                + " --serviceaccount, sa, --priority, '7', --name, given, --wait,"
                                + " --node-field-selector, phase=abc]"),
                1);
        JsonNode manifest = submissions.getFirst().manifest();
        assertThat(manifest.at("/spec/arguments/parameters").toString())
                .isEqualTo(
                        "[{\"name\":\"a\",\"value\":\"new=er\"},{\"name\":\"b\",\"value\":\"2\"}]");
        assertThat(manifest.at("/metadata/labels/m").asString()).isEqualTo("2");
        assertThat(manifest.at("/spec/entrypoint").asString()).isEqualTo("e");
        assertThat(manifest.at("/spec/serviceAccountName").asString()).isEqualTo("sa");
        assertThat(manifest.at("/spec/priority").asInt()).isEqualTo(7);
        assertThat(submissions.getFirst().name()).isEqualTo("given");
    }

    @Test
    void argumentsMayBeWrittenInEveryFormOfTheCommandLine() throws Exception {
        run(
                workflow(
                        "submit",
                        "kind: Workflow\nmetadata: {generateName: g-}",
                        "[-pa=1, -p=b=2, -lx=y, --wait=true, --watch, --log=false, -oname]"),
                1);
        JsonNode manifest = submissions.getFirst().manifest();
        assertThat(manifest.at("/spec/arguments/parameters").toString())
                .isEqualTo("[{\"name\":\"a\",\"value\":\"1\"},{\"name\":\"b\",\"value\":\"2\"}]");
        assertThat(manifest.at("/metadata/labels/x").asString()).isEqualTo("y");
    }

    @Test
    void anUnknownArgumentIsRefusedRatherThanDropped() throws Exception {
        assertThat(
                        run(
                                workflow(
                                        "submit",
                                        "kind: Workflow\nmetadata: {name: nn}",
                                        "[--dry-run, client]"),
                                1))
                .isInstanceOfSatisfying(
                        DispatchOutcome.Refused.class,
                        r -> assertThat(r.message()).contains("--dry-run"));
    }

    @Test
    void submitFromATemplateMakesAWorkflowThatRefersToIt() throws Exception {
        run(
                workflow(
                        "submit-from",
                        "kind: WorkflowTemplate\nmetadata: {name: tpl}\nspec: {arguments:"
                                + " {parameters: [{name: a, value: '1'}]}}"),
                1);
        JsonNode manifest = submissions.getFirst().manifest();
        assertThat(submissions.getFirst().name()).matches("tpl-[0-9a-f]{10}");
        assertThat(manifest.at("/spec/workflowTemplateRef/name").asString()).isEqualTo("tpl");
        assertThat(manifest.at("/spec/arguments/parameters/0/value").asString()).isEqualTo("1");
    }

    @Test
    void otherOperationsNameTheWorkflow() throws Exception {
        run(workflow("stop", "kind: Workflow\nmetadata: {name: nn}", "[--message, m]"), 1);
        assertThat(operations.getFirst().operation()).isEqualTo("stop");
        assertThat(operations.getFirst().name()).isEqualTo("nn");
        assertThat(operations.getFirst().args()).containsExactly("--message", "m");
        assertThat(run(workflow("stop", "kind: Workflow\nmetadata: {generateName: n}"), 1))
                .isInstanceOf(DispatchOutcome.Refused.class);
    }

    @Test
    void theSourceMayBeTextOrAConfigMap() throws Exception {
        run(
                """
                template:
                  name: t
                  argoWorkflow:
                    operation: submit
                    source: {inline: "kind: Workflow\\nmetadata: {name: inl}"}
                """,
                1);
        run(
                """
                template:
                  name: t
                  argoWorkflow: {operation: submit, source: {configmap: {name: cm, key: wf}}}
                """,
                1);
        assertThat(submissions)
                .extracting(WorkflowSubmitter.Submission::name)
                .containsExactly("inl", "from-map");
        assertThat(
                        run(
                                """
                                template:
                                  name: t
                                  argoWorkflow: {operation: submit, source: {configmap: {name: no, key: wf}}}
                                """,
                                1))
                .isInstanceOf(DispatchOutcome.Failed.class);
    }

    @Test
    void theK8sTriggerCreatesWorkflowsAndSaysWhatItCannotDo() throws Exception {
        run(
                """
                template:
                  name: t
                  k8s: {source: {resource: {kind: Workflow, metadata: {name: nn}}}}
                """,
                1);
        assertThat(submissions).hasSize(1);
        assertThat(
                        run(
                                """
                                template:
                                  name: t
                                  k8s: {operation: create, source: {resource: {kind: Pod}}}
                                """,
                                1))
                .isInstanceOfSatisfying(
                        DispatchOutcome.Refused.class,
                        r -> assertThat(r.message()).contains("no cluster is connected"));
    }

    @Test
    void parametersFillTheSource() throws Exception {
        run(
                """
                template:
                  name: t
                  argoWorkflow:
                    operation: submit
                    source: {resource: {kind: Workflow, metadata: {generateName: g-}}}
                    parameters:
                    - {src: {dependencyName: d, dataKey: who}, dest: metadata.name}
                """,
                1);
        assertThat(submissions.getFirst().name()).isEqualTo("me");
    }

    private static String workflow(String operation, String source) {
        return workflow(operation, source, "[]");
    }

    private static String workflow(String operation, String source, String args) {
        return """
               template:
                 name: t
                 argoWorkflow:
                   operation: OPERATION
                   args: ARGS
                   source:
                     resource:
               """
                        .replace("OPERATION", operation)
                        .replace("ARGS", args)
                + source.indent(8);
    }

    private DispatchOutcome run(String trigger, int attempt) throws InterruptedException {
        EventRef event =
                new EventRef(
                        "1",
                        "ns",
                        "src",
                        "ev",
                        "webhook",
                        "1.0",
                        "application/json",
                        Instant.EPOCH,
                        "{\"who\":\"me\"}");
        return runner.attempt(
                new Activation(
                        "id",
                        "ns",
                        "s",
                        "t",
                        1,
                        Map.of("d", event),
                        YamlReader.read("test", trigger).documents().getFirst().tree(),
                        Instant.EPOCH,
                        null),
                attempt);
    }
}
