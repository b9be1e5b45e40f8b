package dev.millrace.sensors.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A trigger and what it waits for.
 *
 * @param waitsFor the dependencies that its condition names, or all
 * @param immediate whether each of them alone makes it fire, so that nothing is ever pending
 * @param manifest the trigger as it was written
 * @param broken why it cannot fire, null if all is well
 */
public record TriggerDefinition(
        String name,
        List<DependencyDefinition> waitsFor,
        boolean immediate,
        JsonNode manifest,
        @Nullable String broken) {

    public TriggerDefinition {
        waitsFor = List.copyOf(waitsFor);
    }
}
