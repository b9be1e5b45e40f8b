package dev.millrace.schemas.manifest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Which unknown fields of an object were probably meant to be which known ones. */
final class MisspeltFields {

    private MisspeltFields() {}

    /** The field that was meant, by the name that is written; only those that are not there. */
    static Map<String, String> of(JsonNode object, List<Shape.Field> fields) {
        Map<String, String> meant = new HashMap<>();
        List<String> names = fields.stream().map(Shape.Field::name).toList();
        List<String> absent = names.stream().filter(name -> !object.has(name)).toList();
        for (String written : object.propertyNames()) {
            if (!names.contains(written)) {
                NearestName.to(written, absent)
                        .filter(name -> !meant.containsValue(name))
                        .ifPresent(name -> meant.put(written, name));
            }
        }
        return meant;
    }
}
