package dev.millrace.schemas.manifest;

import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import java.util.List;
import java.util.function.Function;

/** A manifest, where its parts stand in the text, and what is wrong with it. */
public record ManifestDocument(Manifest manifest, Places places, List<Problem> problems) {

    public ManifestDocument {
        problems = List.copyOf(problems);
    }

    /** Whether its structure is sound: warnings at most. */
    public boolean isValid() {
        return problems.stream().noneMatch(Problem::isError);
    }

    /** The same with that namespace, if it names none and lives in one. */
    public ManifestDocument in(String namespace) {
        return new ManifestDocument(manifest.in(namespace), places, problems);
    }

    /**
     * What is wrong with the meaning, also where the structure has faults: then of the manifest as
     * it was probably meant, without what only follows from those faults.
     *
     * @param check of a document of sound structure
     */
    public List<Problem> meaning(Function<ManifestDocument, List<Problem>> check) {
        if (isValid()) {
            return check.apply(this);
        }
        Mended mended = Mending.of(manifest.kind(), manifest.tree());
        Manifest sound = ManifestReader.sound(manifest.kind(), mended.tree());
        return check.apply(new ManifestDocument(sound, places, List.of())).stream()
                .filter(
                        problem ->
                                DocumentPath.parse(problem.path())
                                        .filter(mended::explains)
                                        .isEmpty())
                .map(problem -> asWritten(problem, mended))
                .toList();
    }

    private Problem asWritten(Problem problem, Mended mended) {
        return DocumentPath.parse(problem.path())
                .map(mended::written)
                .map(
                        path ->
                                new Problem(
                                        problem.severity(),
                                        places.of(path),
                                        path.toString(),
                                        problem.message(),
                                        problem.hint()))
                .orElse(problem);
    }
}
