package dev.millrace.schemas.eventsource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.ReadResult;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EventSourceSpecTest {

    @Test
    void webhooksAndCalendarsAreTyped() {
        EventSourceSpec spec =
                read(
                        """
                eventBusName: bus
                replicas: 1
                service:
                  clusterIP: None
                  metadata: {labels: {a: b}, annotations: {c: d}}
                  ports: [{name: http, port: 12000, targetPort: 12000, protocol: TCP}]
                webhook:
                  push:
                    endpoint: /push
                    method: POST
                    port: "12000"
                    url: https://hooks.example.com
                    serverCertSecret: {name: s, key: cert}
                    serverKeySecret: {name: s, key: key}
                    authSecret: {name: s, key: token}
                    maxPayloadSize: 2097152
                    metadata: {team: a}
                    filter: {expression: body.a == 1}
                calendar:
                  nightly:
                    schedule: 0 3 * * *
                    timezone: Europe/Berlin
                    exclusionDates: ["EXDATE:20190102T150405Z"]
                    metadata: {team: a}
                    persistence:
                      catchup: {enabled: true, maxDuration: 5m}
                      configMap: {name: c, createIfNotExist: true}
                  often: {interval: 10s}
                """);

        WebhookSource push = spec.webhook().get("push");
        assertThat(push.endpoint()).isEqualTo("/push");
        assertThat(push.maxPayloadSize()).isEqualTo(2_097_152);
        assertThat(push.authSecret().key()).isEqualTo("token");
        assertThat(push.filter().expression()).isEqualTo("body.a == 1");
        CalendarSource nightly = spec.calendar().get("nightly");
        assertThat(nightly.persistence().catchup().maxDuration()).isEqualTo("5m");
        assertThat(nightly.persistence().configMap().createIfNotExist()).isTrue();
        assertThat(nightly.exclusionDates()).hasSize(1);
        assertThat(spec.service().ports().getFirst().targetPort().text()).isEqualTo("12000");
        assertThat(spec.entries())
                .extracting(e -> e.type() + "/" + e.name())
                .containsExactlyInAnyOrder("webhook/push", "calendar/nightly", "calendar/often");
    }

    @Test
    void everyTypeIsKnownByNameAndItsEntriesAreListed() {
        String all =
                Arrays.stream(EventSourceType.values())
                        .map(type -> type.key() + ": {e-" + type.ordinal() + ": {}}\n")
                        .collect(Collectors.joining());

        assertThat(read(all).entries())
                .extracting(EventSourceSpec.Entry::type)
                .containsExactly(EventSourceType.values());
    }

    @Test
    void theConfigurationOfOtherTypesIsKeptAsWritten() {
        EventSourceSpec spec = read("mqtt: {m: {url: tcp://x, topic: t, jsonBody: true}}\n");

        assertThat(spec.mqtt().get("m"))
                .hasToString("{\"url\":\"tcp://x\",\"topic\":\"t\",\"jsonBody\":true}");
        assertThat(spec.entries().getFirst().config()).isEqualTo(spec.mqtt().get("m"));
    }

    private static EventSourceSpec read(String spec) {
        String text =
                "apiVersion: argoproj.io/v1alpha1\nkind: EventSource\nmetadata: {name: s}\nspec:\n"
                        + spec.indent(2);
        ReadResult result = ManifestReader.read("s.yaml", text);
        assertThat(result.problems()).isEqualTo(List.of());
        return result.manifests().getFirst().content(EventSourceSpec.class);
    }
}
