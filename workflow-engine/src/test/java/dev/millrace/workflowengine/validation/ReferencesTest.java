package dev.millrace.workflowengine.validation;

import static dev.millrace.workflowengine.validation.Manifests.manifest;
import static dev.millrace.workflowengine.validation.Manifests.stored;
import static dev.millrace.workflowengine.validation.Manifests.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Templates of other objects. */
final class ReferencesTest {
    private static final TemplateLookup STORED =
            stored(
                    """
                    kind: WorkflowTemplate
                    metadata: {name: lib}
                    spec:
                      entrypoint: outer
                      arguments: {parameters: [{name: level, value: "1"}, {name: who}]}
                      templates:
                      - name: outer
                        steps: [[{name: a, template: inner}]]
                      - name: inner
                        outputs: {parameters: [{name: o, valueFrom: {path: /o}, globalName: g}]}
                        container: {image: x, args: ["{{workflow.parameters.level}}"]}
                      - {name: broken, container: {image: x, args: ["{{inputs.parameters.no}}"]}}
                    """,
                    """
                    kind: ClusterWorkflowTemplate
                    metadata: {name: shared}
                    spec:
                      templates:
                      - name: fetch
                        resource: {action: get}
                    """);

    private static List<String> problems(String text) {
        return WorkflowValidator.validate(manifest(text), STORED, false).stream()
                .map(p -> p.path() + ": " + p.message())
                .toList();
    }

    @Test
    void aReferencedTemplateIsCheckedWithTheVariablesOfTheWorkflow() {
        assertThat(
                        problems(
                                workflow(
                                        "steps: [[{name: s, templateRef: {name: lib, template: outer}}]]")))
                .containsExactly(
                        "spec.templates[0].steps[0][0].templateRef: namespaced/lib templates.inner failed to resolve {{workflow.parameters.level}}");
    }

    @Test
    void onlyWhatIsCalledInAnotherObjectIsChecked() {
        String text =
                """
                spec:
                  entrypoint: main
                  arguments: {parameters: [{name: level, value: "2"}]}
                  templates:
                  - name: main
                    dag:
                      tasks:
                      - {name: a, templateRef: {name: lib, template: inner}}
                      - {name: b, depends: a, template: say, arguments: {parameters: [{name: m, value: "{{tasks.a.outputs.parameters.o}} {{workflow.outputs.parameters.g}}"}]}}
                  - {name: say, inputs: {parameters: [{name: m}]}, suspend: {}}
                """;
        assertThat(problems(text)).isEmpty();
    }

    @Test
    void aTemplateThatTheObjectDoesNotHoldIsMissing() {
        assertThat(
                        problems(
                                workflow(
                                        "steps: [[{name: s, templateRef: {name: lib, template: gone}}]]")))
                .containsExactly(
                        "spec.templates[0].steps[0][0].templateRef: templates.main.steps[0].s template reference lib.gone not found");
    }

    @Test
    void aWorkflowOfATemplateNeedsValuesForItsArguments() {
        assertThat(problems("spec: {workflowTemplateRef: {name: lib}}"))
                .containsExactly(
                        "spec.workflowTemplateRef: spec.arguments.parameters.who.value or spec.arguments.parameters.who.valueFrom is required",
                        "spec.workflowTemplateRef: templates.broken failed to resolve {{inputs.parameters.no}}");
    }

    @Test
    void anEntrypointOfTheWorkflowNamesATemplateOfTheReferencedOne() {
        assertThat(
                        problems(
                                """
                                spec:
                                  workflowTemplateRef: {name: lib}
                                  entrypoint: gone
                                  arguments: {parameters: [{name: who, value: x}]}
                                """))
                .contains("spec.entrypoint: spec.entrypoint template name 'gone' undefined");
    }

    @Test
    void whatAReferencedTemplateUsesIsRefusedAtTheReference() {
        String text =
                workflow(
                        "steps: [[{name: s, templateRef: {name: shared, template: fetch, clusterScope: true}}]]");
        assertThat(Support.check(manifest(text), STORED))
                .singleElement()
                .satisfies(
                        p -> {
                            assertThat(p.path())
                                    .isEqualTo("spec.templates[0].steps[0][0].templateRef");
                            assertThat(p.message())
                                    .isEqualTo(
                                            "cluster/shared templates.fetch uses resource templates, which cannot run yet");
                        });
    }

    @Test
    void problemsHaveTheirPlaceInTheText() {
        ManifestDocument document =
                ManifestReader.read(
                                "w.yaml",
                                """
                                apiVersion: argoproj.io/v1alpha1
                                kind: Workflow
                                metadata: {name: w}
                                spec:
                                  entrypoint: a
                                  templates:
                                    - name: a
                                      steps:
                                        - - name: s
                                            template: gone
                                """)
                        .documents()
                        .getFirst();
        assertThat(
                        WorkflowValidator.validate(
                                document.manifest().tree(),
                                TemplateLookup.none(),
                                false,
                                document.places()))
                .extracting(Problem::toString)
                .containsExactly(
                        "w.yaml:10:13: spec.templates[0].steps[0][0].template: templates.a.steps[0].s template name 'gone' undefined (there are a)");
    }
}
