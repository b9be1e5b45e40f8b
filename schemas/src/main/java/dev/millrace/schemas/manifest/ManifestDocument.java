package dev.millrace.schemas.manifest;

import dev.millrace.schemas.yaml.Places;
import java.util.List;

/** A manifest, where its parts stand in the text, and what is wrong with it. */
public record ManifestDocument(Manifest manifest, Places places, List<Problem> problems) {

    public ManifestDocument {
        problems = List.copyOf(problems);
    }

    /** Whether its structure is sound: warnings at most. */
    public boolean isValid() {
        return problems.stream().noneMatch(Problem::isError);
    }
}
