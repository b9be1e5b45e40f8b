package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.StepSpec;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class StepPodTest {
    private static final String MAIN = "container: {image: i, command: [c]}";

    private static JsonNode spec(String own, String common) throws StepRefusedException {
        String pods = common.isEmpty() ? "" : "\npods: {" + common + "}";
        String more = own.isEmpty() ? "" : ", " + own;
        return spec("template: {name: t, " + MAIN + more + "}" + pods);
    }

    private static JsonNode spec(String step) throws StepRefusedException {
        return Json.mapper().readTree(Serialization.asJson(Pods.of(step))).path("spec");
    }

    private static List<String> names(JsonNode containers) {
        List<String> names = new ArrayList<>();
        containers.forEach(c -> names.add(c.path("name").asString("")));
        return names;
    }

    private static void refused(String step, String... messages) {
        assertThatThrownBy(() -> Pods.of(step))
                .isInstanceOf(StepRefusedException.class)
                .satisfies(e -> assertThat(e.getMessage()).contains(messages));
    }

    /** Field of the pod, of the template, of the workflow, and two values. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    affinity                     | affinity                     | affinity                     | {"nodeAffinity":{}}            | {"podAffinity":{}}
                    nodeSelector                 | nodeSelector                 | nodeSelector                 | {"a":"1"}                      | {"b":"2"}
                    priorityClassName            | priorityClassName            | podPriorityClassName         | "own"                          | "common"
                    resourceClaims               | resourceClaims               | resourceClaims               | [{"name":"x"}]                 | [{"name":"y"}]
                    resources                    | podResources                 | podResources                 | {"limits":{"cpu":"1"}}         | {"limits":{"cpu":"2"}}
                    schedulerName                | schedulerName                | schedulerName                | "own"                          | "common"
                    securityContext              | securityContext              | securityContext              | {"runAsUser":1}                | {"runAsUser":2}
                    serviceAccountName           | serviceAccountName           | serviceAccountName           | "own"                          | "common"
                    automountServiceAccountToken | automountServiceAccountToken | automountServiceAccountToken | false                          | true
                    tolerations                  | tolerations                  | tolerations                  | [{"key":"x"}]                  | [{"key":"y"}]
                    """)
    void theTemplateStandsInPlaceOfTheWorkflow(
            String field, String inTemplate, String inWorkflow, String own, String common)
            throws StepRefusedException {
        JsonNode mine = Json.mapper().readTree(own);
        JsonNode theirs = Json.mapper().readTree(common);
        String template = inTemplate + ": " + own;
        String workflow = inWorkflow + ": " + common;
        assertThat(spec(template, "").path(field)).isEqualTo(mine);
        assertThat(spec("", workflow).path(field)).isEqualTo(theirs);
        assertThat(spec(template, workflow).path(field)).isEqualTo(mine);
        if (!field.equals("automountServiceAccountToken")) {
            assertThat(spec("", "").has(field)).isFalse();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    dnsConfig        | {"nameservers":["1.1.1.1"]}
                    dnsPolicy        | "Default"
                    hostNetwork      | true
                    imagePullSecrets | [{"name":"pull"}]
                    """)
    void whatOnlyAWorkflowSaysIsPassedOn(String field, String value) throws StepRefusedException {
        assertThat(spec("", field + ": " + value).path(field))
                .isEqualTo(Json.mapper().readTree(value));
        assertThat(spec("", "").has(field)).isFalse();
    }

    @Test
    void hostAliasesOfWorkflowAndTemplateAddUp() throws StepRefusedException {
        assertThat(
                        spec(
                                        "hostAliases: [{ip: 2, hostnames: [b]}]",
                                        "hostAliases: [{ip: 1, hostnames: [a]}]")
                                .path("hostAliases")
                                .findValuesAsString("ip"))
                .containsExactly("1", "2");
    }

    @Test
    void aStepHasNoTokenUnlessItsManifestNamesAnAccountOrAsksForIt() throws StepRefusedException {
        String field = "automountServiceAccountToken";
        assertThat(spec("", "").path(field)).isEqualTo(Json.mapper().readTree("false"));
        assertThat(spec("serviceAccountName: robot", "").has(field)).isFalse();
        assertThat(spec("", "serviceAccountName: robot").has(field)).isFalse();
    }

    @Test
    void labelsSayWhoseThePodIsAndCannotBeTakenByTheManifest() throws StepRefusedException {
        StepSpec step =
                Pods.step(
                        "template: {name: t, "
                                + MAIN
                                + ", metadata: {labels: {millrace.dev/step-id: other, workflows.argoproj.io/workflow: other}}}");
        var owner =
                new OwnerReferenceBuilder()
                        .withApiVersion("argoproj.io/v1alpha1")
                        .withKind("Workflow")
                        .withName("wf")
                        .withUid("uid-1")
                        .withController(true)
                        .build();
        Pod pod =
                StepPod.of(
                        step,
                        new PodSetup("helper:1", Pods.SETUP.images(), owner, "blue"),
                        Instant.parse("2026-01-01T00:00:00Z"));
        assertThat(pod.getMetadata().getLabels())
                .isEqualTo(
                        Map.of(
                                "millrace.dev/step-id", "abc123",
                                "workflows.argoproj.io/workflow", "wf",
                                "workflows.argoproj.io/completed", "false",
                                "workflows.argoproj.io/controller-instanceid", "blue"));
        assertThat(pod.getMetadata().getOwnerReferences()).containsExactly(owner);
        assertThat(pod.getSpec().getContainers().getFirst().getEnv())
                .anySatisfy(
                        e -> {
                            assertThat(e.getName()).isEqualTo("ARGO_DEADLINE");
                            assertThat(e.getValue()).isEqualTo("2026-01-01T00:00:00Z");
                        });
    }

    @Test
    void fieldsThatTheClientDoesNotKnowAreKept() throws StepRefusedException {
        assertThat(
                        spec("securityContext: {ofTomorrow: {a: 1}}", "")
                                .path("securityContext")
                                .path("ofTomorrow")
                                .toString())
                .isEqualTo("{\"a\":1}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    securityContext: {runAsUser: root}          | spec.securityContext.runAsUser
                    tolerations: [{tolerationSeconds: soon}]    | spec.tolerations[0].tolerationSeconds
                    affinity: [1]                               | spec.affinity
                    podSpecPatch: "volumes: {a: 1}"             | spec.volumes
                    podSpecPatch: "- a"                         | podSpecPatch of the template: must be one object
                    podSpecPatch: "a: ["                        | podSpecPatch of the template:
                    podSpecPatch: '{"containers": [{"name": "main", "$patch": "delete"}]}' | takes the container main away
                    sidecars: [{name: Big_One, image: i}]       | container name 'Big_One'
                    sidecars: [{name: millrace-prepare, image: i}] | is one of our own
                    outputs: {parameters: [{name: p, valueFrom: {path: /p}}]} | outputs parameter p:
                    outputs: {artifacts: [{name: a, path: /a}]} | outputs artifact a:
                    inputs: {artifacts: [{name: a, path: /a, s3: {key: k}}]} | inputs artifact a:
                    """)
    void whatCannotBeAPodIsRefusedWithItsPlace(String own, String message) {
        refused("template: {name: t, " + MAIN + ", " + own + "}", message);
    }

    @Test
    void aTextThatIsTooLongForAnAnnotationIsRefused() throws StepRefusedException {
        String script = "template: {name: t, script: {image: i, command: [c], source: \"%s\"}}";
        int room = HandedFiles.MAX_BYTES;
        refused(script.formatted("x".repeat(room)), "than the 262144 that Kubernetes allows");
        assertThat(Pods.of(script.formatted("ä".repeat(room / 2 - 200)))).isNotNull();
    }

    @Test
    void aPatchOfTheTemplateComesAfterThatOfTheWorkflow() throws StepRefusedException {
        assertThat(
                        spec(
                                        "podSpecPatch: 'dnsPolicy: Default'",
                                        "podSpecPatch: 'dnsPolicy: None'")
                                .path("dnsPolicy")
                                .asString())
                .isEqualTo("Default");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    outputs: {parameters: [{name: p, valueFrom: {expression: "1"}}]}
                    outputs: {artifacts: [{name: main-logs, archiveLogs: true}]}
                    inputs: {artifacts: [{name: a, path: /a, optional: true}]}
                    inputs: {artifacts: [{name: a, path: /a, raw: {data: x}}]}
                    initContainers: [{name: i, image: i}, {name: n, image: i, restartPolicy: Always}]
                    """)
    void whatNeedsNoHelpHasNoHelper(String own) throws StepRefusedException {
        JsonNode spec = spec(own, "");
        assertThat(names(spec.path("initContainers")))
                .doesNotContainAnyElementsOf(StepPod.helpers());
        assertThat(spec.path("containers").path(0).path("command").toString()).isEqualTo("[\"c\"]");
    }

    @Test
    void aSidecarWithACommandIsToldWhenTheMainsEnd() throws StepRefusedException {
        JsonNode spec =
                spec("sidecars: [{name: s, image: i, command: [serve, --x], args: [z]}]", "");
        assertThat(names(spec.path("containers"))).containsExactly("main", "s");
        JsonNode sidecar = spec.path("containers").path(1);
        assertThat(sidecar.path("command").toString())
                .endsWith("\"--name\",\"s\",\"--with\",\"main\",\"--grace\",\"30\",\"--\"]");
        assertThat(sidecar.path("args").toString()).isEqualTo("[\"serve\",\"--x\",\"z\"]");
        assertThat(names(spec.path("initContainers"))).containsExactly("millrace-prepare");
    }

    @Test
    void aSidecarWhoseCommandIsTheImagesOwnIsLeftToKubernetes() throws StepRefusedException {
        JsonNode spec =
                spec(
                        "initContainers: [{name: first, image: i}], sidecars: [{name: s, image: i}]",
                        "");
        assertThat(names(spec.path("containers"))).containsExactly("main");
        assertThat(names(spec.path("initContainers"))).containsExactly("first", "s");
        assertThat(spec.path("initContainers").path(1).path("restartPolicy").asString())
                .isEqualTo("Always");
        assertThat(spec.path("containers").path(0).path("command").toString()).isEqualTo("[\"c\"]");
    }

    @Test
    void aContainerThatWaitsForOthersNeedsAKnownCommand() throws StepRefusedException {
        String set =
                "template: {name: t, containerSet: {containers: [{name: a, image: %s}, {name: main, image: i, command: [c], dependencies: [a]}]}}";
        refused(set.formatted("unknown"), "the command of image unknown is not known");
        assertThat(spec(set.formatted("known")).path("containers").path(0).path("args").toString())
                .isEqualTo("[\"/known\",\"start\"]");
    }
}
