package dev.millrace.bench.micro;

import dev.millrace.expressions.expr.Environment;
import dev.millrace.expressions.expr.ExprOptions;
import dev.millrace.expressions.expr.ExprProgram;
import dev.millrace.expressions.gjson.GjsonPath;
import dev.millrace.expressions.gjson.GjsonResult;
import dev.millrace.expressions.govaluate.WhenCondition;
import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.TagTemplate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The small languages of manifests, on texts as they stand in real ones. */
@BenchmarkMode(org.openjdk.jmh.annotations.Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class ExpressionsBenchmark {

    private static final String TEXT =
            "{{workflow.name}}: {{tasks.build.outputs.result}} of {{inputs.parameters.platform}}";
    private static final String EXPRESSION_TAG =
            "{{=inputs.parameters.platform + '-' + workflow.name}}";
    private static final String EXPRESSION =
            "any(body.commits, {.author == 'author-7' && len(.files) > 2}) and body.branch in ['main', 'next']";

    private final dev.millrace.expressions.tag.Scope scope =
            dev.millrace.expressions.tag.Scope.of(
                    Map.of(
                            "workflow.name", "release-1",
                            "tasks.build.outputs.result", "42 files",
                            "inputs.parameters.platform", "linux"));
    private final TagTemplate parsed = TagTemplate.parse(TEXT);
    private final TagTemplate parsedExpression = TagTemplate.parse(EXPRESSION_TAG);
    private final String push = push();
    private final Environment environment = Environment.of(Map.of("body", body()));
    private final ExprProgram program = ExprProgram.compile(EXPRESSION, ExprOptions.events());

    /** A text with three tags, parsed and replaced. */
    @Benchmark
    public Replacement tagsParsedAndReplaced() {
        return TagTemplate.parse(TEXT).replace(scope, Mode.STRICT, true);
    }

    /** The same, parsed before. */
    @Benchmark
    public Replacement tagsReplaced() {
        return parsed.replace(scope, Mode.STRICT, true);
    }

    /** An expression tag, parsed and compiled before. */
    @Benchmark
    public Replacement expressionTagReplaced() {
        return parsedExpression.replace(scope, Mode.STRICT, true);
    }

    /** A condition of a step, after its tags are replaced. */
    @Benchmark
    public WhenCondition.Outcome when() {
        return WhenCondition.evaluate("linux == linux && 3 >= 2 && 'a b' != c");
    }

    /** A field of the body of a push with 20 commits. */
    @Benchmark
    public GjsonResult jsonPath() {
        return GjsonPath.get(push, "body.repository.full_name");
    }

    /** A search in it. */
    @Benchmark
    public GjsonResult jsonPathSearch() {
        return GjsonPath.get(push, "body.commits.#(author==\"author-7\").id");
    }

    /** An expression, from its text. */
    @Benchmark
    public ExprProgram exprCompiled() {
        return ExprProgram.compile(EXPRESSION, ExprOptions.events());
    }

    /** The same, compiled before. */
    @Benchmark
    public @Nullable Object exprEvaluated() {
        return program.evaluate(environment);
    }

    private static String push() {
        String commits =
                IntStream.range(0, 20)
                        .mapToObj(
                                "{\"id\": \"%1$040d\", \"author\": \"author-%1$d\", \"files\": [\"a\", \"b\", \"c\"]}"
                                        ::formatted)
                        .collect(Collectors.joining(", "));
        return """
        {"body": {"branch": "main", "commits": [%s], "repository": {"id": 1, "full_name": "acme/widgets"}}}"""
                .formatted(commits);
    }

    private static Map<String, Object> body() {
        List<Map<String, Object>> commits =
                IntStream.range(0, 20)
                        .mapToObj(
                                i ->
                                        Map.<String, Object>of(
                                                "author",
                                                "author-" + i,
                                                "files",
                                                List.of("a", "b", "c")))
                        .toList();
        return Map.of("branch", "main", "commits", commits);
    }
}
