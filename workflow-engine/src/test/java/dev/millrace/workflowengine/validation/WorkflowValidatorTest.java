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

final class WorkflowValidatorTest {
    /**
     * @param spec what stands under {@code spec}, besides a template {@code say} with an input
     *     {@code m} and an output {@code o}
     * @param problems {@code path: message} of each error, in order; none if it is right
     */
    private record Case(String name, String spec, String... problems) {}

    private static final List<Case> WHOLE =
            List.of(
                    new Case(
                            "a missing entrypoint",
                            "templates: [{name: a, suspend: {}}]",
                            "spec: spec.entrypoint is required"),
                    new Case(
                            "an unknown entrypoint",
                            """
                            entrypoint: b
                            templates: [{name: a, suspend: {}}]
                            """,
                            "spec.entrypoint: spec.entrypoint template name 'b' undefined"),
                    new Case(
                            "two templates of one name, and a name with a blank",
                            """
                            entrypoint: a
                            templates: [{name: a, suspend: {}}, {name: a, suspend: {}}, {name: b c, suspend: {}}]
                            """,
                            "spec.templates[1].name: spec.templates[1].name 'a' is not unique",
                            "spec.templates[2].name: spec.templates[2].name: 'b c' is invalid: name must consist of alpha-numeric characters or '-', and must start with an alpha-numeric character (e.g. My-name1-2, 123-NAME)"),
                    new Case(
                            "a template of no type and one of two",
                            """
                            entrypoint: a
                            templates: [{name: a}, {name: b, suspend: {}, steps: []}]
                            """,
                            "spec.templates[0]: templates.a template type unspecified. choose one of: container, containerSet, steps, script, resource, dag, suspend, data, http, plugin",
                            "spec.templates[1]: templates.b multiple template types specified. choose one of: container, containerSet, steps, script, resource, dag, suspend, data, http, plugin"),
                    new Case(
                            "calls by HTTP that cannot be made",
                            """
                            entrypoint: a
                            templates:
                            - name: a
                              inputs: {parameters: [{name: u, value: "http://x"}]}
                              http:
                                url: "{{inputs.parameters.u}}"
                                headers: [{name: A, valueFrom: {secretKeyRef: {name: s, key: k}}}, {name: B, value: b}]
                                bodyFrom: {bytes: aGVsbG8=}
                                successCondition: response.statusCode == 201 && request.method == "GET"
                            - {name: b, http: {method: PUT}}
                            - name: c
                              http:
                                url: ftp://x/y
                                headers: [{value: x}, {name: A, valueFrom: {secretKeyRef: {name: s}}}]
                                bodyFrom: {bytes: a}
                                successCondition: response.statusCode = 200
                                timeoutSeconds: 0
                            - {name: d, http: {url: "http://x", successCondition: inputs.parameters.u == result}}
                            - {name: e, http: {url: "http://x", successCondition: 1 + 1}}
                            """,
                            "spec.templates[1].http: templates.b.http.url is required",
                            "spec.templates[2].http.url: templates.c.http.url 'ftp://x/y' must begin with http:// or https:// and a host",
                            "spec.templates[2].http.headers[0]: templates.c.http.headers[0].name is required",
                            "spec.templates[2].http.headers[1].valueFrom: templates.c.http.headers[1].valueFrom.secretKeyRef must have the name of a Secret and a key",
                            "spec.templates[2].http.bodyFrom.bytes: templates.c.http.bodyFrom.bytes must be base64",
                            "spec.templates[2].http.successCondition: templates.c.http.successCondition cannot be compiled: unexpected token Operator(\"=\") (1:21)",
                            "spec.templates[2].http.timeoutSeconds: templates.c.http.timeoutSeconds must be greater than 0",
                            "spec.templates[3].http.successCondition: templates.d.http.successCondition refers to inputs, result",
                            "spec.templates[4].http.successCondition: templates.e.http.successCondition cannot be compiled: expected bool, but got int (1:1)"),
                    new Case(
                            "arguments without value, outside their enum, from a file",
                            """
                            entrypoint: a
                            arguments:
                              parameters:
                              - {name: x}
                              - {name: u, value: c, enum: [a, b]}
                              - {name: z, valueFrom: {path: /tmp/x}}
                              - {name: w, value: 1, enum: ["1"]}
                              - {name: v, value: a, enum: []}
                            templates: [{name: a, suspend: {}}]
                            """,
                            "spec.arguments.parameters[0]: spec.arguments.parameters.x.value or spec.arguments.parameters.x.valueFrom is required",
                            "spec.arguments.parameters[1].value: spec.arguments.parameters.u.value should be present in spec.arguments.parameters.u.enum list",
                            "spec.arguments.parameters[2].valueFrom.path: spec.arguments.parameters.z.valueFrom.path is not allowed here",
                            "spec.arguments.parameters[4].enum: spec.arguments.parameters.v.enum should contain at least one value"),
                    new Case(
                            "an entrypoint that nobody gives its input",
                            """
                            entrypoint: a
                            templates: [{name: a, suspend: {}, inputs: {parameters: [{name: p}, {name: q, value: x}]}}]
                            """,
                            "spec.entrypoint: templates.a inputs.parameters.p was not supplied"),
                    new Case(
                            "an exit handler that is not there, a hook without expression",
                            """
                            entrypoint: a
                            onExit: gone
                            hooks: {running: {template: a}}
                            templates: [{name: a, suspend: {}}]
                            """,
                            "spec.onExit: spec.onExit template name 'gone' undefined",
                            "spec.hooks.running: spec.hooks.running.expression is required"),
                    new Case(
                            "templates beside a workflowTemplateRef that leads nowhere",
                            """
                            workflowTemplateRef: {name: gone}
                            templates: [{name: a, suspend: {}}]
                            """,
                            "spec.workflowTemplateRef: workflow template 'gone' not found",
                            "spec.templates: Templates is invalid field in spec if workflow referred WorkflowTemplate reference"),
                    new Case(
                            "an unknown strategy",
                            """
                            entrypoint: a
                            podGC: {strategy: Soon}
                            templates: [{name: a, suspend: {}}]
                            """,
                            "spec.podGC.strategy: podGC.strategy unknown strategy 'Soon'"),
                    new Case(
                            "locks that are called by nothing",
                            """
                            entrypoint: a
                            synchronization: {mutexes: [{name: ok}, {}], semaphores: [{}]}
                            templates:
                            - name: a
                              suspend: {}
                              synchronization: {mutex: {namespace: n}, semaphores: [{configMapKeyRef: {name: c, key: ""}}]}
                            """,
                            "spec.synchronization.mutexes[1]: spec.synchronization.mutexes[1].name is required",
                            "spec.synchronization.semaphores[0]: spec.synchronization.semaphores[0].configMapKeyRef is required",
                            "spec.templates[0].synchronization.mutex: templates.a.synchronization.mutex.name is required",
                            "spec.templates[0].synchronization.semaphores[0].configMapKeyRef: templates.a.synchronization.semaphores[0].configMapKeyRef.key is required"),
                    new Case(
                            "a template that calls itself is right",
                            """
                            entrypoint: a
                            templates:
                            - name: a
                              steps: [[{name: again, template: a, when: "1 == 2"}]]
                            """));

