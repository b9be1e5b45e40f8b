package dev.millrace.schemas.manifest;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.millrace.schemas.Json;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The shapes of records, read from their components once: a component without {@code @Nullable} is
 * required, except lists, maps and primitives, whose absence means empty, zero or false. A record
 * that Jackson makes from any JSON value counts as a scalar.
 */
final class Shapes {

    private final Map<Class<?>, List<Shape.Field>> fields = new LinkedHashMap<>();

    /**
     * @throws IllegalArgumentException if a component has a type that manifests cannot have; a
     *     mistake in the records
     */
    Shapes(List<? extends Class<?>> roots) {
        roots.forEach(this::add);
    }

    /**
     * The fields of a record that was a root or is reachable from one, in the order of declaration.
     */
    List<Shape.Field> fields(Class<?> record) {
        List<Shape.Field> found = fields.get(record);
        if (found == null) {
            throw new IllegalArgumentException(record + " is not described");
        }
        return found;
    }

    /**
     * A value without the null members of the records in it. Go takes null for absent; Jackson
     * would make a node of it where a component is a tree. Free places stay as they are.
     */
    JsonNode withoutNulls(JsonNode value, Shape shape) {
        return switch (shape) {
            case Shape.Struct(Class<?> type) when value.isObject() -> {
                ObjectNode kept = Json.object();
                Map<String, Shape> known = new HashMap<>();
                fields(type).forEach(field -> known.put(field.name(), field.shape()));
                for (Map.Entry<String, JsonNode> member : value.properties()) {
                    Shape inner = known.getOrDefault(member.getKey(), new Shape.Free());
                    if (!member.getValue().isNull()) {
                        kept.set(member.getKey(), withoutNulls(member.getValue(), inner));
                    }
                }
                yield kept;
            }
            case Shape.ListOf(Shape item) when value.isArray() -> {
                ArrayNode kept = Json.mapper().createArrayNode();
                value.forEach(element -> kept.add(withoutNulls(element, item)));
                yield kept;
            }
            case Shape.MapOf(Shape inner) when value.isObject() -> {
                ObjectNode kept = Json.object();
                value.properties()
                        .forEach(
                                member ->
                                        kept.set(
                                                member.getKey(),
                                                withoutNulls(member.getValue(), inner)));
                yield kept;
            }
            case Shape.Struct _,
                    Shape.ListOf _,
                    Shape.MapOf _,
                    Shape.Text _,
                    Shape.Whole _,
                    Shape.Decimal _,
                    Shape.Flag _,
                    Shape.AnyScalar _,
                    Shape.Free _ ->
                    value;
        };
    }

    private void add(Class<?> record) {
        if (fields.containsKey(record)) {
            return;
        }
        List<Shape.Field> own = new ArrayList<>();
        // Known before it is complete, for records that contain themselves.
        fields.put(record, own);
        for (RecordComponent component : record.getRecordComponents()) {
            boolean optional =
                    component.getType().isPrimitive()
                            || List.class.isAssignableFrom(component.getType())
                            || Map.class.isAssignableFrom(component.getType())
                            || component.getAnnotatedType().isAnnotationPresent(Nullable.class);
            own.add(
                    new Shape.Field(
                            name(record, component), shape(component.getGenericType()), !optional));
        }
    }

    private Shape shape(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            if (generic.getRawType() == List.class) {
                return new Shape.ListOf(shape(arguments[0]));
            }
            if (generic.getRawType() == Map.class && arguments[0] == String.class) {
                return new Shape.MapOf(shape(arguments[1]));
            }
        }
        if (type instanceof Class<?> plain) {
            return shape(plain);
        }
        throw new IllegalArgumentException("no shape for " + type);
    }

    private Shape shape(Class<?> type) {
        if (type == String.class) {
            return new Shape.Text();
        }
        if (type == Integer.class || type == int.class) {
            return new Shape.Whole(Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
        if (type == Long.class || type == long.class) {
            return new Shape.Whole(Long.MIN_VALUE, Long.MAX_VALUE);
        }
        if (type == Double.class || type == double.class) {
            return new Shape.Decimal();
        }
        if (type == Boolean.class || type == boolean.class) {
            return new Shape.Flag();
        }
        if (JsonNode.class.isAssignableFrom(type)) {
            return new Shape.Free();
        }
        if (type.isRecord() && isMadeFromAnyValue(type)) {
            return new Shape.AnyScalar();
        }
        if (type.isRecord()) {
            add(type);
            return new Shape.Struct(type);
        }
        throw new IllegalArgumentException("no shape for " + type);
    }

    private static boolean isMadeFromAnyValue(Class<?> record) {
        return Arrays.stream(record.getDeclaredMethods()).anyMatch(Shapes::isDelegatingCreator);
    }

    private static boolean isDelegatingCreator(Method method) {
        JsonCreator creator = method.getAnnotation(JsonCreator.class);
        return creator != null && creator.mode() == JsonCreator.Mode.DELEGATING;
    }

    /**
     * The YAML key: {@code @JsonProperty} stands on the component's field or accessor, or its own
     * name.
     */
    private static String name(Class<?> record, RecordComponent component) {
        String renamed = renamed(component.getAccessor());
        if (renamed == null) {
            try {
                renamed = renamed(record.getDeclaredField(component.getName()));
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException("a record component has a field", e);
            }
        }
        return renamed != null ? renamed : component.getName();
    }

    private static @Nullable String renamed(AnnotatedElement element) {
        JsonProperty property = element.getAnnotation(JsonProperty.class);
        return property == null || property.value().isEmpty() ? null : property.value();
    }
}
