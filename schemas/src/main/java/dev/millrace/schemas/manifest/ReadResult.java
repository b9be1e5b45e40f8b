package dev.millrace.schemas.manifest;

import java.util.List;

/**
 * What a text held.
 *
 * @param documents objects of known kinds with usable metadata, valid or not
 * @param problems all problems, those of the documents among them, in the order of the text
 */
public record ReadResult(List<ManifestDocument> documents, List<Problem> problems) {

    public ReadResult {
        documents = List.copyOf(documents);
        problems = List.copyOf(problems);
    }

    public boolean hasErrors() {
        return problems.stream().anyMatch(Problem::isError);
    }

    public List<Problem> errors() {
        return problems.stream().filter(Problem::isError).toList();
    }

    /** The manifests without errors. */
    public List<Manifest> manifests() {
        return documents.stream()
                .filter(ManifestDocument::isValid)
                .map(ManifestDocument::manifest)
                .toList();
    }
}