    private static final List<Case> STEPS =
            List.of(
                    new Case(
                            "right use of all kinds of variables",
                            """
                            - - {name: one, template: say, arguments: {parameters: [{name: m, value: "{{workflow.name}} {{steps.name}} {{workflow.creationTimestamp.Y}}"}]}}
                            - - name: two
                                template: say
                                withItems: [{k: 1}, {k: 2}]
                                when: "{{steps.one.outputs.result}} == a"
                                arguments: {parameters: [{name: m, value: "{{item.k}} {{item}} {{steps.one.outputs.parameters.o}} {{steps.one.status}} {{steps.one.exitCode}}"}]}
                                hooks: {exit: {template: say, arguments: {parameters: [{name: m, value: "{{steps.two.outputs.parameters}}"}]}}}
                            - - {name: three, template: say, withParam: "{{steps.two.outputs.parameters.o}}", arguments: {parameters: [{name: m, value: "{{item.any}} {{ jinja }}"}]}}
                            """),
                    new Case(
                            "a step of the same group, a later one, one that is not there",
                            """
                            - - {name: one, template: say, arguments: {parameters: [{name: m, value: a}]}}
                              - {name: two, template: say, arguments: {parameters: [{name: m, value: "{{steps.one.outputs.result}}"}]}}
                              - {name: three, template: say, arguments: {parameters: [{name: m, value: "{{steps.four.id}}{{steps.gone.id}}"}]}}
                            - - {name: four, template: say, arguments: {parameters: [{name: m, value: b}]}}
                            """,
                            "spec.templates[0].steps[0][1].arguments.parameters[0].value: templates.main.steps[0].two failed to resolve {{steps.one.outputs.result}}",
                            "spec.templates[0].steps[0][2].arguments.parameters[0].value: templates.main.steps[0].three failed to resolve {{steps.four.id}}",
                            "spec.templates[0].steps[0][2].arguments.parameters[0].value: templates.main.steps[0].three failed to resolve {{steps.gone.id}}"),
                    new Case(
                            "outputs that are not declared, an ip of no daemon, an unknown variable",
                            """
                            - - {name: one, template: say, arguments: {parameters: [{name: m, value: a}]}}
                            - - {name: two, template: say, arguments: {parameters: [{name: m, value: "{{steps.one.outputs.parameters.x}}{{steps.one.ip}}{{workflow.nmae}}{{inputs.parameters.q}}"}]}}
                            """,
                            "spec.templates[0].steps[1][0].arguments.parameters[0].value: templates.main.steps[1].two failed to resolve {{steps.one.outputs.parameters.x}}",
                            "spec.templates[0].steps[1][0].arguments.parameters[0].value: templates.main.steps[1].two failed to resolve {{steps.one.ip}}",
                            "spec.templates[0].steps[1][0].arguments.parameters[0].value: templates.main.steps[1].two failed to resolve {{workflow.nmae}}",
                            "spec.templates[0].steps[1][0].arguments.parameters[0].value: templates.main.steps[1].two failed to resolve {{inputs.parameters.q}}"),
                    new Case(
                            "an item without a loop, a key that no item has",
                            """
                            - - {name: one, template: say, arguments: {parameters: [{name: m, value: "{{item.k}}"}]}}
                              - {name: two, template: say, withItems: [{k: 1}], arguments: {parameters: [{name: m, value: "{{item.j}}"}]}}
                            """,
                            "spec.templates[0].steps[0][0].arguments.parameters[0].value: templates.main.steps[0].one failed to resolve {{item.k}}",
                            "spec.templates[0].steps[0][1].arguments.parameters[0].value: templates.main.steps[0].two failed to resolve {{item.j}}"),
                    new Case(
                            "a missing input, an unknown template, an unknown reference, no template at all",
                            """
                            - - {name: one, template: say}
                              - {name: two, template: gone}
                              - {name: three, templateRef: {name: w, template: t}}
                              - {name: four}
                            """,
                            "spec.templates[0].steps[0][0]: templates.main.steps[0].one templates.say inputs.parameters.m was not supplied",
                            "spec.templates[0].steps[0][1].template: templates.main.steps[0].two template name 'gone' undefined",
                            "spec.templates[0].steps[0][2].templateRef: templates.main.steps[0].three template reference w.t not found",
                            "spec.templates[0].steps[0][3].template: templates.main.steps[0].four template name is required"),
                    new Case(
                            "two steps of one name, also in different groups",
                            """
                            - - {name: one, template: pause}
                            - - {name: one, template: pause}
                            - - {template: pause}
                            """,
                            "spec.templates[0].steps[1][0].name: templates.main.steps[1].name 'one' is not unique",
                            "spec.templates[0].steps[2][0]: templates.main.steps[2].name is required"),
                    new Case(
                            "two loops, a sequence with count and end, and with neither",
                            """
                            - - {name: one, template: pause, withItems: [1], withParam: "[1]"}
                              - {name: two, template: pause, withSequence: {count: 1, end: 2}}
                              - {name: three, template: pause, withSequence: {start: 1}}
                            """,
                            "spec.templates[0].steps[0][0]: templates.main.steps[0].one only one of withItems, withParam, withSequence can be specified",
                            "spec.templates[0].steps[0][1].withSequence: templates.main.steps[0].two.withSequence only one of count or end can be defined",
                            "spec.templates[0].steps[0][2].withSequence: templates.main.steps[0].three.withSequence must define either count or end"),
                    new Case(
                            "an expression tag that is no expression",
                            """
                            - - {name: one, template: say, arguments: {parameters: [{name: m, value: "{{=1 +}}"}]}}
                            """,
                            "spec.templates[0].steps[0][0].arguments.parameters[0].value: templates.main.steps[0].one expression tag {{=1 +}} cannot be compiled: "),
                    new Case(
                            "an inline template knows the variables of its caller",
                            """
                            - - {name: one, template: say, arguments: {parameters: [{name: m, value: a}]}}
                            - - name: two
                                withItems: [{k: 1}]
                                inline: {container: {image: x, args: ["{{item.k}} {{steps.one.id}} {{steps.gone.id}}"]}}
                            """,
                            "spec.templates[0].steps[1][0].inline.container.args[0]: templates.main.steps[1].two.inline failed to resolve {{steps.gone.id}}"),
                    new Case(
                            "a hook that is neither exit nor has an expression, and one that cannot be compiled",
                            """
                            - - {name: one, template: pause, hooks: {x: {template: pause}, z: {template: pause, expression: "a ="}}}
                            """,
                            "spec.templates[0].steps[0][0].hooks.x: templates.main.steps[0].one.hooks.x.expression is required",
                            "spec.templates[0].steps[0][0].hooks.z.expression: templates.main.steps[0].one.hooks.z.expression cannot be compiled: "));

