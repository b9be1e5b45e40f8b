package dev.millrace.workflowengine.validation;

import dev.millrace.schemas.manifest.NearestName;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Collects problems; the same one at the same place only once. */
final class Findings {
    private static final int LISTED = 20;

    private final Places places;
    private final Map<Problem, DocumentPath> problems = new LinkedHashMap<>();

    Findings(Places places) {
        this.places = places;
    }

    void error(Where where, String message) {
        error(where, message, "");
    }

    void error(Where where, String message, String hint) {
        Problem problem =
                Problem.error(places.of(where.path()), where.path().toString(), message, hint);
        problems.putIfAbsent(problem, where.path());
    }

    void warning(Where where, String message, String hint) {
        Problem problem =
                Problem.warning(places.of(where.path()), where.path().toString(), message, hint);
        problems.putIfAbsent(problem, where.path());
    }

    /**
     * Adds what others found.
     *
     * @param asWarnings whether their errors do not matter here
     */
    void add(Findings others, boolean asWarnings) {
        others.problems.forEach(
                (problem, path) ->
                        problems.putIfAbsent(
                                asWarnings
                                        ? Problem.warning(
                                                problem.place(),
                                                problem.path(),
                                                problem.message(),
                                                problem.hint())
                                        : problem,
                                path));
    }

    /** The name that was probably meant, else names for a hint. */
    static String meant(String written, String what, Collection<String> names) {
        return NearestName.to(written, names)
                .map(name -> "did you mean " + name + "?")
                .orElseGet(() -> listed(what, names));
    }

    /** Names for a hint; of many only the first. */
    private static String listed(String what, Collection<String> all) {
        List<String> names = all.stream().filter(name -> !name.isEmpty()).toList();
        if (names.isEmpty()) {
            return "";
        }
        String first = names.stream().limit(LISTED).collect(Collectors.joining(", "));
        return what
                + " "
                + first
                + (names.size() > LISTED ? " … (" + names.size() + " in all)" : "");
    }

    /** All problems in the order in which their places stand in the manifest. */
    List<Problem> inOrderOf(JsonNode manifest) {
        record Positioned(int[] position, Problem problem) {}
        List<Positioned> all = new ArrayList<>();
        problems.forEach(
                (problem, path) -> all.add(new Positioned(position(manifest, path), problem)));
        all.sort((a, b) -> Arrays.compare(a.position(), b.position()));
        return all.stream().map(Positioned::problem).toList();
    }

    private static int[] position(JsonNode manifest, DocumentPath path) {
        int[] position = new int[path.segments().size()];
        JsonNode at = manifest;
        for (int i = 0; i < position.length; i++) {
            switch (path.segments().get(i)) {
                case DocumentPath.Key(String name) -> {
                    int index = 0;
                    for (String member : at.propertyNames()) {
                        if (member.equals(name)) {
                            break;
                        }
                        index++;
                    }
                    position[i] = index;
                    at = at.path(name);
                }
                case DocumentPath.Index(int index) -> {
                    position[i] = index;
                    at = at.path(index);
                }
            }
        }
        return position;
    }
}
