package dev.millrace.schemas.manifest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The fields of whole objects, by kind. */
final class ManifestShapes {

    static final ManifestShapes ALL = new ManifestShapes();

    private final Shapes shapes;
    private final Map<Kind, List<Shape.Field>> topLevel = new EnumMap<>(Kind.class);

    private ManifestShapes() {
        shapes =
                new Shapes(
                        Stream.concat(
                                        Stream.of(ObjectMeta.class),
                                        Arrays.stream(Kind.values()).map(Kind::content))
                                .toList());
        for (Kind kind : Kind.values()) {
            topLevel.put(kind, topLevel(kind));
        }
    }

    Shapes records() {
        return shapes;
    }

    /** The fields at the top of an object of this kind. */
    List<Shape.Field> of(Kind kind) {
        return topLevel.getOrDefault(kind, List.of());
    }

    private List<Shape.Field> topLevel(Kind kind) {
        List<Shape.Field> fields = new ArrayList<>();
        fields.add(new Shape.Field("apiVersion", new Shape.Text(), true));
        fields.add(new Shape.Field("kind", new Shape.Text(), true));
        fields.add(new Shape.Field("metadata", new Shape.Struct(ObjectMeta.class), true));
        if (kind.hasSpec()) {
            fields.add(new Shape.Field("spec", new Shape.Struct(kind.content()), true));
            fields.add(new Shape.Field("status", new Shape.Free(), false));
        } else {
            fields.addAll(shapes.fields(kind.content()));
        }
        return List.copyOf(fields);
    }
}
