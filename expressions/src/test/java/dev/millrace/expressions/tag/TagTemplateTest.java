package dev.millrace.expressions.tag;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.expressions.expr.Environment;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagTemplateTest {

    private static final Scope SCOPE =
            Scope.of(
                    Map.of(
                            "inputs.parameters.name", "world",
                            "inputs.parameters.which", "name",
                            "inputs.parameters.quote", "say \"hi\"\n",
                            "inputs.parameters.my-n", "3",
                            "inputs.parameters", "[]",
                            "workflow.name", "wf",
                            "item", "i"));

    private static Replacement lenient(String text) {
        return TagTemplate.parse(text).replace(SCOPE, Mode.LENIENT, false);
    }

    private static Replacement strict(String text) {
        return TagTemplate.parse(text).replace(SCOPE, Mode.STRICT, false);
    }

    private static Replacement text(String text, String... unresolved) {
        return new Replacement.Text(text, List.of(unresolved));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "no tags | no tags",
                "{{inputs.parameters.name}} | world",
                "hello {{ inputs.parameters.name }}! | hello world!",
                "{{item}}{{item}} | ii",
                "{{inputs.parameters.{{inputs.parameters.which}}}} | world",
                "{{=inputs.parameters.name + '!'}} | world!",
                "{{=asInt(inputs.parameters['my-n']) + 1}} | 4",
                "{{=inputs.parameters.name == 'world'}} | true",
                "{{=[1, 'a']}} | [1,\"a\"]",
                "{{={'b': 1, 'a': 2} }} | {\"a\":2,\"b\":1}",
                "}} stray | }} stray",
                "{ {item} } | { {item} }",
            })
    void knownTagsAreReplaced(String template, String result) {
        assertThat(lenient(template)).isEqualTo(text(result));
        assertThat(strict(template)).isEqualTo(text(result));
    }

    @Test
    void anUnknownTagStaysAsItStandsInALenientRunAndFailsInAStrictOne() {
        assertThat(lenient("a {{ x }} {{item}}")).isEqualTo(text("a {{ x }} i", " x "));
        assertThat(strict("a {{ x }}"))
                .isEqualTo(new Replacement.Failed("failed to resolve {{ x }}"));
    }

    @Test
    void otherTemplateLanguagesSurviveALenientRun() {
        String go = "{{ if .x }}{{ \"{{\" }} {{range $i := .list}} {{ \"}}\" }}{{end}}";
        assertThat(lenient(go))
                .isInstanceOfSatisfying(
                        Replacement.Text.class, r -> assertThat(r.text()).isEqualTo(go));
        assertThat(lenient("{{ \"{{\" }} {{item}}"))
                .isInstanceOfSatisfying(
                        Replacement.Text.class,
                        r -> assertThat(r.text()).isEqualTo("{{ \"{{\" }} i"));
    }

    @Test
    void ofANestedTagTheInnerIsReplacedEvenIfTheOuterIsForLater() {
        assertThat(lenient("{{steps.{{item}}.id}}"))
                .isEqualTo(text("{{steps.i.id}}", "steps.i.id"));
        assertThat(strict("{{steps.{{item}}.id}}")).isEqualTo(text("{{steps.i.id}}", "steps.i.id"));
        assertThat(lenient("{{a.{{b}}}}")).isEqualTo(text("{{a.{{b}}}}", "b"));
        assertThat(lenient("{{a.{{item}} rest")).isEqualTo(text("{{a.i rest"));
    }

    @Test
    void aTagWithoutAnEndFails() {
        assertThat(lenient("{{item}} {{open"))
                .isEqualTo(
                        new Replacement.Failed(
                                "Cannot find end tag=\"}}\" in the template starting from \"{{open\""));
        assertThat(TagTemplate.parse("{{open").hasTags()).isTrue();
        assertThat(lenient("{{item}} {{=open")).isInstanceOf(Replacement.Failed.class);
    }

    @Test
    void valuesAreEscapedForJsonAndSourcesUnescaped() {
        TagTemplate json =
                TagTemplate.parse(
                        "{\"a\":\"{{inputs.parameters.quote}}\",\"b\":\"{{=inputs.parameters.name + \\\"\\\\\\\"\\\"}}\"}");
        assertThat(json.replace(SCOPE, Mode.STRICT, true))
                .isEqualTo(text("{\"a\":\"say \\\"hi\\\"\\n\",\"b\":\"world\\\"\"}"));
        assertThat(lenient("{{inputs.parameters.quote}}")).isEqualTo(text("say \"hi\"\n"));
        assertThat(TagTemplate.parse("\"{{=[\\\"a\\\"]}}\"").replace(SCOPE, Mode.STRICT, true))
                .isEqualTo(text("\"[\\\"a\\\"]\""));
    }

    @Test
    void anExpressionOverWhatIsNotKnownYetStaysInALenientRun() {
        Scope early = Scope.of(Map.of("workflow.name", "wf", "tasks.name", "t"));
        for (String source :
                List.of(
                        "item == 'x'",
                        "retries",
                        "lastRetry.exitCode ?? 'none'",
                        "workflow.status == nil",
                        "workflow.failures ?? '[]'",
                        "inputs.parameters.x ?? 'd'",
                        "tasks?.a?.outputs?.result == nil",
                        "this is no expression",
                        "nil",
                        "workflow.name.x.y")) {
            String tag = "{{=" + source + "}}";
            assertThat(TagTemplate.parse(tag).replace(early, Mode.LENIENT, false))
                    .isEqualTo(text(tag, "=" + source));
            if (!source.contains("nil") && !source.contains("??")) {
                assertThat(TagTemplate.parse(tag).replace(early, Mode.STRICT, false))
                        .as(source)
                        .isInstanceOf(Replacement.Failed.class);
            }
        }
        assertThat(TagTemplate.parse("{{=workflow.name}}").replace(early, Mode.LENIENT, false))
                .isEqualTo(text("wf"));
    }

    @Test
    void aResultWithoutJsonFormIsUnresolvedOrFails() {
        assertThat(lenient("{{=1.0 / 0}}")).isEqualTo(text("{{=1.0 / 0}}", "=1.0 / 0"));
        assertThat(strict("{{=1.0 / 0}}"))
                .isInstanceOfSatisfying(
                        Replacement.Failed.class,
                        failed ->
                                assertThat(failed.message())
                                        .startsWith("failed to marshal evaluated expression: "));
    }

    @Test
    void aNilResultFailsInAStrictRun() {
        assertThat(strict("{{=nil}}"))
                .isEqualTo(new Replacement.Failed("failed to evaluate expression \"nil\""));
        assertThat(strict("{{=nope}}"))
                .isInstanceOfSatisfying(
                        Replacement.Failed.class,
                        failed ->
                                assertThat(failed.message())
                                        .startsWith(
                                                "failed to evaluate expression: unknown name nope (1:1)"));
    }

    /** Task a was skipped and has no output x; task b has not been made. */
    private static final Scope PARTIAL =
            new Scope() {
                @Override
                public Lookup lookup(String name) {
                    if (name.equals("tasks.a.outputs.parameters.x")) {
                        return new Lookup.Absent(name);
                    }
                    return name.startsWith("tasks.b.")
                            ? new Lookup.NotYet(name)
                            : new Lookup.Missing();
                }

                @Override
                public Environment environment() {
                    return Environment.of(
                            Map.of(
                                    "tasks",
                                    Map.of(
                                            "a",
                                            Map.of("outputs", Map.of("parameters", Map.of())))));
                }
            };

    @Test
    void aNameThatIsNotThereYetMakesEverythingWait() {
        for (Mode mode : Mode.values()) {
            assertThat(
                            TagTemplate.parse("x {{tasks.b.outputs.result}}")
                                    .replace(PARTIAL, mode, false))
                    .isEqualTo(new Replacement.NotYet("tasks.b.outputs.result"));
            assertThat(
                            TagTemplate.parse("{{=tasks.b.outputs.result ?? 'd'}}")
                                    .replace(PARTIAL, mode, false))
                    .isEqualTo(new Replacement.NotYet("tasks.b.outputs.result"));
        }
    }

    @Test
    void anAbsentOptionalOutputFailsInATagAndIsNilInAnExpression() {
        for (Mode mode : Mode.values()) {
            assertThat(
                            TagTemplate.parse("v={{tasks.a.outputs.parameters.x}}")
                                    .replace(PARTIAL, mode, false))
                    .isEqualTo(
                            new Replacement.Failed(
                                    "unable to substitute {{tasks.a.outputs.parameters.x}}: output is an absent optional"
                                            + " (skipped/omitted node with no default)"));
            assertThat(
                            TagTemplate.parse("{{=tasks.a.outputs.parameters.x ?? \"fallback\"}}")
                                    .replace(PARTIAL, mode, false))
                    .isEqualTo(text("fallback"));
        }
    }

    @Test
    void theTagsOfATextAreListed() {
        TagTemplate template = TagTemplate.parse("{{ a.b }} {{=c.d}} {{x.{{y}}.z}} {{a");
        assertThat(template.tags()).isEmpty();
        assertThat(TagTemplate.parse("{{ a.b }} {{=c.d}} {{x.{{y}}.z}}").tags())
                .containsExactly(
                        new Tag.Simple("a.b"), new Tag.Expression("c.d"), new Tag.Simple("y"));
        assertThat(TagTemplate.parse("plain").hasTags()).isFalse();
    }

    @Test
    void aTextWithoutKnownTagsIsNeverChanged() {
        Random random = new Random(3);
        Scope empty = Scope.of(Map.of());
        String[] pieces = {"{{", "}}", "{", "}", "=", "a", " ", "x.y", "\""};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(12); j > 0; j--) {
                text.append(pieces[random.nextInt(pieces.length)]);
            }
            Replacement result =
                    TagTemplate.parse(text.toString()).replace(empty, Mode.LENIENT, false);
            if (result instanceof Replacement.Text(String same, List<String> unresolved)
                    && !text.toString().contains("{{=")) {
                assertThat(same).as("seed 3, round %d", i).isEqualTo(text.toString());
            }
        }
    }

    @Test
    void aHugeTextOfOpenBracesIsRefusedQuickly() {
        assertThat(lenient("{{".repeat(200_000))).isInstanceOf(Replacement.Failed.class);
        assertThat(lenient("{{".repeat(200_000) + "}}")).isInstanceOf(Replacement.Text.class);
    }
}