    private static final List<Case> TASKS =
            List.of(
                    new Case(
                            "ancestors are known, tasks may stand in any order",
                            """
                            - {name: c, depends: b.Succeeded, template: say, arguments: {parameters: [{name: m, value: "{{tasks.a.outputs.result}}"}]}}
                            - {name: b, depends: "a && !a.Failed", template: pause}
                            - {name: a, template: say, arguments: {parameters: [{name: m, value: x}]}}
                            """),
                    new Case(
                            "a task that is no ancestor",
                            """
                            - {name: a, template: pause}
                            - {name: b, template: say, arguments: {parameters: [{name: m, value: "{{tasks.a.status}}"}]}}
                            """,
                            "spec.templates[0].dag.tasks[1].arguments.parameters[0].value: templates.main.tasks.b failed to resolve {{tasks.a.status}}"),
                    new Case(
                            "a cycle",
                            """
                            - {name: a, template: pause}
                            - {name: b, depends: a && d, template: pause}
                            - {name: c, depends: b, template: pause}
                            - {name: d, depends: c, template: pause}
                            """,
                            "spec.templates[0].dag.tasks[1]: templates.main.tasks dependency cycle detected: b->d->c->b"),
                    new Case(
                            "a task that waits for itself",
                            "- {name: a, dependencies: [a], template: pause}",
                            "spec.templates[0].dag.tasks[0]: templates.main.tasks dependency cycle detected: a->a"),
                    new Case(
                            "unknown dependencies, in both forms",
                            """
                            - {name: a, dependencies: [x], template: pause}
                            - {name: b, dependencies: [a, z], template: pause}
                            """,
                            "spec.templates[0].dag.tasks[0].dependencies: templates.main.tasks.a dependency 'x' not defined",
                            "spec.templates[0].dag.tasks[1].dependencies: templates.main.tasks.b dependency 'z' not defined"),
                    new Case(
                            "depends that is no condition, an invalid result, loop results of no loop",
                            """
                            - {name: a, template: pause}
                            - {name: b, depends: "a &&", template: pause}
                            - {name: c, depends: a.Fine, template: pause}
                            - {name: d, depends: a.AnySucceeded || x, template: pause}
                            """,
                            "spec.templates[0].dag.tasks[1].depends: templates.main.tasks.b depends 'a &&': expected a task name at the end (column 5)",
                            "spec.templates[0].dag.tasks[2].depends: templates.main.tasks.c task result 'Fine' for task 'a' is invalid",
                            "spec.templates[0].dag.tasks[3].depends: templates.main.tasks.d task 'a' does not contain any items: AnySucceeded is for tasks with withItems, withParam or withSequence",
                            "spec.templates[0].dag.tasks[3].depends: templates.main.tasks.d dependency 'x' not defined"),
                    new Case(
                            "depends beside dependencies, continueOn and a digit",
                            """
                            - {name: 1a, template: pause}
                            - {name: b, dependencies: [1a], template: pause}
                            - {name: c, depends: b, continueOn: {failed: true}, template: pause}
                            """,
                            "spec.templates[0].dag.tasks[0].name: templates.main.tasks.1a name cannot begin with a digit when using either 'depends' or 'dependencies'",
                            "spec.templates[0].dag.tasks[1].dependencies: templates.main cannot use both 'depends' and 'dependencies' in the same DAG template",
                            "spec.templates[0].dag.tasks[2].continueOn: templates.main cannot use 'continueOn' when using 'depends'. Instead use 'dep-task.Failed'/'dep-task.Errored'"),
                    new Case(
                            "two tasks of one name",
                            """
                            - {name: a, template: pause}
                            - {name: a, template: pause}
                            """,
                            "spec.templates[0].dag.tasks[1].name: templates.main.tasks[1].name 'a' is not unique"));

