package dev.millrace.cli.client;

import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * The lines of logs that were seen, so that none comes twice when a log is read again. A line is
 * known by its position in the log of its pod and container; by its number where the server tells
 * no positions.
 */
final class SeenLines {

    private final Map<String, Long> last = new HashMap<>();
    private final Map<String, Long> number = new HashMap<>();

    /** The logs come again. */
    void fromTheBeginning() {
        number.clear();
    }

    boolean isEmpty() {
        return last.isEmpty();
    }

    /** Whether the line was not seen yet; from now on it was. */
    boolean isNew(JsonNode line) {
        String log = line.path("podName").asString("") + "/" + line.path("container").asString("");
        long count = number.merge(log, 1L, Long::sum);
        long position = line.path("position").asLong(count);
        if (position <= last.getOrDefault(log, 0L)) {
            return false;
        }
        last.put(log, position);
        return true;
    }
}
