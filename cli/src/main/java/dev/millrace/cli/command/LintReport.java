package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.view.Style.Colour;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Tells what {@code lint} found, file after file: errors to stderr, the rest to stdout. */
final class LintReport {

    private enum Form {
        SIMPLE,
        PRETTY,
        JSON
    }

    private final Form form;
    private final Surroundings surroundings;
    private final ArrayNode told = Json.mapper().createArrayNode();
    private int errors;

    private LintReport(Form form, Surroundings surroundings) {
        this.form = form;
        this.surroundings = surroundings;
    }

    /**
     * @param form simple, pretty or json
     */
    static LintReport of(String form, Surroundings surroundings) {
        return Arrays.stream(Form.values())
                .filter(f -> f.name().toLowerCase(Locale.ROOT).equals(form))
                .findFirst()
                .map(f -> new LintReport(f, surroundings))
                .orElseThrow(
                        () ->
                                CommandException.usage(
                                        "-o %s: simple, pretty or json is expected"
                                                .formatted(form)));
    }

    /**
     * A file that is no text.
     *
     * @param message with the file's name
     */
    void unreadable(String name, String message) {
        errors++;
        switch (form) {
            case SIMPLE -> surroundings.err().println(message);
            case PRETTY -> {
                surroundings.err().println(name + ":");
                surroundings.err().println("   " + mark(true) + " " + message);
            }
            case JSON ->
                    told.addObject()
                            .put("severity", "error")
                            .put("file", name)
                            .put("message", message);
        }
    }

    /** A file and what is wrong with it, warnings too. */
    void file(String name, int manifests, List<Problem> problems) {
        long wrong = problems.stream().filter(Problem::isError).count();
        errors += (int) wrong;
        switch (form) {
            case SIMPLE -> {
                problems.forEach(problem -> line("", problem));
                if (wrong == 0) {
                    surroundings
                            .out()
                            .println(
                                    manifests == 0
                                            ? name + ": there is no manifest in it"
                                            : "%s: no errors in %d manifests"
                                                    .formatted(name, manifests));
                }
            }
            case PRETTY -> {
                if (!problems.isEmpty()) {
                    surroundings.err().println(name + ":");
                }
                problems.forEach(problem -> line("   " + mark(problem.isError()) + " ", problem));
            }
            case JSON -> problems.forEach(problem -> told.add(json(name, problem)));
        }
    }

    /** The summary, if the form has one; says whether all is well. */
    boolean end() {
        switch (form) {
            case SIMPLE -> {}
            case PRETTY -> {
                surroundings.out().flush();
                if (errors == 0) {
                    surroundings.out().println(mark(false) + " no linting errors found!");
                } else {
                    surroundings
                            .err()
                            .println(mark(true) + " " + errors + " linting errors found!");
                }
            }
            case JSON -> ObjectPrinter.print(told, "json", surroundings);
        }
        return errors == 0;
    }

    private void line(String mark, Problem problem) {
        surroundings.err().println(mark + (problem.isError() ? "" : "warning: ") + problem);
    }

    private static ObjectNode json(String file, Problem problem) {
        ObjectNode json = Json.object().put("severity", problem.isError() ? "error" : "warning");
        json.put("file", file);
        if (problem.place().isKnown()) {
            json.put("line", problem.place().line()).put("column", problem.place().column());
        }
        json.put("path", problem.path()).put("message", problem.message());
        if (!problem.hint().isEmpty()) {
            json.put("hint", problem.hint());
        }
        return json;
    }

    private String mark(boolean error) {
        return error
                ? surroundings.style().paint(Colour.RED, "✖")
                : surroundings.style().paint(Colour.GREEN, "✔");
    }
}