    private static final List<Case> TEMPLATES =
            List.of(
                    new Case(
                            "a container without image, and an input that it does not declare",
                            "container: {args: ['{{inputs.parameters.p}}{{inputs.parameters}}{{pod.ip}}']}",
                            "spec.templates[0].container: templates.main.container.image may not be empty",
                            "spec.templates[0].container.args[0]: templates.main failed to resolve {{inputs.parameters.p}}",
                            "spec.templates[0].container.args[0]: templates.main failed to resolve {{pod.ip}}"),
                    new Case(
                            "outputs from where a container has none, from two places and from nowhere",
                            """
                            container: {image: x}
                            outputs:
                              parameters:
                              - {name: a, valueFrom: {parameter: x}}
                              - {name: b, valueFrom: {path: x, expression: y}}
                              - {name: c, valueFrom: {}}
                              - {name: d}
                              - {name: e, value: x, valueFrom: {path: x}}
                              - {name: f, valueFrom: {path: x}, globalName: "a b"}
                            """,
                            "spec.templates[0].outputs.parameters[0].valueFrom: templates.main.outputs.parameters.a.path must be specified for container templates",
                            "spec.templates[0].outputs.parameters[1].valueFrom: templates.main.outputs.parameters.b.valueFrom multiple types specified: path, expression. choose one",
                            "spec.templates[0].outputs.parameters[2].valueFrom: templates.main.outputs.parameters.c.valueFrom type unspecified. choose one of: path, jqFilter, jsonPath, parameter, expression, supplied",
                            "spec.templates[0].outputs.parameters[3]: templates.main.outputs.parameters.d does not have valueFrom or value specified",
                            "spec.templates[0].outputs.parameters[4]: templates.main.outputs.parameters.e has both valueFrom and value specified. Choose one.",
                            "spec.templates[0].outputs.parameters[5].globalName: templates.main.outputs.parameters.f.globalName: 'a b' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1"),
                    new Case(
                            "outputs of suspend that are not supplied",
                            """
                            suspend: {duration: 1x}
                            outputs: {parameters: [{name: a, valueFrom: {path: x}}]}
                            """,
                            "spec.templates[0].suspend.duration: templates.main.suspend.duration is not a valid duration: ",
                            "spec.templates[0].outputs.parameters[0].valueFrom: templates.main.outputs.parameters.a.supplied must be specified for suspend templates"),
                    new Case(
                            "outputs of steps that refer to nothing",
                            """
                            steps: [[{name: a, template: pause}]]
                            outputs:
                              parameters:
                              - {name: a, valueFrom: {parameter: "{{steps.a.outputs.parameters.x}}"}}
                              - {name: b, valueFrom: {expression: "1 +"}}
                              - {name: c, valueFrom: {path: x}}
                            """,
                            "spec.templates[0].outputs.parameters[0].valueFrom.parameter: templates.main failed to resolve {{steps.a.outputs.parameters.x}}",
                            "spec.templates[0].outputs.parameters[1].valueFrom.expression: templates.main.outputs.parameters.b.valueFrom.expression cannot be compiled: ",
                            "spec.templates[0].outputs.parameters[2].valueFrom: templates.main.outputs.parameters.c.parameter or expression must be specified for steps templates"),
                    new Case(
                            "fields that only leaves have",
                            """
                            steps: [[{name: a, template: pause}]]
                            timeout: 10s
                            activeDeadlineSeconds: 5
                            """,
                            "spec.templates[0].timeout: templates.main.timeout is only valid for leaf templates",
                            "spec.templates[0].activeDeadlineSeconds: templates.main.activeDeadlineSeconds is only valid for leaf templates"),
                    new Case(
                            "fields that only steps and dags have, a timeout without unit, a deadline of 0",
                            """
                            container: {image: x}
                            timeout: "10"
                            activeDeadlineSeconds: 0
                            parallelism: 2
                            """,
                            "spec.templates[0].timeout: templates.main.timeout is not a valid duration: ",
                            "spec.templates[0].activeDeadlineSeconds: templates.main.activeDeadlineSeconds must be a positive integer > 0",
                            "spec.templates[0].parallelism: templates.main.parallelism is only valid for steps and dag templates"),
                    new Case(
                            "a retry strategy",
                            """
                            container: {image: x, args: ["{{retries}} {{lastRetry.exitCode}}"]}
                            retryStrategy: {limit: many, retryPolicy: Sometimes, expression: "a b", backoff: {duration: 1w}}
                            """,
                            "spec.templates[0].retryStrategy.limit: templates.main.retryStrategy.limit 'many' is not a number",
                            "spec.templates[0].retryStrategy.retryPolicy: templates.main.retryStrategy.retryPolicy 'Sometimes' is not a valid RetryPolicy",
                            "spec.templates[0].retryStrategy.expression: templates.main.retryStrategy.expression cannot be compiled: ",
                            "spec.templates[0].retryStrategy.backoff.duration: templates.main.retryStrategy.backoff.duration is not a valid duration: "),
                    new Case(
                            "a container set",
                            """
                            containerSet:
                              containers:
                              - {name: a, image: x, dependencies: [b]}
                              - {name: b, image: x, dependencies: [a, z]}
                              - {name: wait, image: x}
                            outputs: {parameters: [{name: o, valueFrom: {path: x}}]}
                            """,
                            "spec.templates[0].containerSet.containers: templates.main.containerSet.containers.b dependency 'z' not defined",
                            "spec.templates[0].containerSet.containers: templates.main.containerSet.containers dependency cycle detected: a->b->a",
                            "spec.templates[0].containerSet.containers: templates.main.containerSet.containers must have a container named \"main\" for input or output",
                            "spec.templates[0].containerSet.containers[2].name: templates.main.containerSet.containers.wait name 'wait' is reserved"),
                    new Case(
                            "containers of a pod have names of their own",
                            """
                            container: {image: x}
                            initContainers: [{name: a, image: x}]
                            sidecars: [{name: a, image: x}, {name: main, image: x}]
                            """,
                            "spec.templates[0].sidecars[0].name: templates.main.sidecars[0] name 'a' is not unique",
                            "spec.templates[0].sidecars[1].name: templates.main.sidecars[1] name 'main' is not unique"),
                    new Case(
                            "a resource",
                            "resource: {action: make, manifest: 'a: [', manifestFrom: {artifact: {name: x}}}",
                            "spec.templates[0].resource.action: templates.main.resource.action 'make' is not valid",
                            "spec.templates[0].resource.manifest: templates.main.resource.manifest must be a valid yaml: ",
                            "spec.templates[0].resource.manifestFrom: templates.main.resource only one of manifest or manifestFrom can be defined"),
                    new Case(
                            "metrics",
                            """
                            container: {image: x}
                            metrics: {prometheus: [{name: a-b, counter: {value: "1"}, gauge: {value: "1"}, labels: [{key: a-b, value: x}]}]}
                            """,
                            "spec.templates[0].metrics.prometheus[0]: templates.main metric name 'a-b' must contain a help string under 'help: ' field",
                            "spec.templates[0].metrics.prometheus[0]: templates.main metric name 'a-b' must be exactly one of gauge, counter, histogram; it is gauge, counter",
                            "spec.templates[0].metrics.prometheus[0].name: templates.main metric name 'a-b' is invalid. Metric names must contain alphanumeric characters or '_'",
                            "spec.templates[0].metrics.prometheus[0].labels[0]: templates.main metric name 'a-b' has an invalid label key 'a-b'"),
                    new Case(
                            "artifacts of containers",
                            """
                            container: {image: x, volumeMounts: [{name: v, mountPath: /v}]}
                            inputs:
                              artifacts:
                              - {name: a, optional: true}
                              - {name: b, path: /x/../y, optional: true}
                              - {name: c, path: /v, optional: true}
                              - {name: d, path: /d, from: x}
                              - {name: e, path: /d, optional: true}
                            """,
                            "spec.templates[0].inputs.artifacts[0]: templates.main.inputs.artifacts.a.path is required",
                            "spec.templates[0].inputs.artifacts[1].path: templates.main.inputs.artifacts.b.path '/x/../y' must not contain '..'",
                            "spec.templates[0].inputs.artifacts[2].path: templates.main.inputs.artifacts.c '/v' already mounted by volume mount v",
                            "spec.templates[0].inputs.artifacts[3]: templates.main.inputs.artifacts.d.from not valid in inputs",
                            "spec.templates[0].inputs.artifacts[4].path: templates.main.inputs.artifacts.e.path '/d' is used by another artifact already"),
                    new Case(
                            "artifacts that containers store",
                            """
                            container: {image: x}
                            inputs: {artifacts: [{name: m, path: /m, optional: true, mode: 600}]}
                            outputs:
                              artifacts:
                              - {name: a}
                              - {name: b, path: /b, from: "{{inputs.artifacts.m}}"}
                              - {name: c, path: /c, git: {repo: r}}
                              - {name: d, path: /d, artifactGC: {strategy: Soon}}
                              - {name: e, path: /e, globalName: a b}
                            """,
                            "spec.templates[0].inputs.artifacts[0].mode: templates.main.inputs.artifacts.m.mode must be between 0 and 0777 (511)",
                            "spec.templates[0].outputs.artifacts[0]: templates.main.outputs.artifacts.a.path is required",
                            "spec.templates[0].outputs.artifacts[1]: templates.main.outputs.artifacts.b.from only valid in outputs of steps and dag templates",
                            "spec.templates[0].outputs.artifacts[2].git: templates.main.outputs.artifacts.c.git cannot be written to",
                            "spec.templates[0].outputs.artifacts[3].artifactGC.strategy: templates.main.outputs.artifacts.d.artifactGC.strategy unknown strategy 'Soon'",
                            "spec.templates[0].outputs.artifacts[4].globalName: templates.main.outputs.artifacts.e.globalName: 'a b' is invalid: Parameter/Artifact name must consist of alpha-numeric characters, '_' or '-' e.g. my_param_1, MY-PARAM-1"),
                    new Case(
                            "artifacts that steps pass on",
                            """
                            steps:
                            - - {name: a, inline: {container: {image: x}, outputs: {parameters: [{name: p, valueFrom: {path: /p}}], artifacts: [{name: o, path: /o}]}}}
                            - - name: b
                                inline: {container: {image: x}, inputs: {artifacts: [{name: i, path: /i}]}}
                                arguments: {artifacts: [{name: i, from: "{{steps.a.outputs.artifacts.other}}"}]}
                              - name: c
                                inline: {container: {image: x}, inputs: {artifacts: [{name: i, path: /i}]}}
                                arguments: {artifacts: [{name: i, from: "{{steps.a.outputs.parameters.p}}"}]}
                              - name: d
                                inline: {container: {image: x}, inputs: {artifacts: [{name: i, path: /i}]}}
                                arguments: {artifacts: [{name: i, from: "{{steps.a.outputs.artifacts.main-logs}}"}]}
                              - name: e
                                inline: {container: {image: x}, inputs: {artifacts: [{name: i, path: /i}]}}
                            outputs:
                              artifacts:
                              - {name: a, path: /a, from: "{{steps.a.outputs.artifacts.o}}"}
                              - {name: b}
                              - {name: c, from: "{{steps.a.outputs.artifacts.o}}", fromExpression: steps.a.outputs.artifacts.o}
                              - {name: d, fromExpression: "1 +"}
                              - {name: e, from: steps.a.outputs.artifacts.o}
                            """,
                            "spec.templates[0].steps[1][0].arguments.artifacts[0].from: templates.main.steps[1].b failed to resolve {{steps.a.outputs.artifacts.other}}",
                            "spec.templates[0].steps[1][1].arguments.artifacts[0].from: templates.main.steps[1].c.arguments.artifacts.i.from '{{steps.a.outputs.parameters.p}}' is not an artifact",
                            "spec.templates[0].steps[1][3]: templates.main.steps[1].e templates.main.steps[1].e.inline inputs.artifacts.i was not supplied",
                            "spec.templates[0].outputs.artifacts[0].path: templates.main.outputs.artifacts.a.path only valid in container/script templates",
                            "spec.templates[0].outputs.artifacts[1]: templates.main.outputs.artifacts.b.from or fromExpression is required",
                            "spec.templates[0].outputs.artifacts[2]: templates.main.outputs.artifacts.c has both from and fromExpression specified. Choose one.",
                            "spec.templates[0].outputs.artifacts[3].fromExpression: templates.main.outputs.artifacts.d.fromExpression cannot be compiled: ",
                            "spec.templates[0].outputs.artifacts[4].from: templates.main.outputs.artifacts.e.from 'steps.a.outputs.artifacts.o' is not an artifact"));

