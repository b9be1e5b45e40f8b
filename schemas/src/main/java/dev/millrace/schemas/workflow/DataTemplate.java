package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listing, and what is made of it.
 *
 * @param transformation steps in order; each gets what the one before gave
 */
public record DataTemplate(@Nullable DataSource source, List<TransformationStep> transformation) {

    public DataTemplate {
        transformation = transformation == null ? List.of() : transformation;
    }

    /**
     * Where the data comes from.
     *
     * @param artifactPaths the folder of an artifact store; the data is the list of the keys of all
     *     files in it
     */
    public record DataSource(@Nullable Artifact artifactPaths) {}

    /**
     * One change of the data.
     *
     * @param expression over {@code data}; its value is the new data
     */
    public record TransformationStep(@Nullable String expression) {}
}
