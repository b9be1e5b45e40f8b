package dev.millrace.schemas.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.sensor.SensorSpec;
import dev.millrace.schemas.workflow.WorkflowSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ManifestReaderTest {

    private static final String WORKFLOW =
            """
            apiVersion: argoproj.io/v1alpha1
            kind: Workflow
            metadata:
              generateName: hello-
              labels: {a: b}
            spec:
              entrypoint: main
              templates:
                - name: main
                  container:
                    image: busybox
                    command: [echo, hello]
            """;

    @Test
    void aSoundManifestHasNoProblems() {
        ReadResult result = ManifestReader.read("wf.yaml", WORKFLOW);

        assertThat(result.problems()).isEmpty();
        Manifest manifest = result.manifests().getFirst();
        assertThat(manifest.kind()).isEqualTo(Kind.WORKFLOW);
        assertThat(manifest.apiVersion()).isEqualTo("argoproj.io/v1alpha1");
        assertThat(manifest.name()).isNull();
        assertThat(manifest.metadata().generateName()).isEqualTo("hello-");
        assertThat(manifest.metadata().labels()).containsEntry("a", "b");
        assertThat(manifest.namespace()).isEqualTo("default");
        assertThat(manifest.content(WorkflowSpec.class).entrypoint()).isEqualTo("main");
        assertThat(manifest.tree().at("/spec/templates/0/container/image").asString())
                .isEqualTo("busybox");
    }

    @Test
    void theContentOfAnotherKindIsRefused() {
        Manifest manifest = ManifestReader.read("wf.yaml", WORKFLOW).manifests().getFirst();

        assertThatThrownBy(() -> manifest.content(SensorSpec.class))
                .hasMessage("a Workflow is described by WorkflowSpec, not SensorSpec");
    }

    @Test
    void aMisspeltFieldIsOneLineThatSaysWhereAndWhatWasMeant() {
        assertThat(lines(WORKFLOW.replace("image:", "imagee:")))
                .containsExactly(
                        "wf.yaml:11:9: spec.templates[0].container.imagee: unknown field 'imagee'"
                                + " (did you mean image?)");
    }

    @ParameterizedTest
    @CsvSource({
        "entryPoint, did you mean entrypoint?",
        "serviceAcountName, did you mean serviceAccountName?",
        "parallellism, did you mean parallelism?",
        "kind2, ''",
        "generateName, ''",
        "metadata, it belongs into the top level",
        "on, 'bare y, yes, on, n, no and off are booleans in YAML, as a key too'"
    })
    void whatWasProbablyMeantIsSuggested(String field, String hint) {
        assertThat(ManifestReader.read("wf.yaml", WORKFLOW + "  " + field + ": x\n").errors())
                .filteredOn(problem -> problem.message().startsWith("unknown field"))
                .extracting(Problem::hint)
                .containsExactly(hint);
    }

    @Test
    void whatIsWrongWithinAMisspeltFieldIsToldToo() {
        assertThat(lines(WORKFLOW.replace("templates:", "tempaltes:").replace("image:", "imagee:")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("(did you mean templates?)"),
                        line ->
                                assertThat(line)
                                        .contains(
                                                "spec.tempaltes[0].container.imagee: ",
                                                "(did you mean image?)"));
    }

    @Test
    void aFieldOneLevelTooHighOrTooLowIsShownItsPlace() {
        assertThat(lines(WORKFLOW + "      image: x\n"))
                .containsExactly(
                        "wf.yaml:13:7: spec.templates[0].image: unknown field 'image' (it belongs into container)");
        assertThat(lines(WORKFLOW + "        retryStrategy: {limit: 2}\n"))
                .singleElement()
                .asString()
                .endsWith("(it belongs into spec.templates[0])");
    }

    @Test
    void stepsAreAListOfLists() {
        String steps =
                WORKFLOW
                        + "    - name: flow\n      steps:\n        - name: a\n          template: main\n";

        assertThat(lines(steps))
                .containsExactly(
                        "wf.yaml:15:11: spec.templates[1].steps[0]: must be a list but is an object"
                                + " (the items of this list are lists themselves: write '- - ' where a new one begins)");
        assertThat(lines(steps.replace("- name: a\n          ", "- - name: a\n            ")))
                .isEmpty();
    }

    @Test
    void aMissingFieldIsReportedAtWhatLacksIt() {
        assertThat(lines(WORKFLOW + "    - name: flow\n      steps:\n        - - template: main\n"))
                .containsExactly(
                        "wf.yaml:15:13: spec.templates[1].steps[0][0].name: is required but missing");
        assertThat(lines("apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: a}\n"))
                .containsExactly("wf.yaml:1:1: spec: is required but missing");
        assertThat(lines("apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: {}\n"))
                .containsExactly("wf.yaml:1:1: metadata: is required but missing");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "parallelism: '3'          | must be a whole number but is the text \"3\" (remove the quotes)",
                "parallelism: many         | must be a whole number but is the text \"many\"",
                "parallelism: 1.5          | must be a whole number but is the number 1.5",
                "priority: 3000000000      | must be between -2147483648 and 2147483647",
                "suspend: 'yes'            | must be true or false but is the text \"yes\" (remove the quotes)",
                "serviceAccountName: 12    | must be a text but is the number 12 (write it in quotes)",
                "dnsPolicy: yes            | must be a text but is true (write it in quotes; bare y, yes, on and true are booleans in YAML)",
                "nodeSelector: [a]         | must be an object but is a list",
                "nodeSelector: {a: 1}      | must be a text but is the number 1 (write it in quotes)",
                "nodeSelector: {a: }       | is empty (give it a value or remove it)",
                "arguments: [1]            | must be an object but is a list (remove the '-' before its fields)",
                "arguments: {parameters: 1}| must be a list but is the number 1 (write it as a list: in brackets, or on a line of its own after '- ')",
                "arguments: {parameters: {name: a}}| must be a list but is an object (put '- ' before each of its items)"
            })
    void aMistypedFieldSaysWhatIsExpectedAndWhatIsThere(String field, String message) {
        assertThat(lines(WORKFLOW + "  " + field + "\n"))
                .singleElement()
                .asString()
                .endsWith(": " + message.strip());
    }

    @Test
    void nullCountsAsAbsentAndFreePlacesAreNotLookedInto() {
        assertThat(
                        lines(
                                WORKFLOW
                                        + "  parallelism: null\n  affinity: {what: [ever]}\n  securityContext: 1\n"))
                .isEmpty();
        assertThat(lines(WORKFLOW + "status: {phase: Running, any: {thing: 1}}\n")).isEmpty();
    }

    @Test
    void aParameterMayBeAnyScalarButAListIsSuspicious() {
        String arguments =
                WORKFLOW + "  arguments:\n    parameters:\n      - {name: a, value: %s}\n";

        assertThat(lines(arguments.formatted("1"))).isEmpty();
        assertThat(lines(arguments.formatted("yes"))).isEmpty();
        assertThat(lines(arguments.formatted("text"))).isEmpty();
        ReadResult result = ManifestReader.read("wf.yaml", arguments.formatted("[1]"));
        assertThat(result.hasErrors()).isFalse();
        assertThat(result.problems())
                .extracting(Problem::path)
                .containsExactly("spec.arguments.parameters[0].value");
    }

    @Test
    void anUnknownFieldOfAnEventObjectIsAWarningButAMistypedOneAnError() {
        String sensor =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: Sensor
                metadata: {name: s}
                spec:
                  dependencies:
                    - {name: d, eventSourceName: es, eventName: e}
                  triggers:
                    - template:
                        name: t
                        atLeastOnce: true
                        log: {}
                """;
        ReadResult result = ManifestReader.read("s.yaml", sensor);

        assertThat(result.hasErrors()).isFalse();
        assertThat(result.manifests()).hasSize(1);
        assertThat(result.problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "s.yaml:10:9: spec.triggers[0].template.atLeastOnce: unknown field 'atLeastOnce'"
                                + " (it belongs into spec.triggers[0])");

        ReadResult mistyped = ManifestReader.read("s.yaml", sensor.replace("name: t", "name: 5"));
        assertThat(mistyped.errors()).hasSize(1);
        assertThat(mistyped.manifests()).isEmpty();
        assertThat(mistyped.documents()).hasSize(1);
    }

    @Test
    void unknownKindsNameTheKnownOnes() {
        assertThat(lines("apiVersion: argoproj.io/v1alpha1\nkind: Worklfow\nmetadata: {name: a}\n"))
                .containsExactly(
                        // What it was meant to be is looked at all the same.
                        "wf.yaml:1:1: spec: is required but missing",
                        "wf.yaml:2:1: kind: unknown kind Worklfow; Millrace knows Workflow, WorkflowTemplate,"
                                + " ClusterWorkflowTemplate, CronWorkflow, WorkflowEventBinding, EventSource, Sensor, EventBus, Secret, ConfigMap"
                                + " (did you mean Workflow?)");
        ReadResult service =
                ManifestReader.read("f", "apiVersion: v1\nkind: Service\n---\n" + WORKFLOW);
        assertThat(service.hasErrors()).isFalse();
        assertThat(service.manifests()).hasSize(1);
        assertThat(service.problems()).extracting(Problem::hint).containsExactly("it is left out");
    }

    @Test
    void theApiVersionMustBeThatOfTheKind() {
        assertThat(lines(WORKFLOW.replace("v1alpha1", "v1")))
                .containsExactly(
                        "wf.yaml:1:1: apiVersion: Millrace knows no Workflow of 'argoproj.io/v1'"
                                + " (write argoproj.io/v1alpha1)");
        assertThat(lines("kind: Sensor"))
                .containsExactly(
                        "wf.yaml:1:1: apiVersion: is required but missing (write argoproj.io/v1alpha1)",
                        "wf.yaml:1:1: metadata: is required but missing",
                        "wf.yaml:1:1: spec: is required but missing");
        assertThat(lines("apiVersion: v1"))
                .singleElement()
                .asString()
                .contains("kind: is required but missing");
        assertThat(lines("- 1"))
                .containsExactly(
                        "wf.yaml:1:1: a manifest is an object (begin with apiVersion: and kind:)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a-b", "a.b", "0a", "x1.y2-z3"})
    void namesOfKubernetesAreTaken(String name) {
        assertThat(lines(named("Sensor", name))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"A", "a_b", "-a", "a-", "a..b", ".a", "ä", "a b", "a/b"})
    void otherNamesAreRefused(String name) {
        assertThat(lines(named("Sensor", name)))
                .singleElement()
                .asString()
                .contains("is not a valid name");
    }

    @ParameterizedTest
    @CsvSource({"Workflow, 63", "WorkflowTemplate, 63", "CronWorkflow, 52", "Sensor, 253"})
    void namesHaveTheLengthThatTheirKindAllows(String kind, int longest) {
        assertThat(lines(named(kind, "a".repeat(longest)))).isEmpty();
        assertThat(lines(named(kind, "a".repeat(longest + 1))))
                .singleElement()
                .asString()
                .contains("a " + kind + " may have " + longest);
    }

    @Test
    void namespacesLabelsAndAnnotationsFollowTheRules() {
        String metadata = "{name: a, namespace: %s, labels: {%s}, annotations: {%s}}";
        assertThat(
                        paths(
                                metadata.formatted(
                                        "team-a", "x.io/a: B_1.c, b: ''", "x: any thing at all")))
                .isEmpty();
        assertThat(paths(metadata.formatted("Team", "a: b", "")))
                .containsExactly("metadata.namespace");
        assertThat(paths(metadata.formatted("a.b", "a: b", "")))
                .containsExactly("metadata.namespace");
        assertThat(paths(metadata.formatted("a", "a: '-'", "")))
                .containsExactly("metadata.labels.a");
        assertThat(paths(metadata.formatted("a", "-a: b", "")))
                .containsExactly("metadata.labels[\"-a\"]");
        assertThat(paths(metadata.formatted("a", "X/a: b", "")))
                .containsExactly("metadata.labels[\"X/a\"]");
        assertThat(paths(metadata.formatted("a", "", "'a b': c")))
                .containsExactly("metadata.annotations[\"a b\"]");
        assertThat(paths("{labels: {}}")).containsExactly("metadata.name");
        assertThat(paths("{generateName: -a}")).containsExactly("metadata.generateName");
        assertThat(paths("{name: 5}")).containsExactly("metadata.name");
    }

    @Test
    void clusterObjectsLiveInNoNamespace() {
        String text =
                named("ClusterWorkflowTemplate", "a")
                        .replace("name: a", "name: a, namespace: team");
        ReadResult result = ManifestReader.read("f", text);

        assertThat(result.hasErrors()).isFalse();
        assertThat(result.problems())
                .extracting(Problem::message)
                .containsExactly("a ClusterWorkflowTemplate lives in no namespace");
        assertThat(result.manifests().getFirst().namespace()).isEmpty();
    }

    @Test
    void aDuplicateKeyMakesAManifestInvalid() {
        ReadResult result = ManifestReader.read("wf.yaml", WORKFLOW + "  entrypoint: other\n");

        assertThat(result.manifests()).isEmpty();
        assertThat(result.errors())
                .extracting(Problem::toString)
                .containsExactly(
                        "wf.yaml:13:3: spec.entrypoint: the key 'entrypoint' stands twice,"
                                + " first in line 7 and again in line 13 (remove one of the two)");
    }

    @Test
    void problemsStandInTheOrderOfTheText() {
        String text =
                WORKFLOW.replace("image:", "imagee:")
                        + "---\n"
                        + named("Sensor", "B")
                        + "---\na: b: c\n";

        assertThat(ManifestReader.read("f", text).problems())
                .extracting(p -> p.place().line())
                .containsExactly(11, 16, 19);
    }

    @Test
    void secretsAndConfigMapsAreReadAndTheirKeysChecked() {
        ReadResult result =
                ManifestReader.read(
                        "f",
                        """
                apiVersion: v1
                kind: Secret
                metadata: {name: s}
                type: Opaque
                data: {token: aGVsbG8=, both: b2xk}
                stringData: {both: new}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: c}
                data: {a.txt: hello}
                """);

        assertThat(result.problems()).isEmpty();
        Secret secret = result.manifests().get(0).content(Secret.class);
        assertThat(secret.values().get("token")).asString().isEqualTo("hello");
        assertThat(secret.values().get("both")).asString().isEqualTo("new");
        assertThat(secret.toString()).doesNotContain("aGVsbG8=").doesNotContain("new");
        assertThat(result.manifests().get(1).content(ConfigMap.class).data())
                .containsEntry("a.txt", "hello");

        assertThat(
                        lines(
                                "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {a: 'plain text'}\n"))
                .containsExactly(
                        "wf.yaml:4:8: data.a: is not base64 (plain text goes into stringData)");
        assertThat(lines("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata: {a/b: x}\n"))
                .singleElement()
                .asString()
                .contains("'a/b' cannot be a key");
        assertThat(lines("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: s}\ndata: {a: 1}\n"))
                .singleElement()
                .asString()
                .contains("must be a text");
    }

    @Test
    void theItemsOfAListAreManifestsThatKeepTheirPlaces() {
        ReadResult result =
                ManifestReader.read(
                        "l.yaml",
                        "apiVersion: v1\nkind: List\nitems:\n- "
                                + WORKFLOW.replace("image:", "imagee:").indent(2).strip()
                                + "\n- "
                                + named("Sensor", "s").indent(2).strip()
                                + "\n");

        assertThat(result.documents())
                .extracting(d -> d.manifest().kind())
                .containsExactly(Kind.WORKFLOW, Kind.SENSOR);
        assertThat(result.manifests()).extracting(Manifest::kind).containsExactly(Kind.SENSOR);
        assertThat(result.problems())
                .extracting(Problem::toString)
                .containsExactly(
                        "l.yaml:14:11: spec.templates[0].container.imagee: unknown field 'imagee'"
                                + " (did you mean image?)");
    }

    @Test
    void valuesOfSecretsAreNeverRepeated() {
        ReadResult result =
                ManifestReader.read(
                        "f",
                        "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n"
                                + "stringData: {a: 31337, b: yes, c: [31337]}\ndata: {d: '31337'}\n");

        assertThat(result.errors()).hasSize(4);
        assertThat(result.toString()).doesNotContain("31337").contains("Secret default/s");
        assertThat(result.errors().getFirst())
                .hasToString(
                        "f:4:14: stringData.a: must be a text but is a number (write it in quotes)");
    }

    @Test
    void anInvalidObjectIsStillKnownByItsName() {
        ReadResult result = ManifestReader.read("f", WORKFLOW.replace("labels:", "lables:"));

        assertThat(result.errors()).hasSize(1);
        assertThat(result.documents().getFirst().isValid()).isFalse();
        assertThat(result.documents().getFirst().manifest().metadata().generateName())
                .isEqualTo("hello-");
    }

    @Test
    void anObjectWithoutATextIsCheckedToo() {
        ReadResult result =
                ManifestReader.check(
                        "request",
                        Json.mapper()
                                .readTree(
                                        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"dta\":{}}"));

        assertThat(result.errors())
                .extracting(Problem::toString)
                .containsExactly("dta: unknown field 'dta' (did you mean data?)");
    }

    @Test
    void unknownFieldsCanBeLeftOutWithAWarning() {
        ReadResult result =
                ManifestReader.read(
                        "wf.yaml",
                        WORKFLOW.replace("image:", "imagee: x\n        image:")
                                + "  entrypiont: other\n",
                        ManifestReader.UnknownFields.LEFT_OUT);

        assertThat(result.hasErrors()).isFalse();
        assertThat(result.problems())
                .extracting(Problem::path)
                .containsExactly("spec.templates[0].container.imagee", "spec.entrypiont");
        assertThat(result.manifests().getFirst().tree())
                .isEqualTo(ManifestReader.read("wf.yaml", WORKFLOW).manifests().getFirst().tree());
    }

    private static String named(String kind, String name) {
        String spec = kind.equals("CronWorkflow") ? "{workflowSpec: {}}" : "{}";
        return "apiVersion: argoproj.io/v1alpha1\nkind: "
                + kind
                + "\nmetadata: {name: "
                + name
                + "}\nspec: "
                + spec
                + "\n";
    }

    private static List<String> paths(String metadata) {
        return ManifestReader.read(
                        "f", "apiVersion: v1\nkind: ConfigMap\nmetadata: " + metadata + "\n")
                .errors()
                .stream()
                .map(Problem::path)
                .toList();
    }

    private static List<String> lines(String text) {
        return ManifestReader.read("wf.yaml", text).errors().stream()
                .map(Problem::toString)
                .toList();
    }
}