    @TestFactory
    Stream<DynamicTest> wholeWorkflows() {
        return WHOLE.stream().map(c -> test(c, "spec:\n" + c.spec().indent(2)));
    }

    @TestFactory
    Stream<DynamicTest> stepsTemplates() {
        return STEPS.stream().map(c -> test(c, workflow("steps:\n" + c.spec())));
    }

    @TestFactory
    Stream<DynamicTest> dagTemplates() {
        return TASKS.stream().map(c -> test(c, workflow("dag:\n  tasks:\n" + c.spec().indent(2))));
    }

    @TestFactory
    Stream<DynamicTest> templatesThatDoSomething() {
        return TEMPLATES.stream().map(c -> test(c, workflow(c.spec())));
    }

    private static DynamicTest test(Case c, String text) {
        return DynamicTest.dynamicTest(
                c.name(),
                () -> {
                    List<String> found =
                            WorkflowValidator.validate(manifest(text), TemplateLookup.none(), false)
                                    .stream()
                                    .filter(Problem::isError)
                                    .map(p -> p.path() + ": " + p.message())
                                    .toList();
                    assertThat(found).as(String.join("\n", found)).hasSameSizeAs(c.problems());
                    for (int i = 0; i < found.size(); i++) {
                        // What a parser adds at the end is the parser's to test.
                        if (c.problems()[i].endsWith(": ")) {
                            assertThat(found.get(i)).startsWith(c.problems()[i]);
                        } else {
                            assertThat(found.get(i)).isEqualTo(c.problems()[i]);
                        }
                    }
                });
    }

