package dev.millrace.schemas.sensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.schemas.manifest.ReadResult;
import java.util.List;
import org.junit.jupiter.api.Test;

class SensorSpecTest {

    @Test
    void everyTypedPartOfASensorIsRead() {
        SensorSpec spec =
                read(
                        """
                eventBusName: bus
                replicas: 2
                revisionHistoryLimit: 3
                errorOnFailedRound: true
                loggingFields: {a: b}
                template: {serviceAccountName: sa, container: {env: [{name: A, value: "1"}]}}
                dependencies:
                  - name: dep
                    eventSourceName: source
                    eventName: event
                    filtersLogicalOperator: or
                    transform: {jq: ".a", script: "return event"}
                    filters:
                      dataLogicalOperator: or
                      exprLogicalOperator: and
                      script: return true
                      time: {start: "08:00:00", stop: "17:00:00", timezone: Europe/Berlin}
                      context: {type: webhook, subject: s, source: x, datacontenttype: application/json}
                      data: [{path: body.a, type: string, comparator: "=", value: [x, "1"], template: "{{ .Input }}"}]
                      exprs: [{expr: "a > 1", fields: [{name: a, path: body.a}]}]
                triggers:
                  - template:
                      name: call
                      conditions: dep && other
                      conditionsReset: [{byTime: {cron: "0 0 * * *", timezone: UTC}}]
                      http:
                        url: https://example.com
                        method: PUT
                        timeout: 10
                        host: h
                        headers: {X-A: b}
                        secureHeaders: [{name: Auth, valueFrom: {secretKeyRef: {name: s, key: k}}}]
                        dynamicHeaders: [{src: {dependencyName: dep, contextKey: id}, dest: X-Id}]
                        basicAuth: {username: {name: s, key: u}, password: {name: s, key: p}}
                        tls: {caCertSecret: {name: s, key: ca}, insecureSkipVerify: false}
                        payload: [{src: {dependencyName: dep, dataKey: body, useRawData: true, value: x}}]
                    retryStrategy: {steps: 3, duration: 3s, factor: 2, jitter: 0.5}
                    rateLimit: {unit: Minute, requestsPerUnit: 5}
                    policy: {status: {allow: [200, 201]}}
                    atLeastOnce: true
                    parameters: [{src: {dependencyName: dep, dataTemplate: t}, dest: http.url, operation: append}]
                    dlqTrigger: {atLeastOnce: true, template: {name: dlq, log: {intervalSeconds: 1}}}
                """);

        assertThat(spec.eventBusName()).isEqualTo("bus");
        EventDependency dependency = spec.dependencies().getFirst();
        assertThat(dependency.filters().data().getFirst().value()).containsExactly("x", "1");
        assertThat(dependency.filters().exprs().getFirst().fields().getFirst().path())
                .isEqualTo("body.a");
        assertThat(dependency.filters().time().timezone()).isEqualTo("Europe/Berlin");
        Trigger trigger = spec.triggers().getFirst();
        assertThat(trigger.retryStrategy().duration().text()).isEqualTo("3s");
        assertThat(trigger.retryStrategy().factor().text()).isEqualTo("2");
        assertThat(trigger.policy().status().allow()).containsExactly(200, 201);
        assertThat(trigger.template().action())
                .get()
                .isInstanceOfSatisfying(
                        HttpTrigger.class,
                        http -> {
                            assertThat(http.method()).isEqualTo("PUT");
                            assertThat(http.timeout()).isEqualTo(10);
                            assertThat(http.payload().getFirst().dest()).isNull();
                            assertThat(
                                            http.secureHeaders()
                                                    .getFirst()
                                                    .valueFrom()
                                                    .secretKeyRef()
                                                    .key())
                                    .isEqualTo("k");
                            assertThat(http.type()).isEqualTo("http");
                        });
        assertThat(trigger.dlqTrigger().template().action()).get().isEqualTo(new LogTrigger(1L));
    }

