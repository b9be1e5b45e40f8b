package dev.millrace.expressions.expr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.expressions.expr.value.GoJsonWriter;
import dev.millrace.expressions.expr.value.GoType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every recorded expression: its value, the Go type of the value, or the kind and the text of its
 * error.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExprConformanceTest {

    private final ObjectMapper json = JsonMapper.builder().build();
    private Map<String, Object> variables = Map.of();
    private List<JsonNode> vectors = List.of();

    @BeforeAll
    void read() throws IOException {
        String folder = System.getProperty("millrace.conformance", "");
        Path expressions = Path.of(folder, "expressions");
        assumeTrue(
                !folder.isEmpty() && Files.isRegularFile(expressions.resolve("expr.jsonl")),
                "no conformance data; set -Dmillrace.conformance to its folder");
        variables = new LinkedHashMap<>();
        json.readTree(Files.readString(expressions.resolve("env.json")))
                .forEachEntry((name, value) -> variables.put(name, plain(value)));
        try (Stream<String> lines = Files.lines(expressions.resolve("expr.jsonl"))) {
            vectors = lines.filter(line -> !line.isBlank()).map(json::readTree).toList();
        }
    }

    @Test
    void everyRecordedExpressionBehavesAsRecorded() {
        ExprOptions options = ExprOptions.workflows().withTypesOf(variables);
        List<String> differences = new ArrayList<>();
        for (JsonNode vector : vectors) {
            String difference = difference(vector, options);
            if (difference != null) {
                differences.add(vector.get("in").asString() + "\n      " + difference);
            }
        }
        assertThat(vectors).hasSizeGreaterThan(4000);
        assertThat(differences).as("%s of %s", differences.size(), vectors.size()).isEmpty();
    }

    @Test
    void withoutKnowingTypesTheValuesAreTheSame() {
        List<String> differences = new ArrayList<>();
        for (JsonNode vector : vectors) {
            if (!vector.has("error")) {
                String difference = difference(vector, ExprOptions.workflows());
                if (difference != null) {
                    differences.add(vector.get("in").asString() + "\n      " + difference);
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private String difference(JsonNode vector, ExprOptions options) {
        String source = vector.get("in").asString();
        String error = vector.path("error").asString("");
        ExprProgram program;
        try {
            program = ExprProgram.compile(source, options);
        } catch (ExprSyntaxException e) {
            return failed("compile", e.getMessage(), error, vector);
        }
        Object value;
        try {
            value = program.evaluateTyped(Environment.of(variables));
        } catch (ExprEvaluationException e) {
            return failed("run", e.getMessage(), error, vector);
        }
        if (!error.isEmpty()) {
            return "gave " + value + " instead of " + vector;
        }
        String type = GoType.name(value);
        if (!type.equals(vector.get("go").asString())) {
            return "type " + type + " of " + value + " instead of " + vector;
        }
        JsonNode actual = json.readTree(GoJsonWriter.write(value));
        return same(actual, vector.get("value"))
                ? null
                : "gave " + actual + " instead of " + vector;
    }

    private static String failed(String stage, String message, String error, JsonNode vector) {
        boolean right = stage.equals(error) && message.equals(vector.path("detail").asString(""));
        return right ? null : stage + " error " + message + " instead of " + vector;
    }

    private static boolean same(JsonNode a, JsonNode b) {
        if (a.isNumber() && b.isNumber()) {
            return a.isIntegralNumber() && b.isIntegralNumber()
                    ? a.longValue() == b.longValue()
                    : a.doubleValue() == b.doubleValue();
        }
        if (a.isArray() && b.isArray() && a.size() == b.size()) {
            for (int i = 0; i < a.size(); i++) {
                if (!same(a.get(i), b.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (a.isObject() && b.isObject() && a.size() == b.size()) {
            return a.propertyNames().stream()
                    .allMatch(name -> b.has(name) && same(a.get(name), b.get(name)));
        }
        return a.equals(b);
    }

    private static Object plain(JsonNode node) {
        if (node.isNull()) {
            return null;
        }
        if (node.isArray()) {
            List<Object> list = new ArrayList<>();
            node.forEach(each -> list.add(plain(each)));
            return list;
        }
        if (node.isObject()) {
            Map<String, Object> map = new LinkedHashMap<>();
            node.forEachEntry((name, value) -> map.put(name, plain(value)));
            return map;
        }
        return node.isIntegralNumber()
                ? (Object) node.longValue()
                : node.isNumber()
                        ? (Object) node.doubleValue()
                        : node.isBoolean() ? node.booleanValue() : node.asString();
    }
}
