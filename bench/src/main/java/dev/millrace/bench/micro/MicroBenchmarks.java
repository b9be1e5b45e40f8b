package dev.millrace.bench.micro;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the JMH benchmarks and prints a Markdown table. */
public final class MicroBenchmarks {

    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private MicroBenchmarks() {}

    /**
     * Runs them.
     *
     * @param patterns regular expressions of benchmark names; none for all
     */
    public static void main(String[] patterns) throws RunnerException {
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .addProfiler(GCProfiler.class)
                        .jvmArgsAppend(
                                "-Xmx1g",
                                "-XX:+UseSerialGC",
                                "--sun-misc-unsafe-memory-access=allow")
                        // What JMH says on the way; the table alone goes to standard output.
                        .output("target/micro.log");
        List<String> wanted =
                patterns.length == 0 ? List.of("dev.millrace.bench.micro") : List.of(patterns);
        wanted.forEach(options::include);
        Collection<RunResult> results = new Runner(options.build()).run();
        System.out.println("| benchmark | µs per operation | ± | KB allocated |");
        System.out.println("|---|---|---|---|");
        results.forEach(result -> System.out.println(row(result)));
    }

    private static String row(RunResult run) {
        Result<?> time = run.getPrimaryResult();
        Result<?> allocated = run.getSecondaryResults().get(ALLOCATED);
        return String.format(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %s |",
                name(run),
                time.getScore(),
                time.getScoreError(),
                allocated == null
                        ? ""
                        : String.format(Locale.ROOT, "%.1f", allocated.getScore() / 1024));
    }

    private static String name(RunResult run) {
        String full = run.getParams().getBenchmark();
        String method = full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1);
        String parameters =
                run.getParams().getParamsKeys().stream()
                        .map(key -> run.getParams().getParam(key))
                        .collect(Collectors.joining(", "));
        return parameters.isEmpty() ? method : method + " (" + parameters + ")";
    }
}
