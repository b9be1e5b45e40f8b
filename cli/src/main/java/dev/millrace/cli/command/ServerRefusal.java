package dev.millrace.cli.command;

import dev.millrace.cli.CommandException;
import dev.millrace.cli.client.ApiException;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Place;
import java.util.List;
import java.util.function.Supplier;

/** What a server says about a document, with the places that only the file has. */
final class ServerRefusal {

    private ServerRefusal() {}

    /**
     * Sends a document.
     *
     * @throws CommandException if the server refuses it, with file and line
     */
    static <T> T located(ManifestDocument document, Supplier<T> request) {
        try {
            return request.get();
        } catch (ApiException e) {
            throw CommandException.wrongManifests(
                    problems(document, e).stream().map(Problem::toString).toList(), e);
        }
    }

    /** What is wrong, one by one; all in one if the server does not tell it so. */
    static List<Problem> problems(ManifestDocument document, ApiException refusal) {
        List<ApiException.Problem> problems =
                refusal.problems().isEmpty()
                        ? List.of(new ApiException.Problem(true, "", refusal.text(), ""))
                        : refusal.problems();
        return problems.stream().map(problem -> at(document, problem)).toList();
    }

    /** The problem at its place in the text; at the place of what is around it if it has none. */
    static Problem at(ManifestDocument document, ApiException.Problem problem) {
        Place place =
                DocumentPath.parse(problem.path())
                        .map(document.places()::of)
                        .orElse(document.places().start());
        return problem.isError()
                ? Problem.error(place, problem.path(), problem.message(), problem.hint())
                : Problem.warning(place, problem.path(), problem.message(), problem.hint());
    }
}
