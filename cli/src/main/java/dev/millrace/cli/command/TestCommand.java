package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.ExitCode;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.testing.Trial;
import dev.millrace.cli.testing.WorkflowTest;
import dev.millrace.cli.view.Times;
import dev.millrace.cli.view.WorkflowTree;
import dev.millrace.expressions.duration.GoDuration;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.manifest.RecordReader;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.Fault;
import dev.millrace.schemas.yaml.YamlReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
        name = "test",
        description = {
            "Tests workflows against steps whose results are given, in virtual time: nothing is started, no server is needed.",
            "docs/reference/testing.md tells what a test file says. -v shows the tree of each workflow. Exits with 1 if a test fails."
        })
final class TestCommand implements Callable<Integer> {

    private final Surroundings surroundings;
    private final RootOptions options;
    private final RecordReader<WorkflowTest> reader = new RecordReader<>(WorkflowTest.class);
    private int passed;
    private int failed;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Test files, or folders with files that end with .test.yaml.")
    List<String> paths = new ArrayList<>();

    TestCommand(Surroundings surroundings, RootOptions options) {
        this.surroundings = surroundings;
        this.options = options;
    }

    @Override
    public Integer call() {
        Instant start = surroundings.clock().instant();
        for (String path : paths) {
            List<String> names = ManifestFile.expand(List.of(path), surroundings);
            boolean folder = !names.equals(List.of(path));
            names.stream()
                    .filter(name -> !folder || name.matches(".*\\.test\\.(yaml|yml|json)"))
                    .forEach(this::file);
        }
        if (passed + failed == 0) {
            throw CommandException.refused(
                    "there is no test in %s; files of tests in folders end with .test.yaml"
                            .formatted(String.join(", ", paths)));
        }
        surroundings
                .out()
                .printf(
                        "%d passed, %d failed, in %d ms%n",
                        passed,
                        failed,
                        Duration.between(start, surroundings.clock().instant()).toMillis());
        return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void file(String name) {
        Documents documents;
        try {
            documents =
                    YamlReader.read(
                            name.equals("-") ? "stdin" : name,
                            ManifestFile.text(name, surroundings));
        } catch (CommandException e) {
            fails(name, List.of(e.text()));
            return;
        }
        for (Fault fault : documents.faults()) {
            fails(
                    name,
                    List.of(
                            Problem.error(
                                            fault.place(),
                                            fault.path().toString(),
                                            fault.message(),
                                            fault.hint())
                                    .toString()));
        }
        documents.documents().forEach(document -> test(name, document));
    }

    private void test(String file, Document document) {
        List<String> problems = new ArrayList<>();
        Optional<WorkflowTest> read =
                reader.read(document, problem -> problems.add(problem.toString()));
        String where = file + ":" + document.places().start().line();
        if (read.isEmpty()) {
            fails(where, problems);
            return;
        }
        WorkflowTest test = read.get();
        String title = test.name() == null ? where : where + " " + test.name();
        Trial.Outcome outcome;
        try {
            TestedWorkflow tested = TestedWorkflow.of(test, file, surroundings);
            outcome = Trial.run(test, document.places(), tested.submit(), tested.limits());
        } catch (CommandException e) {
            fails(title, e.text().lines().toList());
            return;
        }
        if (outcome.problems().isEmpty()) {
            passed++;
            surroundings
                    .out()
                    .printf(
                            "ok   %s (%s of virtual time)%n",
                            title, GoDuration.format(outcome.took()));
        } else {
            fails(title, outcome.problems().stream().map(Problem::toString).toList());
        }
        if (options.verbose) {
            tree(outcome.workflow());
        }
    }

    private void fails(String title, List<String> problems) {
        failed++;
        surroundings.out().println("FAIL " + title);
        // At the start of the line, where terminals and editors look for places.
        problems.forEach(surroundings.out()::println);
    }

    private void tree(@Nullable JsonNode workflow) {
        if (workflow != null) {
            Instant end =
                    Times.of(workflow.path("status").path("finishedAt")).orElse(Instant.EPOCH);
            WorkflowTree.render(workflow, end, surroundings.style())
                    .forEach(line -> surroundings.out().println("     " + line));
        }
    }
}
