package dev.millrace.schemas.manifest;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.yaml.DocumentPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes a tree of sound structure from one with faults, so that its meaning can be looked at too
 * and all that is wrong is told at once: misspelt fields get the name that was meant, mistyped
 * values the type that is expected, missing ones an empty value, and what nobody knows is left out.
 * List items keep their positions.
 */
final class Mending {

    private final Shapes shapes;
    private final Map<DocumentPath, DocumentPath> written = new HashMap<>();
    private final Set<DocumentPath> faults = new HashSet<>();

    private Mending(Shapes shapes) {
        this.shapes = shapes;
    }

    /** The whole object of a kind. */
    static Mended of(Kind kind, JsonNode tree) {
        Mending mending = new Mending(ManifestShapes.ALL.records());
        ObjectNode mended =
                mending.struct(tree, ManifestShapes.ALL.of(kind), DocumentPath.ROOT, Set.of());
        mended.put("apiVersion", kind.apiVersion()).put("kind", kind.yamlName());
        return new Mended(mended, Map.copyOf(mending.written), Set.copyOf(mending.faults));
    }

    /**
     * @param around the records on the way here; one that contains itself is not filled for ever
     */
    private ObjectNode struct(
            JsonNode value, List<Shape.Field> fields, DocumentPath path, Set<Class<?>> around) {
        ObjectNode mended = Json.object();
        Map<String, String> meant = MisspeltFields.of(value, fields);
        Map<String, Shape.Field> known = new HashMap<>();
        fields.forEach(field -> known.put(field.name(), field));
        for (Map.Entry<String, JsonNode> member : value.properties()) {
            String name = meant.getOrDefault(member.getKey(), member.getKey());
            Shape.Field field = known.get(name);
            if (field == null) {
                faults.add(path.key(member.getKey()));
                continue;
            }
            DocumentPath at = path.key(name);
            if (!name.equals(member.getKey())) {
                written.put(at, path.key(member.getKey()));
                faults.add(at);
            }
            if (member.getValue().isNull()) {
                continue;
            }
            JsonNode kept = value(member.getValue(), field.shape(), at);
            if (kept != null) {
                mended.set(name, kept);
            }
        }
        for (Shape.Field field : fields) {
            if (field.required() && !mended.has(field.name())) {
                faults.add(path.key(field.name()));
                mended.set(field.name(), empty(field.shape(), around));
            }
        }
        return mended;
    }

    /** Null if nothing can be made of it. */
    private @Nullable JsonNode value(JsonNode value, Shape shape, DocumentPath path) {
        JsonNode fitting =
                switch (shape) {
                    case Shape.Free() -> value;
                    case Shape.Text() ->
                            value.isString()
                                    ? value
                                    : value.isValueNode() ? Json.tree(value.asString("")) : null;
                    case Shape.Whole(long min, long max) ->
                            value.isIntegralNumber()
                                            && value.canConvertToLong()
                                            && value.longValue() >= min
                                            && value.longValue() <= max
                                    ? value
                                    : null;
                    case Shape.Decimal() -> value.isNumber() ? value : null;
                    case Shape.Flag() -> value.isBoolean() ? value : null;
                    case Shape.AnyScalar() -> value;
                    case Shape.ListOf(Shape item) ->
                            value.isArray() ? list(value, item, path) : null;
                    case Shape.MapOf(Shape member) ->
                            value.isObject() ? map(value, member, path) : null;
                    case Shape.Struct(Class<?> type) ->
                            value.isObject()
                                    ? struct(value, shapes.fields(type), path, Set.of(type))
                                    : null;
                };
        if (fitting != value && (fitting == null || fitting.isValueNode())) {
            faults.add(path);
        }
        return fitting;
    }

    private ArrayNode list(JsonNode value, Shape item, DocumentPath path) {
        ArrayNode mended = Json.mapper().createArrayNode();
        for (JsonNode element : value) {
            DocumentPath at = path.index(mended.size());
            JsonNode kept = element.isNull() ? null : value(element, item, at);
            if (kept == null && !(item instanceof Shape.Free)) {
                faults.add(at);
            }
            mended.add(kept == null ? empty(item, Set.of()) : kept);
        }
        return mended;
    }

    private ObjectNode map(JsonNode value, Shape member, DocumentPath path) {
        ObjectNode mended = Json.object();
        value.properties()
                .forEach(
                        entry -> {
                            DocumentPath at = path.key(entry.getKey());
                            JsonNode kept = value(entry.getValue(), member, at);
                            if (kept == null) {
                                faults.add(at);
                            } else {
                                mended.set(entry.getKey(), kept);
                            }
                        });
        return mended;
    }

    private JsonNode empty(Shape shape, Set<Class<?>> around) {
        return switch (shape) {
            case Shape.Text(), Shape.AnyScalar(), Shape.Free() -> Json.tree("");
            case Shape.Whole(long min, long max) -> Json.tree(Math.clamp(0, min, max));
            case Shape.Decimal() -> Json.tree(0);
            case Shape.Flag() -> Json.tree(false);
            case Shape.ListOf(Shape _) -> Json.mapper().createArrayNode();
            case Shape.MapOf(Shape _) -> Json.object();
            case Shape.Struct(Class<?> type) -> {
                ObjectNode filled = Json.object();
                if (!around.contains(type)) {
                    Set<Class<?>> inner = new HashSet<>(around);
                    inner.add(type);
                    List<Shape.Field> required =
                            new ArrayList<>(shapes.fields(type))
                                    .stream().filter(Shape.Field::required).toList();
                    required.forEach(
                            field -> filled.set(field.name(), empty(field.shape(), inner)));
                }
                yield filled;
            }
        };
    }
}
