package dev.millrace.executors.artifact;

/** There is nothing at the place of an artifact. */
public final class ArtifactMissingException extends ArtifactException {
    private static final long serialVersionUID = 1L;

    ArtifactMissingException(String place) {
        super("there is nothing at " + place);
    }
}
