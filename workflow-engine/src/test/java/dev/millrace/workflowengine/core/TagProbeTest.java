package dev.millrace.workflowengine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.NodePhase;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** One look at the tags of a template says the same as a look at each of its steps. */
final class TagProbeTest {

    /** Where it lets a call pass, no step is in the way; and it does not refuse what is usual. */
    @Test
    void whatItLetsPassFailsNowhere() {
        List<String> texts =
                List.of(
                        "{{inputs.parameters.a}}",
                        "{{inputs.parameters.b}}",
                        "x{{workflow.name}}y",
                        "{{steps.s1.outputs.result}}",
                        "{{item.x}} and {{inputs.parameters.a}}{{inputs.parameters.b}}",
                        "{{inputs.parameters.unknown}}",
                        "{ {{inputs.parameters.a}}",
                        "{{{inputs.parameters.b}}",
                        "{{inputs.parameters.{{inputs.parameters.a}}}}",
                        "{{",
                        "no tag",
                        "}} {{inputs.parameters.a}} {{");
        List<String> values =
                List.of(
                        "",
                        "1",
                        "a",
                        "{",
                        "{{",
                        "}}",
                        "{{x",
                        "{{x}}",
                        "{\"k\": 1}",
                        "\"",
                        "x{",
                        "{{steps.");
        Random random = new Random(1);
        int passed = 0;
        int usual = 0;
        for (int run = 0; run < 20_000; run++) {
            List<JsonNode> members = new ArrayList<>();
            TagProbe probe = new TagProbe();
            boolean tagged = false;
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                JsonNode member =
                        Json.object()
                                .put("name", "s" + i)
                                .put("when", texts.get(random.nextInt(texts.size())))
                                .put("template", texts.get(random.nextInt(texts.size())));
                if (member.toString().contains("{{")) {
                    members.add(member);
                    probe.add(member);
                    tagged = true;
                }
            }
            Map<String, String> known =
                    Map.of(
                            "inputs.parameters.a", values.get(random.nextInt(values.size())),
                            "inputs.parameters.b", values.get(random.nextInt(values.size())),
                            "workflow.name", "wf");
            UnaryOperator<JsonNode> filling =
                    tree -> {
                        Variables variables = Variables.of(new Variables.Flat(known));
                        return Calls.replace(
                                Calls.replace(tree, variables, Mode.LENIENT),
                                variables,
                                Mode.LENIENT);
                    };
            if (tagged && probe.passes(filling)) {
                passed++;
                members.forEach(filling::apply);
            } else if (tagged && members.stream().allMatch(m -> fills(filling, m))) {
                usual++;
            }
        }
        assertThat(passed).isGreaterThan(2_000);
        assertThat(usual).isPositive();
    }

    private static boolean fills(UnaryOperator<JsonNode> filling, JsonNode member) {
        try {
            return filling.apply(member) != null;
        } catch (CallException e) {
            return false;
        }
    }

    @Test
    void aCallTakesTheSameHoweverManyTagsTheTemplateHas() {
        calls(200);
        long small = calls(200);
        long large = calls(3_000);

        assertThat(large).as("bytes that a call allocates").isLessThanOrEqualTo(small * 13 / 10);
    }

    /** What a usual call of a template allocates of which the second of two groups never comes. */
    private static long calls(int tags) {
        StringJoiner never = new StringJoiner("}, {", "[{", "}]");
        for (int i = 0; i < tags; i++) {
            never.add(
                    "name: s%d, template: noop, when: '{{inputs.parameters.p}} == {{steps.s.status}}'"
                            .formatted(i));
        }
        Scenario s =
                Scenario.given(
                        """
                        entrypoint: main
                        templates:
                        - name: main
                          parallelism: 1
                          steps:
                          - - {name: call, template: big, continueOn: {failed: true}, withSequence: {count: 12},
                               arguments: {parameters: [{name: p, value: "{{item}}"}]}}
                        - name: big
                          inputs: {parameters: [{name: p}]}
                          steps:
                          - - {name: s, template: noop}
                          - %s
                        - {name: noop, container: {image: busybox}}
                        """
                                .formatted(never),
                        WorkflowMachine.DEFAULT_BUDGET);
        List<Long> bytes = new ArrayList<>();
        AtomicInteger ended = new AtomicInteger();
        while (!s.running().isEmpty()) {
            String step = s.running().stream().findFirst().orElseThrow();
            long before = allocated();
            s.fails(step, 1);
            bytes.add(allocated() - before);
            ended.incrementAndGet();
        }
        assertThat(ended).hasValue(12);
        assertThat(s.state().node(s.state().nodes().getFirst()).phase())
                .isNotEqualTo(NodePhase.RUNNING);
        Collections.sort(bytes);
        return bytes.get(bytes.size() / 2);
    }

    private static long allocated() {
        return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getCurrentThreadAllocatedBytes();
    }
}
