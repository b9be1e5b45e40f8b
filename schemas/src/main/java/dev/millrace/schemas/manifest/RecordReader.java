package dev.millrace.schemas.manifest;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Problem.Severity;
import dev.millrace.schemas.yaml.Document;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * Reads documents that are no manifests as a record, with the checks of manifests: unknown, missing
 * and mistyped fields are told with their places.
 */
public final class RecordReader<T extends Record> {

    private final Class<T> type;
    private final Shapes shapes;

    /**
     * @param type whose components are the fields; those that are {@code @Nullable}, lists and maps
     *     may be absent
     */
    public RecordReader(Class<T> type) {
        this.type = type;
        this.shapes = new Shapes(List.of(type));
    }

    /**
     * Reads a document.
     *
     * @param problems hears what does not fit
     * @return empty if there was an error
     */
    public Optional<T> read(Document document, Consumer<Problem> problems) {
        List<Problem> found = new ArrayList<>();
        for (Fault fault : document.faults()) {
            found.add(
                    Problem.error(
                            fault.place(), fault.path().toString(), fault.message(), fault.hint()));
        }
        JsonNode tree = document.tree();
        if (tree.isObject()) {
            new StructureCheck(shapes, document.places(), Severity.ERROR, true, found)
                    .fields(tree, shapes.fields(type), DocumentPath.ROOT);
        } else {
            found.add(
                    Problem.error(
                            document.places().start(),
                            "",
                            "an object with fields is expected",
                            ""));
        }
        found.forEach(problems);
        return found.isEmpty()
                ? Optional.of(Json.convert(shapes.withoutNulls(tree, new Shape.Struct(type)), type))
                : Optional.empty();
    }
}
