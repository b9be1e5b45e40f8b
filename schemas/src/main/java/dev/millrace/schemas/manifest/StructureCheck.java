package dev.millrace.schemas.manifest;

import dev.millrace.schemas.manifest.Problem.Severity;
import dev.millrace.schemas.yaml.DocumentPath;
import dev.millrace.schemas.yaml.Places;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Compares one document with the shape of its kind and collects what does not fit. */
final class StructureCheck {

    private static final int LISTABLE_FIELDS = 15;
    private static final int LONGEST_QUOTATION = 40;
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]+");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
    private static final Pattern FLAG = Pattern.compile("(?i)true|false|yes|no|on|off");

    private final Shapes shapes;
    private final Places places;
    private final Severity unknownFields;
    private final boolean showsValues;
    private final List<Problem> problems;

    private final List<DocumentPath> unknown = new ArrayList<>();

    /** The objects on the way to the one being checked, the innermost first. */
    private final Deque<Level> levels = new ArrayDeque<>();

    private record Level(DocumentPath path, List<Shape.Field> fields) {}

    /**
     * @param showsValues whether messages may repeat what is written; those of secrets may not
     */
    StructureCheck(
            Shapes shapes,
            Places places,
            Severity unknownFields,
            boolean showsValues,
            List<Problem> problems) {
        this.shapes = shapes;
        this.places = places;
        this.unknownFields = unknownFields;
        this.showsValues = showsValues;
        this.problems = problems;
    }

    /** Checks an object against a list of fields. */
    void fields(JsonNode object, List<Shape.Field> fields, DocumentPath path) {
        levels.push(new Level(path, fields));
        Set<String> present = new HashSet<>();
        Map<String, String> misspelt = MisspeltFields.of(object, fields);
        for (Map.Entry<String, JsonNode> member : object.properties()) {
            DocumentPath memberPath = path.key(member.getKey());
            Optional<Shape.Field> field = field(member.getKey(), fields);
            if (field.isEmpty()) {
                Optional<Shape.Field> meant = field(misspelt.get(member.getKey()), fields);
                boolean required = meant.filter(Shape.Field::required).isPresent();
                Severity severity = required ? Severity.ERROR : unknownFields;
                unknown(severity, object, member.getKey(), fields, memberPath);
                if (meant.isPresent() && severity == Severity.ERROR) {
                    // What is wrong within it is told too.
                    present.add(meant.get().name());
                    if (!member.getValue().isNull()) {
                        value(member.getValue(), meant.get().shape(), memberPath);
                    }
                }
            } else if (!member.getValue().isNull()) {
                present.add(member.getKey());
                value(member.getValue(), field.get().shape(), memberPath);
            }
        }
        for (Shape.Field field : fields) {
            if (field.required() && !present.contains(field.name())) {
                problems.add(
                        Problem.error(
                                places.of(path.key(field.name())),
                                path.key(field.name()).toString(),
                                "is required but missing",
                                ""));
            }
        }
        levels.pop();
    }

    private static Optional<Shape.Field> field(@Nullable String name, List<Shape.Field> fields) {
        return fields.stream().filter(field -> field.name().equals(name)).findFirst();
    }

    /** The unknown fields that were met. */
    List<DocumentPath> unknown() {
        return unknown;
    }

    private void value(JsonNode value, Shape shape, DocumentPath path) {
        switch (shape) {
            case Shape.Free() -> {}
            case Shape.Text() -> {
                if (!value.isString()) {
                    mistyped(value, "a text", quoted(value), path);
                }
            }
            case Shape.Whole(long min, long max) -> {
                if (!value.isIntegralNumber()) {
                    mistyped(value, "a whole number", unquoted(value, INTEGER), path);
                } else if (!value.canConvertToLong()
                        || value.longValue() < min
                        || value.longValue() > max) {
                    problem(Severity.ERROR, path, "must be between " + min + " and " + max, "");
                }
            }
            case Shape.Decimal() -> {
                if (!value.isNumber()) {
                    mistyped(value, "a number", unquoted(value, NUMBER), path);
                }
            }
            case Shape.Flag() -> {
                if (!value.isBoolean()) {
                    mistyped(value, "true or false", unquoted(value, FLAG), path);
                }
            }
            case Shape.AnyScalar() -> {
                if (value.isContainer()) {
                    problem(
                            Severity.WARNING,
                            path,
                            "is "
                                    + described(value)
                                    + " where a text is expected; its JSON will be taken",
                            "write the JSON as a quoted text");
                }
            }
            case Shape.ListOf(Shape item) -> list(value, item, path);
            case Shape.MapOf(Shape member) -> {
                if (!value.isObject()) {
                    mistyped(value, "an object", "", path);
                    return;
                }
                value.properties()
                        .forEach(
                                entry ->
                                        element(
                                                entry.getValue(),
                                                member,
                                                path.key(entry.getKey())));
            }
            case Shape.Struct(Class<?> type) -> {
                if (value.isObject()) {
                    fields(value, shapes.fields(type), path);
                } else {
                    mistyped(
                            value,
                            "an object",
                            value.isArray() ? "remove the '-' before its fields" : "",
                            path);
                }
            }
        }
    }

    private void list(JsonNode value, Shape item, DocumentPath path) {
        if (!value.isArray()) {
            String hint =
                    value.isObject()
                            ? "put '- ' before each of its items"
                            : "write it as a list: in brackets, or on a line of its own after '- '";
            if (isItem(path)) {
                hint =
                        "the items of this list are lists themselves: write '- - ' where a new one begins";
            }
            mistyped(value, "a list", hint, path);
            return;
        }
        int position = 0;
        for (JsonNode element : value) {
            element(element, item, path.index(position++));
        }
    }

    private static boolean isItem(DocumentPath path) {
        return !path.isRoot() && path.segments().getLast() instanceof DocumentPath.Index;
    }

    /**
     * An item of a list or a member of a map; unlike a field it cannot be absent, so null does not
     * fit.
     */
    private void element(JsonNode value, Shape shape, DocumentPath path) {
        if (value.isNull() && !(shape instanceof Shape.Free)) {
            problem(Severity.ERROR, path, "is empty", "give it a value or remove it");
        } else {
            value(value, shape, path);
        }
    }

    private void unknown(
            Severity severity,
            JsonNode object,
            String name,
            List<Shape.Field> fields,
            DocumentPath path) {
        unknown.add(path);
        problem(severity, path, "unknown field '" + name + "'", meant(object, name, fields));
    }

    private String meant(JsonNode object, String name, List<Shape.Field> fields) {
        if (name.equals("true") || name.equals("false")) {
            return "bare y, yes, on, n, no and off are booleans in YAML, as a key too";
        }
        List<String> names = fields.stream().map(Shape.Field::name).toList();
        Optional<String> sameLetters = names.stream().filter(name::equalsIgnoreCase).findFirst();
        if (sameLetters.isPresent()) {
            return "did you mean " + sameLetters.get() + "?";
        }
        for (Level outer : levels) {
            if (outer.fields() != fields && has(outer.fields(), name)) {
                return "it belongs into "
                        + (outer.path().isRoot() ? "the top level" : outer.path());
            }
        }
        for (Shape.Field field : fields) {
            if (field.shape() instanceof Shape.Struct(Class<?> type)
                    && object.has(field.name())
                    && has(shapes.fields(type), name)) {
                return "it belongs into " + field.name();
            }
        }
        return NearestName.to(name, names)
                .map(nearest -> "did you mean " + nearest + "?")
                .orElseGet(
                        () ->
                                names.size() > LISTABLE_FIELDS
                                        ? ""
                                        : "known here: "
                                                + names.stream()
                                                        .sorted()
                                                        .collect(Collectors.joining(", ")));
    }

    private static boolean has(List<Shape.Field> fields, String name) {
        return fields.stream().anyMatch(field -> field.name().equals(name));
    }

    /**
     * The value may have been spelt in many ways ({@code 0755}, {@code on}), so it is not repeated.
     */
    private String quoted(JsonNode value) {
        if (value.isBoolean() && showsValues) {
            return "write it in quotes; bare "
                    + (value.booleanValue() ? "y, yes, on and true" : "n, no, off and false")
                    + " are booleans in YAML";
        }
        return value.isNumber() || value.isBoolean() ? "write it in quotes" : "";
    }

    private static String unquoted(JsonNode value, Pattern form) {
        return value.isString() && form.matcher(value.stringValue()).matches()
                ? "remove the quotes"
                : "";
    }

    private void mistyped(JsonNode value, String expected, String hint, DocumentPath path) {
        problem(Severity.ERROR, path, "must be " + expected + " but is " + described(value), hint);
    }

    private String described(JsonNode value) {
        if (value.isObject()) {
            return "an object";
        }
        if (value.isArray()) {
            return "a list";
        }
        if (value.isNull()) {
            return "empty";
        }
        if (!showsValues) {
            return value.isString() ? "a text" : value.isNumber() ? "a number" : "a boolean";
        }
        if (value.isString()) {
            return "the text \"" + shortened(value.stringValue()) + "\"";
        }
        return (value.isNumber() ? "the number " : "") + value;
    }

    private static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        boolean whole = line.length() <= LONGEST_QUOTATION && line.length() == text.length();
        return whole ? line : line.substring(0, Math.min(LONGEST_QUOTATION, line.length())) + "…";
    }

    private void problem(Severity severity, DocumentPath path, String message, String hint) {
        problems.add(new Problem(severity, places.of(path), path.toString(), message, hint));
    }
}
