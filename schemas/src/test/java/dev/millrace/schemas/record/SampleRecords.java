package dev.millrace.schemas.record;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.Template;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Makes a record with every component filled, always the same one. */
final class SampleRecords {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

    private SampleRecords() {}

    /** A sample of a record, or of each case of a sealed type. */
    static List<Object> of(Class<?> type) {
        List<Object> samples = new ArrayList<>();
        for (Class<?> record : cases(type)) {
            samples.add(record(record));
        }
        return samples;
    }

    private static List<Class<?>> cases(Class<?> type) {
        Class<?>[] permitted = type.getPermittedSubclasses();
        return permitted == null
                ? List.of(type)
                : Stream.of(permitted).flatMap(p -> cases(p).stream()).toList();
    }

    private static Object record(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            values[i] = value(components[i].getGenericType(), components[i].getName());
        }
        try {
            var constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no sample of " + type, e);
        }
    }

    private static @Nullable Object value(Type type, String name) {
        if (type instanceof ParameterizedType generic) {
            Type last =
                    generic.getActualTypeArguments()[generic.getActualTypeArguments().length - 1];
            if (generic.getRawType() == Map.class) {
                Object value = value(last, name);
                return value == null ? Map.of() : Map.of("key", value);
            }
            if (last instanceof Class<?> item && item.isSealed()) {
                return SampleRecords.of(item);
            }
            Object item = value(last, name);
            return item == null ? List.of() : List.of(item);
        }
        Class<?> plain = (Class<?>) type;
        if (plain == String.class) {
            return "a " + name;
        }
        if (plain == int.class || plain == Integer.class) {
            return 7;
        }
        if (plain == long.class || plain == Long.class) {
            return 70L;
        }
        if (plain == double.class || plain == Double.class) {
            return 7.5;
        }
        if (plain == boolean.class || plain == Boolean.class) {
            return true;
        }
        if (plain == Instant.class) {
            return TIME;
        }
        if (plain == JsonNode.class) {
            return Json.mapper().readTree("{\"any\":[1,\"tree\"]}");
        }
        if (plain == Scalar.class) {
            return new Scalar("a " + name);
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[0];
        }
        // A manifest inside a record has its own tests; a whole one here would only hide the record
        // around it.
        if (plain == Template.class) {
            return Json.mapper()
                    .readValue(
                            "{\"name\":\"t\",\"container\":{\"image\":\"i\",\"command\":[\"c\"]}}",
                            Template.class);
        }
        if (plain.isSealed()) {
            return record(cases(plain).getFirst());
        }
        if (plain.getPackageName().startsWith("dev.millrace.schemas.workflow")) {
            return Json.mapper().readValue("{}", plain);
        }
        return record(plain);
    }
}