    @Test
    void anUnknownTargetIsNamed() {
        String text =
                workflow(
                        """
                        dag:
                          target: a b
                          tasks: [{name: a, template: pause}]
                        """);
        assertThat(WorkflowValidator.validate(manifest(text), TemplateLookup.none(), false))
                .extracting(Problem::message)
                .containsExactly("templates.main.targets target 'b' is not defined");
    }

    @Test
    void lintToleratesArgumentsWithoutValue() {
        String text =
                """
                spec:
                  entrypoint: a
                  arguments: {parameters: [{name: x}]}
                  templates: [{name: a, suspend: {}, inputs: {parameters: [{name: y}]}}]
                """;
        assertThat(WorkflowValidator.validate(manifest(text), TemplateLookup.none(), true))
                .isEmpty();
        assertThat(WorkflowValidator.validate(manifest(text), TemplateLookup.none(), false))
                .hasSize(2);
    }

    @Test
    void aTemplateNeedsNoEntrypointAndMayUseWhatItsWorkflowBrings() {
        String text =
                """
                kind: WorkflowTemplate
                spec:
                  templates: [{name: a, container: {image: x, args: ["{{workflow.parameters.any}}"]}}]
                """;
        assertThat(WorkflowValidator.validate(manifest(text), TemplateLookup.none(), true))
                .isEmpty();
    }

