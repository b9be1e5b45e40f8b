package dev.millrace.workflowengine.validation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class BoundTemplateCheckTest {

    private static final String TEMPLATE =
            "spec: {arguments: {parameters: [{name: order}, {name: size, value: 1}]}}";

    @Test
    void aTemplateThatGetsWhatItNeedsIsFine() {
        assertThat(check("{name: there}", "order")).isEmpty();
    }

    @Test
    void aTemplateThatIsNotThereIsToldAtItsName() {
        assertThat(check("{name: gone}", "order"))
                .singleElement()
                .satisfies(
                        problem -> {
                            assertThat(problem.path())
                                    .isEqualTo("spec.submit.workflowTemplateRef.name");
                            assertThat(problem.message())
                                    .isEqualTo("there is no WorkflowTemplate gone");
                            assertThat(problem.place().line()).isEqualTo(4);
                        });
        assertThat(check("{name: there, clusterScope: true}", "order"))
                .extracting(Problem::message)
                .containsExactly("there is no ClusterWorkflowTemplate there");
    }

    @Test
    void anArgumentThatTheTemplateNeedsIsToldWithTheOneThatWasMeant() {
        assertThat(check("{name: there}", "oredr"))
                .extracting(problem -> problem.message() + " / " + problem.hint())
                .containsExactly(
                        "the template needs the parameter 'order' / did you mean it by 'oredr'?");
        assertThat(check("{name: there}", "another"))
                .extracting(Problem::hint)
                .containsExactly("add it with valueFrom.event");
    }

    private static List<Problem> check(String reference, String parameter) {
        Document binding =
                YamlReader.read(
                                "b.yaml",
                                """
                                metadata: {namespace: ns}
                                spec:
                                  submit:
                                    workflowTemplateRef: %s
                                    arguments: {parameters: [{name: %s}]}
                                """
                                        .formatted(reference, parameter))
                        .documents()
                        .getFirst();
        return BoundTemplateCheck.check(binding.tree(), new One(), binding.places());
    }

    private record One() implements TemplateLookup {

        @Override
        public @Nullable JsonNode workflowTemplate(String namespace, String name) {
            return namespace.equals("ns") && name.equals("there")
                    ? YamlReader.read("t", TEMPLATE).documents().getFirst().tree()
                    : null;
        }

        @Override
        public @Nullable JsonNode clusterWorkflowTemplate(String name) {
            return null;
        }
    }
}
