package dev.millrace.workflowengine.validation;

import static dev.millrace.workflowengine.validation.Manifests.manifest;
import static dev.millrace.workflowengine.validation.Manifests.workflow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.schemas.manifest.Problem;
import dev.millrace.workflowengine.submission.TemplateLookup;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

final class SupportTest {
    /**
     * @param template body of a template
     * @param problem {@code ERROR path: message}; null if it can run
     */
    private record Case(String template, String... problem) {}

    private static final String AT = "ERROR spec.templates[0].";

    private static final List<Case> CASES =
            List.of(
                    new Case("container: {image: x, env: [{name: A, value: b}]}"),
                    new Case("{container: {image: x}, sidecars: [], daemon: false}"),
                    new Case("http: {url: 'http://x'}"),
                    new Case(
                            "resource: {action: get}",
                            AT
                                    + "resource: templates.main uses resource templates, which cannot run yet"),
                    new Case("plugin: {hello: {}}"),
                    new Case("data: {source: {artifactPaths: {name: p, s3: {bucket: b, key: k}}}}"),
                    new Case(
                            "data: {source: {artifactPaths: {name: p, gcs: {bucket: b}}}}",
                            AT
                                    + "data.source.artifactPaths.gcs: templates.main.data.source.artifactPaths lies in a store that is not there: gcs"),
                    new Case(
                            "data: {source: {artifactPaths: {name: p, http: {url: u}}}}",
                            AT
                                    + "data.source.artifactPaths.http: templates.main.data.source.artifactPaths lies in a store that cannot be listed: http"),
                    new Case(
                            "{container: {image: x, readinessProbe: {tcpSocket: {port: 1}}}, daemon: true, sidecars: [{name: s}], initContainers: [{name: i}]}"),
                    new Case(
                            "{container: {image: x, readinessProbe: {grpc: {port: 1}}}, daemon: true}",
                            AT
                                    + "container.readinessProbe.grpc: templates.main uses a gRPC probe, which cannot run yet"),
                    new Case(
                            "{container: {image: x}, sidecars: [{name: s, volumeMounts: [{name: v, mountPath: /v}]}]}",
                            AT
                                    + "sidecars[0].volumeMounts[0]: templates.main: volume 'v' is not declared"),
                    new Case(
                            "{containerSet: {volumeMounts: [{name: v, mountPath: /v}], containers: [{name: a, volumeMounts: [{name: w, mountPath: /w}]}]}, volumes: [{name: v, hostPath: {path: /}}, {name: w, csi: {}}]}",
                            AT
                                    + "containerSet.containers[0].volumeMounts[0]: templates.main: volume 'w' cannot be mounted yet"),
                    new Case(
                            "{container: {image: x, volumeMounts: [{name: v, mountPath: /v}, {name: w, mountPath: /w}]}, volumes: [{name: v, projected: {sources: [{secret: {name: s}}]}}, {name: w, projected: {sources: [{serviceAccountToken: {path: t}}]}}]}",
                            AT
                                    + "container.volumeMounts[1]: templates.main: volume 'w' cannot be mounted yet"),
                    new Case(
                            "{suspend: {}, synchronization: {mutexes: [{name: a}, {name: b, database: true}]}}",
                            AT
                                    + "synchronization.mutexes[1].database: templates.main uses a mutex in a database, which cannot run yet"),
                    new Case(
                            "steps: [[{name: a, template: pause, arguments: {artifacts: [{name: f, gcs: {key: x}}]}, hooks: {exit: {template: pause, arguments: {artifacts: [{name: f, s3: {key: x}}]}}}}]]",
                            AT
                                    + "steps[0][0].arguments.artifacts[0].gcs: templates.main.steps[0].a.arguments.artifacts.f lies in a store that is not there: gcs"),
                    new Case(
                            "{container: {image: x}, archiveLocation: {oss: {key: k}}, inputs: {artifacts: [{name: a, path: /a, azure: {blob: b}}, {name: h, path: /h, http: {url: u}}]}, outputs: {artifacts: [{name: o, path: /o, plugin: {name: p}}, {name: s, path: /s, s3: {bucket: b, key: k}}]}}",
                            AT
                                    + "archiveLocation.oss: templates.main.archiveLocation lies in a store that is not there: oss",
                            AT
                                    + "inputs.artifacts[0].azure: templates.main.inputs.artifacts.a lies in a store that is not there: azure",
                            AT
                                    + "outputs.artifacts[0].plugin: templates.main.outputs.artifacts.o lies in a store that is not there: plugin"),
                    new Case(
                            "steps: [[{name: a, inline: {resource: {}}}]]",
                            AT
                                    + "steps[0][0].inline.resource: templates.main.steps[0].a.inline uses resource templates, which cannot run yet"),
                    new Case(
                            "{container: {image: x, volumeMounts: [{name: v, mountPath: /v}]}, volumes: [{name: v, emptyDir: {}}]}"),
                    new Case(
                            "{container: {image: x, volumeMounts: [{name: v, mountPath: /v}]}, volumes: [{name: v, nfs: {}}]}",
                            AT
                                    + "container.volumeMounts[0]: templates.main: volume 'v' cannot be mounted yet"),
                    new Case(
                            "{script: {image: x, source: y, volumeMounts: [{name: v, mountPath: /v}]}}",
                            AT
                                    + "script.volumeMounts[0]: templates.main: volume 'v' is not declared"));

