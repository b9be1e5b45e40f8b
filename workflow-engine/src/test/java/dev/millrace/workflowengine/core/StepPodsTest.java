package dev.millrace.workflowengine.core;

import static dev.millrace.workflowengine.core.Scenario.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.PodSettings;
import dev.millrace.schemas.workflow.WorkflowSpec;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a workflow says about the pods of its steps. */
class StepPodsTest {
    private static final String TEMPLATES =
            """
            entrypoint: main
            templates:
            - name: main
              steps: [[{name: a, template: a, arguments: {parameters: [{name: zone, value: west}]}}]]
            - name: a
              inputs: {parameters: [{name: zone}]}
              container: {image: i, command: [c]}
            - name: pause
              suspend: {}
            """;

    @Test
    void aWorkflowThatSaysNothingAddsNothingToItsSteps() {
        var spec = given(TEMPLATES).requested("wf[0].a");
        assertThat(spec.pods()).isNull();
        assertThat(Json.tree(spec).has("pods")).isFalse();
    }

    @Test
    void tagsAreReplacedWithWhatTheStepKnows() {
        PodSettings pods =
                Objects.requireNonNull(
                        given(
                                        TEMPLATES
                                                + """
                                                nodeSelector: {zone: "{{inputs.parameters.zone}}", of: "{{workflow.name}}"}
                                                tolerations: [{key: "{{pod.name}}"}]
                                                """)
                                .requested("wf[0].a")
                                .pods());
        assertThat(pods.nodeSelector()).isEqualTo(Map.of("zone", "west", "of", "wf"));
        assertThat(Objects.requireNonNull(pods.tolerations()).toString())
                .matches("\\[\\{\"key\":\"wf-a-\\d+\"}]");
    }

    @Test
    void everySettingReachesTheStepAsItIsWritten() {
        String settings =
                """
                {"affinity":{"nodeAffinity":{}},"automountServiceAccountToken":true,"dnsConfig":{"nameservers":["1.1.1.1"]},
                 "dnsPolicy":"None","hostAliases":[{"ip":"10.0.0.1","hostnames":["h"]}],"hostNetwork":true,
                 "imagePullSecrets":[{"name":"pull"}],"nodeSelector":{"disk":"ssd"},
                 "podMetadata":{"labels":{"l":"1"},"annotations":{"a":"2"}},"podPriorityClassName":"high",
                 "podResources":{"limits":{"cpu":"1"}},"podSpecPatch":"{}","resourceClaims":[{"name":"gpu"}],
                 "schedulerName":"other","securityContext":{"runAsUser":1000},"serviceAccountName":"robot",
                 "tolerations":[{"operator":"Exists"}]}
                """;
        List<String> known =
                Arrays.stream(PodSettings.class.getRecordComponents())
                        .map(RecordComponent::getName)
                        .toList();
        var written = Json.mapper().readTree(settings);
        assertThat(written.propertyNames()).containsExactlyElementsOf(known);
        assertThat(known)
                .isSubsetOf(
                        Arrays.stream(WorkflowSpec.class.getRecordComponents())
                                .map(RecordComponent::getName)
                                .toList());
        StringBuilder lines = new StringBuilder(TEMPLATES);
        written.properties()
                .forEach(
                        e ->
                                lines.append(e.getKey())
                                        .append(": ")
                                        .append(e.getValue())
                                        .append('\n'));
        var spec = given(lines.toString()).requested("wf[0].a");
        assertThat(Json.tree(spec).path("pods")).isEqualTo(written);
    }
}
