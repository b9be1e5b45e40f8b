package dev.millrace.schemas.manifest;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Problem.Severity;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON Schemas (draft 2020-12) of the kinds, made from the records that also check manifests. */
public final class JsonSchemas {

    private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

    private final ManifestShapes shapes;
    private final boolean closed;
    private final Map<String, Class<?>> named = new LinkedHashMap<>();
    private final Deque<Class<?>> pending = new ArrayDeque<>();

    private JsonSchemas(ManifestShapes shapes, boolean closed) {
        this.shapes = shapes;
        this.closed = closed;
    }

    /**
     * The schema of one kind. Only kinds whose unknown fields are errors forbid further properties.
     */
    public static ObjectNode of(Kind kind) {
        return new JsonSchemas(ManifestShapes.ALL, kind.unknownFields() == Severity.ERROR)
                .schema(kind);
    }

    /**
     * One schema for all kinds, for an editor that knows only that a file holds manifests: it leads
     * to the schema of the kind, {@link #fileName}, in the same folder. Objects that are not ours
     * may stand in such a file too.
     */
    public static ObjectNode ofAll() {
        ObjectNode schema = Json.object();
        schema.put("$schema", DIALECT);
        schema.put("title", "Millrace manifests");
        schema.put("type", "object");
        ArrayNode cases = schema.putArray("allOf");
        ObjectNode known = cases.addObject();
        is(known.putObject("if"), "apiVersion", Kind.WORKFLOW.apiVersion());
        ArrayNode names =
                known.putObject("then").putObject("properties").putObject("kind").putArray("enum");
        for (Kind kind : Kind.values()) {
            if (kind.apiVersion().equals(Kind.WORKFLOW.apiVersion())) {
                names.add(kind.yamlName());
            }
            ObjectNode one = cases.addObject();
            is(one.putObject("if"), "kind", kind.yamlName());
            one.putObject("then").put("$ref", fileName(kind));
        }
        return schema;
    }

    /** What the file with the schema of a kind is called. */
    public static String fileName(Kind kind) {
        return kind.yamlName() + ".schema.json";
    }

    private static void is(ObjectNode schema, String member, String value) {
        schema.putObject("properties").set(member, constant(value));
        schema.putArray("required").add(member);
    }

    private ObjectNode schema(Kind kind) {
        ObjectNode schema = Json.object();
        schema.put("$schema", DIALECT);
        schema.put("title", kind.yamlName());
        object(schema, shapes.of(kind));
        ((ObjectNode) schema.get("properties")).set("apiVersion", constant(kind.apiVersion()));
        ((ObjectNode) schema.get("properties")).set("kind", constant(kind.yamlName()));
        ObjectNode definitions = Json.object();
        while (!pending.isEmpty()) {
            Class<?> record = pending.remove();
            definitions.set(
                    record.getSimpleName(), object(Json.object(), shapes.records().fields(record)));
        }
        schema.set("$defs", definitions);
        return schema;
    }

    private ObjectNode object(ObjectNode schema, List<Shape.Field> fields) {
        schema.put("type", "object");
        ObjectNode properties = Json.object();
        ArrayNode required = Json.mapper().createArrayNode();
        for (Shape.Field field : fields) {
            properties.set(field.name(), shape(field.shape()));
            if (field.required()) {
                required.add(field.name());
            }
        }
        schema.set("properties", properties);
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        if (closed) {
            schema.put("additionalProperties", false);
        }
        return schema;
    }

    private ObjectNode shape(Shape shape) {
        ObjectNode schema = Json.object();
        switch (shape) {
            case Shape.Free() -> {}
            case Shape.Text() -> schema.put("type", "string");
            case Shape.Whole(long min, long max) -> {
                schema.put("type", "integer");
                schema.put(
                        "format",
                        min == Long.MIN_VALUE && max == Long.MAX_VALUE ? "int64" : "int32");
            }
            case Shape.Decimal() -> schema.put("type", "number");
            case Shape.Flag() -> schema.put("type", "boolean");
            case Shape.AnyScalar() ->
                    schema.putArray("type").add("string").add("number").add("boolean");
            case Shape.ListOf(Shape item) -> {
                schema.put("type", "array");
                schema.set("items", shape(item));
            }
            case Shape.MapOf(Shape value) -> {
                schema.put("type", "object");
                schema.set("additionalProperties", shape(value));
            }
            case Shape.Struct(Class<?> type) -> schema.put("$ref", "#/$defs/" + definition(type));
        }
        return schema;
    }

    private String definition(Class<?> record) {
        String name = record.getSimpleName();
        Class<?> known = named.putIfAbsent(name, record);
        if (known == null) {
            pending.add(record);
        } else if (known != record) {
            throw new IllegalStateException(
                    "two records of one schema have the name " + name + ": rename one");
        }
        return name;
    }

    private static ObjectNode constant(String value) {
        return Json.object().put("const", value);
    }
}