    @TestFactory
    Stream<DynamicTest> templates() {
        return CASES.stream()
                .map(
                        c ->
                                DynamicTest.dynamicTest(
                                        c.template(),
                                        () ->
                                                assertThat(found(workflow(block(c.template()))))
                                                        .containsExactly(c.problem())));
    }

    /** The members of a map in braces, each on a line of its own, so that others can follow. */
    private static String block(String template) {
        if (!template.startsWith("{")) {
            return template;
        }
        StringBuilder lines = new StringBuilder();
        Manifests.tree(template)
                .properties()
                .forEach(
                        p ->
                                lines.append(p.getKey())
                                        .append(": ")
                                        .append(p.getValue())
                                        .append('\n'));
        return lines.toString();
    }

    private static List<String> found(String text) {
        return Support.check(manifest(text), TemplateLookup.none()).stream()
                .map(p -> p.severity() + " " + p.path() + ": " + p.message())
                .toList();
    }

    @Test
    void partsOfTheSpecAreNamed() {
        assertThat(
                        found(
                                """
                                spec:
                                  synchronization: {semaphores: [{configMapKeyRef: {name: a, key: b}}, {database: {key: a}}]}
                                  ttlStrategy: {secondsAfterCompletion: 1}
                                  podGC: {}
                                  nodeSelector: {a: b}
                                  volumes: [{name: v, emptyDir: {}}]
                                  volumeClaimTemplates: [{metadata: {name: c}}]
                                """))
                .containsExactly(
                        "ERROR spec.synchronization.semaphores[1].database: spec uses a semaphore in a database, which cannot run yet",
                        "WARNING spec.podGC: spec uses podGC, which has no effect yet",
                        "WARNING spec.volumes: spec.volumes: no container mounts any of them, they are left out",
                        "WARNING spec.volumeClaimTemplates: spec.volumeClaimTemplates: no container mounts any of them, they are left out");
    }

    @Test
    void volumesOfTheSpecAndClaimsCanBeMounted() {
        assertThat(
                        found(
                                """
                                spec:
                                  volumes: [{name: v, emptyDir: {}}, {name: p, persistentVolumeClaim: {claimName: p}}, {name: share, nfs: {}}]
                                  volumeClaimTemplates: [{metadata: {name: c}}]
                                  templates: [{name: a, container: {image: x, volumeMounts: [{name: v, mountPath: /v}, {name: c, mountPath: /c}, {name: p, mountPath: /p}, {name: share, mountPath: /n}]}}]
                                """))
                .containsExactly(
                        "ERROR spec.templates[0].container.volumeMounts[3]: templates.a: volume 'share' cannot be mounted yet");
    }

    @Test
    void aStoredTemplateMayHoldWhatCannotRunButNobodyCanSubmitIt() {
        String text = workflow("resource: {action: get, flags: [pods]}");
        String template = "kind: WorkflowTemplate\n" + text;
        assertThat(Acceptance.check(manifest(template), TemplateLookup.none(), true))
                .extracting(Problem::severity)
                .containsExactly(Problem.Severity.WARNING);
        for (boolean lint : List.of(true, false)) {
            assertThat(Acceptance.check(manifest(text), TemplateLookup.none(), lint))
                    .extracting(Problem::severity)
                    .containsExactly(Problem.Severity.ERROR);
        }
    }

    @Test
    void allThatIsWrongWithACronWorkflowIsSaidAtOnce() {
        String text =
                """
                kind: CronWorkflow
                spec:
                  schedules: ["0 0 * *"]
                  timezone: Mars/Base
                  concurrencyPolicy: Never
                  stopStrategy: {expression: cronworkflow.broken > 3}
                  when: "{{= cronworkflow.failed < }}"
                  workflowSpec: {entrypoint: b, templates: [{name: a, suspend: {}}]}
                """;
        assertThat(Acceptance.check(manifest(text), TemplateLookup.none(), true))
                .extracting(Problem::path)
                .containsExactly(
                        "spec.schedules[0]",
                        "spec.timezone",
                        "spec.concurrencyPolicy",
                        "spec.stopStrategy.expression",
                        "spec.when",
                        "spec.workflowSpec.entrypoint");
    }

    @Test
    void whatACronWorkflowHoldsMustRunSinceItStartsByItself() {
        String text =
                """
                kind: CronWorkflow
                spec:
                  schedules: ["@daily"]
                  when: "{{= cronworkflow.lastScheduledTime == nil || (now() - cronworkflow.lastScheduledTime).Seconds() > 30 }}"
                  stopStrategy: {expression: cronworkflow.failed >= 3}
                  workflowSpec: {entrypoint: a, templates: [{name: a, resource: {action: get, flags: [pods]}}]}
                """;
        assertThat(Acceptance.check(manifest(text), TemplateLookup.none(), true))
                .extracting(p -> p.severity() + " " + p.path())
                .containsExactly("ERROR spec.workflowSpec.templates[0].resource");
    }
}
