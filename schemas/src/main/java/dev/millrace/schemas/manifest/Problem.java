package dev.millrace.schemas.manifest;

import dev.millrace.schemas.yaml.Place;

/**
 * Something that a person should mend.
 *
 * @param path of the member concerned, such as {@code spec.templates[0].container.imagee}; empty
 *     for the whole document
 * @param message what is wrong
 * @param hint what to do, empty if there is nothing to add
 */
public record Problem(Severity severity, Place place, String path, String message, String hint) {

    /** Whether the manifest can be used all the same. */
    public enum Severity {
        ERROR,
        WARNING
    }

    public static Problem error(Place place, String path, String message, String hint) {
        return new Problem(Severity.ERROR, place, path, message, hint);
    }

    public static Problem warning(Place place, String path, String message, String hint) {
        return new Problem(Severity.WARNING, place, path, message, hint);
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /**
     * One line: {@code file:line:column: path: message (hint)}; without a place that is not known.
     */
    @Override
    public String toString() {
        return (place.isKnown() ? place + ": " : "")
                + (path.isEmpty() ? "" : path + ": ")
                + message
                + (hint.isEmpty() ? "" : " (" + hint + ")");
    }
}
