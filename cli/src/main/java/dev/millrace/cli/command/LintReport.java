package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.Surroundings;
import dev.millrace.cli.view.Style.Colour;
import dev.millrace.schemas.manifest.Problem;
import java.util.List;

/** Tells what {@code lint} found, file after file: errors to stderr, the rest to stdout. */
final class LintReport {

    private final boolean pretty;
    private final Surroundings surroundings;
    private int errors;

    private LintReport(boolean pretty, Surroundings surroundings) {
        this.pretty = pretty;
        this.surroundings = surroundings;
    }

    /**
     * @param form simple or pretty
     */
    static LintReport of(String form, Surroundings surroundings) {
        if (!List.of("simple", "pretty").contains(form)) {
            throw CommandException.usage("-o %s: simple or pretty is expected".formatted(form));
        }
        return new LintReport(form.equals("pretty"), surroundings);
    }

    /**
     * A file that is no text.
     *
     * @param message with the file's name
     */
    void unreadable(String name, String message) {
        errors++;
        if (pretty) {
            surroundings.err().println(name + ":");
            surroundings.err().println("   " + mark(true) + " " + message);
        } else {
            surroundings.err().println(message);
        }
    }

    /** A file and what is wrong with it, warnings too. */
    void file(String name, int manifests, List<Problem> problems) {
        long wrong = problems.stream().filter(Problem::isError).count();
        errors += (int) wrong;
        if (pretty && !problems.isEmpty()) {
            surroundings.err().println(name + ":");
        }
        for (Problem problem : problems) {
            surroundings
                    .err()
                    .println(
                            (pretty ? "   " + mark(problem.isError()) + " " : "")
                                    + (problem.isError() ? "" : "warning: ")
                                    + problem);
        }
        if (wrong == 0 && !pretty) {
            surroundings
                    .out()
                    .println(
                            manifests == 0
                                    ? name + ": there is no manifest in it"
                                    : "%s: no errors in %d manifests".formatted(name, manifests));
        }
    }

    /** The summary, if the form has one; says whether all is well. */
    boolean end() {
        if (pretty) {
            surroundings.out().flush();
            if (errors == 0) {
                surroundings.out().println(mark(false) + " no linting errors found!");
            } else {
                surroundings.err().println(mark(true) + " " + errors + " linting errors found!");
            }
        }
        return errors == 0;
    }

    private String mark(boolean error) {
        return error
                ? surroundings.style().paint(Colour.RED, "✖")
                : surroundings.style().paint(Colour.GREEN, "✔");
    }
}
