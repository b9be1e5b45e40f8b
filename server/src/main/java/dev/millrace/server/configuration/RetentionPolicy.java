package dev.millrace.server.configuration;

import dev.millrace.schemas.record.WorkflowPhase;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * How many ended workflows are kept, whatever their namespace.
 *
 * @param most by the phase in which they ended; a phase that is absent has no limit
 */
public record RetentionPolicy(Map<WorkflowPhase, Integer> most) {
    private static final Map<String, WorkflowPhase> MEMBERS =
            Map.of(
                    "completed", WorkflowPhase.SUCCEEDED,
                    "failed", WorkflowPhase.FAILED,
                    "errored", WorkflowPhase.ERROR);

    /** All are kept. */
    public static final RetentionPolicy ALL = new RetentionPolicy(Map.of());

    public RetentionPolicy {
        most = Map.copyOf(most);
    }

    /**
     * Reads {@code {completed: 100, failed: 50, errored: 50}}, as a workflow controller has it.
     *
     * @throws IllegalArgumentException saying what is wrong, and what to write instead
     */
    static RetentionPolicy of(JsonNode tree) {
        if (!tree.isObject()) {
            throw new IllegalArgumentException(
                    "a map such as {completed: 100, failed: 50, errored: 50} is expected");
        }
        Map<WorkflowPhase, Integer> most = new EnumMap<>(WorkflowPhase.class);
        tree.properties().forEach(e -> most.put(phase(e.getKey()), count(e)));
        return new RetentionPolicy(most);
    }

    private static WorkflowPhase phase(String member) {
        return Optional.ofNullable(MEMBERS.get(member))
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "'%s' is not known here; there are %s"
                                                .formatted(
                                                        member,
                                                        MEMBERS.keySet().stream()
                                                                .sorted()
                                                                .collect(
                                                                        Collectors.joining(
                                                                                ", ")))));
    }

    private static int count(Map.Entry<String, JsonNode> entry) {
        String text = entry.getValue().asString("");
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(
                    entry.getKey() + " is '" + text + "', but a number of workflows is expected");
        }
        return Integer.parseInt(text);
    }
}
