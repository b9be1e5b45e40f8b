package dev.millrace.workflowengine.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Data and plugin templates before they run. */
class ServerSideTemplatesTest {

    private static JsonNode workflow(String template) {
        return YamlReader.read(
                        "t",
                        """
                        apiVersion: argoproj.io/v1alpha1
                        kind: Workflow
                        metadata: {name: a, namespace: n}
                        spec: {entrypoint: main, templates: [{name: main, %s}]}
                        """
                                .formatted(template))
                .documents()
                .getFirst()
                .tree();
    }

    private static List<String> told(List<Problem> problems) {
        return problems.stream().map(p -> p.path() + ": " + p.message()).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "plugin: {hello: {}} | ",
                "plugin: {} | spec.templates[0].plugin: templates.main.plugin must have exactly one key, but has 0",
                "plugin: {a: {}, b: {}} | spec.templates[0].plugin: templates.main.plugin must have exactly one key, but has 2",
                "data: {source: {artifactPaths: {name: p}}, transformation: [{expression: 'map(data, {#})'}]} | ",
                "data: {} | spec.templates[0].data.source: templates.main.data.source.artifactPaths is required",
                "data: {source: {artifactPaths: {name: p}}, transformation: [{}]} | spec.templates[0].data.transformation[0].expression: templates.main.data.transformation[0].expression is required",
                "data: {source: {artifactPaths: {name: p}}, transformation: [{expression: data}, {expression: 'item > 1'}]} | spec.templates[0].data.transformation[1].expression: templates.main.data.transformation[1].expression refers to item",
            })
    void everyPartIsChecked(String template, @Nullable String problem) {
        List<String> told =
                told(WorkflowValidator.validate(workflow(template), TemplateLookup.none(), false));
        if (problem == null) {
            assertThat(told).isEmpty();
        } else {
            assertThat(told).containsExactly(problem);
        }
    }

    @Test
    void anExpressionThatIsNoneIsSaid() {
        assertThat(
                        told(
                                WorkflowValidator.validate(
                                        workflow(
                                                "data: {source: {artifactPaths: {name: p}}, transformation: [{expression: 'filter('}]}"),
                                        TemplateLookup.none(),
                                        false)))
                .singleElement()
                .asString()
                .startsWith(
                        "spec.templates[0].data.transformation[0].expression: templates.main.data.transformation[0].expression cannot be compiled: ");
    }

    private static List<Problem> plugins(JsonNode workflow, TemplateLookup lookup, String... are) {
        return PluginCheck.check(
                workflow, lookup, Set.of(are), WorkflowValidator.nowhere(workflow));
    }

    @Test
    void aPluginThatIsNotThereIsNamedWithThoseThatAre() {
        JsonNode workflow = workflow("plugin: {hello: {}}");
        assertThat(plugins(workflow, TemplateLookup.none(), "hello")).isEmpty();
        assertThat(plugins(workflow, TemplateLookup.none(), "slack", "mail"))
                .singleElement()
                .satisfies(
                        p -> {
                            assertThat(p.path()).isEqualTo("spec.templates[0].plugin.hello");
                            assertThat(p.message())
                                    .isEqualTo(
                                            "templates.main needs a plugin that is not there: hello");
                            assertThat(p.hint())
                                    .isEqualTo("there are mail, slack (setting executorPlugins)");
                        });
        assertThat(plugins(workflow, TemplateLookup.none()))
                .singleElement()
                .extracting(Problem::hint)
                .isEqualTo("say where it listens in the setting executorPlugins");
    }

    @Test
    void aPluginOfAStoredTemplateIsLookedForToo() {
        JsonNode stored = workflow("plugin: {hello: {}}");
        TemplateLookup lookup =
                new TemplateLookup() {
                    @Override
                    public JsonNode workflowTemplate(String namespace, String name) {
                        return stored;
                    }

                    @Override
                    public @Nullable JsonNode clusterWorkflowTemplate(String name) {
                        return null;
                    }
                };
        JsonNode workflow =
                workflow(
                        "steps: [[{name: s, templateRef: {name: shared, template: main}}, {name: i, inline: {plugin: {mail: {}}}}]]");
        assertThat(plugins(workflow, lookup))
                .extracting(Problem::message)
                .containsExactly(
                        "namespaced/shared templates.main needs a plugin that is not there: hello",
                        "templates.main.steps[0].i.inline needs a plugin that is not there: mail");
    }
}
