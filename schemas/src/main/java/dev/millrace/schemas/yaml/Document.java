package dev.millrace.schemas.yaml;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * One document of a text: its tree as JSON, members in the order of the text, and where each
 * stands.
 *
 * @param faults duplicate keys; the tree holds the later value, as Go's reader has it
 */
public record Document(JsonNode tree, Places places, List<Fault> faults) {

    public Document {
        faults = List.copyOf(faults);
    }
}
