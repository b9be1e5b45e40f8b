package dev.millrace.sensors.binding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.log.ManifestKey;
import dev.millrace.log.plain.ManifestLog;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.ReadResult;
import dev.millrace.schemas.record.Activation;
import dev.millrace.schemas.record.Decision;
import dev.millrace.schemas.record.EventRef;
import dev.millrace.schemas.record.PostedEvent;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.sensors.matching.Matching;
import dev.millrace.testkit.Conformance;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class BindingRegistryTest {

    private static final Instant NOW = Instant.parse("2026-01-05T12:00:00Z");

    private final BindingRegistry registry = new BindingRegistry();

    @Test
    void aSelectorThatIsTrueMakesTheWorkflowWithAllThatIsBound() {
        bind(
                "shop",
                """
                event: {selector: 'payload.total > 10 && discriminator == "orders" && namespace == "argo"'}
                submit:
                  workflowTemplateRef: {name: ship}
                  metadata:
                    generateName: '"order-" + string(payload.id) + "-"'
                    labels: {customer: payload.customer}
                    annotations: {who: 'metadata["x-user"][0]'}
                  arguments:
                    parameters:
                      - {name: id, valueFrom: {event: payload.id}}
                      - {name: items, valueFrom: {event: payload.items}}
                      - {name: name, valueFrom: {event: payload.customer}}
                      - {name: nothing, valueFrom: {event: payload.absent}}
                      - {name: trimmed, valueFrom: {event: 'sprig.trim("  a ")'}}
                """);

        Matching matching =
                match(
                        "orders",
                        "{\"id\":12,\"total\":10.5,\"customer\":\"ada\",\"items\":[{\"a\":1},\"<b>\"]}");

        assertThat(outcomes(matching)).containsExactly("shop fired", " asked");
        Activation activation = matching.activations().getFirst();
        assertThat(activation.kind()).isEqualTo("WorkflowEventBinding");
        JsonNode workflow =
                activation.triggerManifest().at("/template/argoWorkflow/source/resource");
        assertThat(workflow)
                .isEqualTo(
                        tree(
                                """
                                apiVersion: argoproj.io/v1alpha1
                                kind: Workflow
                                metadata:
                                  namespace: argo
                                  generateName: order-12-
                                  labels:
                                    workflows.argoproj.io/workflow-template: ship
                                    customer: ada
                                    workflows.argoproj.io/workflow-event-binding: shop
                                  annotations: {who: root}
                                spec:
                                  workflowTemplateRef: {name: ship}
                                  arguments:
                                    parameters:
                                      - {name: id, value: "12"}
                                      - {name: items, value: '[{"a":1},"\\u003cb\\u003e"]'}
                                      - {name: name, value: ada}
                                      - {name: nothing, value: "null"}
                                      - {name: trimmed, value: a}
                                """));
    }

    @Test
    void everyBindingOfTheNamespaceIsAskedAndWhatFailsDoesNotKeepBackTheOthers() {
        bind("a-unfit", submitting("payload.n"));
        bind("b-broken", submitting("payload.n.m.o"));
        bind("c-other", submitting("payload.n == 2"));
        bind("d-unlabelled", submitting("true") + "  metadata: {labels: {number: payload.n}}\n");
        bind("e-mute", "event: {selector: 'true'}\n");
        bind("f-good", submitting("payload.n == 1"));
        bind(
                "g-unbound",
                submitting("true") + "  arguments: {parameters: [{name: p, value: x}]}\n");
        bindIn("elsewhere", "h", submitting("true"));

        Matching matching = match("any", "{\"n\":1}");

        assertThat(outcomes(matching))
                .containsExactly(
                        "a-unfit failed",
                        "b-broken failed",
                        "c-other filtered",
                        "d-unlabelled failed",
                        "e-mute filtered",
                        "f-good fired",
                        "g-unbound failed",
                        " asked");
        assertThat(matching.decisions())
                .extracting(Decision::reason)
                .contains(
                        "malformed workflow template expression: did not evaluate to boolean",
                        "workflow label \"number\" expression must evaluate to a string, not to 1",
                        "7 bindings in namespace argo, 1 of them fired");
        // Nobody knows whether the first two were meant; the others were, and that is not lost.
        assertThat(matching.refused()).containsOnlyKeys("d-unlabelled", "g-unbound");
    }

    @Test
    void theSameEventMakesTheSameActivationAndAnotherOneAnother() {
        bind("one", submitting("true"));
        bind("two", submitting("true"));

        List<String> ids =
                List.of(match("d", "1"), match("d", "1"), match(event("e2", "d", "1"))).stream()
                        .flatMap(m -> m.activations().stream())
                        .map(Activation::id)
                        .toList();

        assertThat(ids.subList(0, 2)).isEqualTo(ids.subList(2, 4)).doesNotHaveDuplicates();
        assertThat(ids.subList(4, 6)).doesNotContainAnyElementsOf(ids.subList(0, 4));
    }

    @Test
    void aBindingThatIsChangedOrGoneIsNotAskedAsItWas() {
        bind("one", submitting("true"));
        bind("one", submitting("false"));
        assertThat(outcomes(match("d", "1"))).containsExactly("one filtered", " asked");

        registry.deleted(new ManifestKey("WorkflowEventBinding", "argo", "one"), 9);

        assertThat(outcomes(match("d", "1"))).containsExactly(" asked");
    }

    @Test
    void eventsOfSourcesAreNoneOfItsBusiness() {
        bind("one", submitting("true"));
        EventRef posted = event("e", "d", "1");
        EventRef sourced =
                new EventRef(
                        posted.id(),
                        posted.namespace(),
                        "webhook",
                        posted.subject(),
                        "webhook",
                        "1.0",
                        null,
                        NOW,
                        posted.data());

        assertThat(match(sourced)).isEqualTo(Matching.NOTHING);
    }

    @Test
    void theExamplesOfTheFieldSelectAndBindAsTheirCommentsSay() throws IOException {
        var folder =
                Conformance.assumePresent().resolve("workflows/manifests/workflow-event-binding");
        for (String name : List.of("event-consumer", "github-path-filter")) {
            String file = name + "-workfloweventbinding.yaml";
            ReadResult read = ManifestReader.read(file, Files.readString(folder.resolve(file)));
            assertThat(read.problems()).isEmpty();
            assertThat(BindingCheck.check(read.documents().getFirst())).isEmpty();
            changed("argo", name, read.manifests().getFirst().tree());
        }

        assertThat(outcomes(match("x", "{\"appellation\":\"World\"}")))
                .containsExactly("event-consumer fired", "github-path-filter filtered", " asked");

        String push =
                "{\"commits\":[{\"added\":[\"subpath/A/new\"],\"removed\":[],\"modified\":[\"x\"]}],\"appellation\":\"\"}";
        Matching pushed =
                match(event("e", "github-path-filter", push, "{\"x-github-event\":[\"push\"]}"));
        assertThat(outcomes(pushed))
                .containsExactly("event-consumer filtered", "github-path-filter fired", " asked");
        assertThat(
                        pushed.activations()
                                .getFirst()
                                .triggerManifest()
                                .at(
                                        "/template/argoWorkflow/source/resource/spec/arguments/parameters/0/value")
                                .asString(""))
                .isEqualTo("[\"subpath/A/new\",\"x\"]");
    }

    @Test
    void lintNamesEachExpressionThatIsNoneAndEachNameThatIsNotThere() {
        String text =
                """
                apiVersion: argoproj.io/v1alpha1
                kind: WorkflowEventBinding
                metadata: {name: b}
                spec:
                  event:
                    selector: payload.a ==
                  submit:
                    workflowTemplateRef: {name: t}
                    metadata:
                      name: metdata["x"][0]
                    arguments:
                      parameters:
                        - name: p
                          valueFrom: {event: "]"}
                        - name: q
                          value: fixed
                """;

        List<Problem> problems =
                BindingCheck.check(ManifestReader.read("b.yaml", text).documents().getFirst());

        assertThat(problems)
                .extracting(p -> p.place().line() + " " + p.path() + " " + p.isError())
                .containsExactly(
                        "6 spec.event.selector true",
                        "10 spec.submit.metadata.name false",
                        "14 spec.submit.arguments.parameters[0].valueFrom.event true",
                        "15 spec.submit.arguments.parameters[1].valueFrom true");
        assertThat(problems.get(1).hint()).isEqualTo("did you mean metadata?");
    }

    private static String submitting(String selector) {
        return "event: {selector: '%s'}\nsubmit:\n  workflowTemplateRef: {name: t}\n"
                .formatted(selector);
    }

    private static List<String> outcomes(Matching matching) {
        return matching.decisions().stream().map(d -> d.sensor() + " " + d.outcome()).toList();
    }

    private void bind(String name, String spec) {
        bindIn("argo", name, spec);
    }

    private void bindIn(String namespace, String name, String spec) {
        String head =
                "apiVersion: argoproj.io/v1alpha1\nkind: WorkflowEventBinding\nmetadata: {name: %s, namespace: %s}\nspec:\n"
                        .formatted(name, namespace);
        changed(namespace, name, tree(head + spec.indent(2)));
    }

    private void changed(String namespace, String name, JsonNode manifest) {
        ObjectNode stored = manifest.deepCopy().asObject();
        stored.withObject("/metadata").put("namespace", namespace);
        registry.changed(
                new ManifestLog.Stored(
                        new ManifestKey("WorkflowEventBinding", namespace, name), stored, 1));
    }

    private Matching match(String discriminator, String payload) {
        return match(event("e1", discriminator, payload));
    }

    private Matching match(EventRef event) {
        return registry.match(event, null, NOW);
    }

    private static EventRef event(String id, String discriminator, String payload) {
        return event(id, discriminator, payload, "{\"x-user\":[\"root\"]}");
    }

    private static EventRef event(
            String id, String discriminator, String payload, String metadata) {
        return new EventRef(
                id,
                "argo",
                PostedEvent.SOURCE,
                discriminator,
                PostedEvent.TYPE,
                "1.0",
                "application/json",
                NOW,
                "{\"discriminator\":\"%s\",\"metadata\":%s,\"payload\":%s}"
                        .formatted(discriminator, metadata, payload));
    }

    private static JsonNode tree(String yaml) {
        return YamlReader.read("test", yaml).documents().getFirst().tree();
    }
}