    @Test
    void objectsAndWorkflowsComeFromAllKindsOfPlaces() {
        SensorSpec spec =
                read(
                        """
                dependencies: [{name: d, eventSourceName: s, eventName: e}]
                triggers:
                  - template:
                      name: make
                      k8s:
                        operation: patch
                        patchStrategy: application/merge-patch+json
                        liveObject: true
                        parameters: [{src: {dependencyName: d, dataKey: a}, dest: spec.a}]
                        source: {resource: {apiVersion: v1, kind: Pod, any: [thing]}}
                    policy: {k8s: {labels: {a: b}, backoff: {steps: 2}, errorOnBackoffTimeout: true}}
                  - template:
                      name: run
                      argoWorkflow:
                        operation: submit
                        args: [-p, a=b]
                        source:
                          git:
                            url: git@example.com:a.git
                            cloneDirectory: /git
                            filePath: wf.yaml
                            ref: refs/tags/v1
                            remote: {name: r, urls: [u]}
                            sshKeySecret: {name: s, key: k}
                            githubApp: {privateKey: {name: s, key: k}, appID: 1, installationID: 2}
                            insecureIgnoreHostKey: true
                  - template:
                      name: s3
                      k8s:
                        operation: create
                        source:
                          s3: {endpoint: e, region: r, insecure: true, bucket: {name: b, key: k}, accessKey: {name: s, key: a}}
                  - template: {name: none}
                  - template: {name: slack, slack: {channel: c, anything: 1}}
                """);

        assertThat(spec.triggers().get(0).template().action())
                .get()
                .isInstanceOfSatisfying(
                        K8sTrigger.class,
                        k8s -> {
                            assertThat(k8s.source().resource().get("kind").asString())
                                    .isEqualTo("Pod");
                            assertThat(k8s.liveObject()).isTrue();
                        });
        assertThat(spec.triggers().get(1).template().action())
                .get()
                .isInstanceOfSatisfying(
                        ArgoWorkflowTrigger.class,
                        workflow -> {
                            assertThat(workflow.args()).containsExactly("-p", "a=b");
                            assertThat(workflow.source().git().githubApp().installationID())
                                    .isEqualTo(2);
                        });
        assertThat(spec.triggers().get(2).template().k8s().source().s3().bucket().key())
                .isEqualTo("k");
        assertThat(spec.triggers().get(3).template().action()).isEmpty();
        assertThat(spec.triggers().get(4).template().action())
                .get()
                .isInstanceOfSatisfying(
                        TriggerAction.Other.class,
                        other -> {
                            assertThat(other.type()).isEqualTo("slack");
                            assertThat(other.config().get("channel").asString()).isEqualTo("c");
                        });
    }

    @Test
    void nullCountsAsAbsentButNotWithinFreeTrees() {
        SensorSpec spec =
                read(
                        """
                        replicas: null
                        dependencies:
                        triggers:
                          - parameters: ~
                            template:
                              name: t
                              slack: null
                              k8s: {source: {resource: {kind: Pod, gone: null}}}
                        """);

        TriggerTemplate template = spec.triggers().getFirst().template();
        assertThat(template.slack()).isNull();
        assertThat(template.k8s().source().resource())
                .hasToString("{\"kind\":\"Pod\",\"gone\":null}");
        assertThat(spec.dependencies()).isEmpty();
    }

    @Test
    void absentListsAndMapsAreEmpty() {
        SensorSpec spec = read("{}");

        assertThat(spec.dependencies()).isEmpty();
        assertThat(spec.triggers()).isEmpty();
        assertThat(spec.loggingFields()).isEmpty();
    }

    private static SensorSpec read(String spec) {
        String text =
                "apiVersion: argoproj.io/v1alpha1\nkind: Sensor\nmetadata: {name: s}\nspec:\n"
                        + spec.indent(2);
        ReadResult result = ManifestReader.read("s.yaml", text);
        assertThat(result.problems()).isEqualTo(List.of());
        return result.manifests().getFirst().content(SensorSpec.class);
    }
}