    @Test
    void aWhenThatCannotBeReadIsAWarning() {
        String text = workflow("steps: [[{name: a, template: pause, when: \"1 ==\"}]]");
        assertThat(WorkflowValidator.validate(manifest(text), TemplateLookup.none(), false))
                .singleElement()
                .satisfies(p -> assertThat(p.severity()).isEqualTo(Problem.Severity.WARNING))
                .satisfies(
                        p -> assertThat(p.path()).isEqualTo("spec.templates[0].steps[0][0].when"));
    }

    @Test
    void anExpressionThatAsksForAnUnknownStepIsAWarning() {
        String text =
                workflow(
                        """
                        steps:
                        - - {name: a, template: pause}
                        - - name: b
                            template: say
                            arguments: {parameters: [{name: m, value: "{{=steps.a.status + steps['gone'].status + inputs.parameters.no}}"}]}
                        """);
        assertThat(WorkflowValidator.validate(manifest(text), TemplateLookup.none(), false))
                .extracting(p -> p.severity() + " " + p.message().replaceFirst(".*}} ", ""))
                .containsExactlyInAnyOrder(
                        "WARNING refers to steps.gone, which is not known here",
                        "WARNING refers to inputs.parameters.no, which is not known here");
    }

    @Test
    void aLongChainOfTasksAndDeepParenthesesAreNoDanger() {
        StringBuilder tasks = new StringBuilder("- {name: t0, template: pause}\n");
        for (int i = 1; i < 5000; i++) {
            tasks.append("- {name: t%d, depends: t%d, template: pause}%n".formatted(i, i - 1));
        }
        String chain = workflow("dag:\n  tasks:\n" + tasks.toString().indent(2));
        assertThat(WorkflowValidator.validate(manifest(chain), TemplateLookup.none(), false))
                .isEmpty();
        String deep =
                workflow(
                        "dag:\n  tasks:\n  - {name: a, template: pause}\n  - {name: b, template: pause, depends: \""
                                + "(".repeat(100_000)
                                + "a\"}");
        assertThat(WorkflowValidator.validate(manifest(deep), TemplateLookup.none(), false))
                .extracting(Problem::message)
                .containsExactly(
                        "templates.main.tasks.b depends has more than 500 parentheses and !");
    }
}
