package dev.millrace.workflowengine.core;

import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a step used: what its containers request (else what they are limited to, else a default)
 * times the seconds that it ran, in whole units of 1 core, 100 MiB of memory, 10 GiB of storage. An
 * estimate, as clients of the field know it. Init containers are left out: nobody knows how long
 * they ran.
 */
final class ResourceUse {
    private static final Pattern QUANTITY =
            Pattern.compile(
                    "([+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d{1,2})?)(n|u|m|k|[KMGTPE]i?|)");
    private static final Map<String, Double> SUFFIXES = suffixes();
    private static final Map<String, Double> UNITS =
            Map.of(
                    "memory", 100.0 * (1 << 20),
                    "storage", 10.0 * (1 << 30),
                    "ephemeral-storage", 10.0 * (1 << 30));

    private ResourceUse() {}

    /**
     * What the step of a node used by its end.
     *
     * @param ran for how long it ran; null if its executor has not said so
     * @return whole units by resource; empty if no step of it ran
     */
    static Map<String, Long> of(Transition t, Node node, @Nullable Duration ran) {
        if (node.type() != NodeType.POD || node.stepId() == null) {
            return Map.of();
        }
        Duration time =
                ran == null && node.phase() == NodePhase.RUNNING
                        ? Duration.between(node.startedAt(), t.now())
                        : ran;
        if (time == null || time.isNegative()) {
            return Map.of();
        }
        JsonNode template = template(t, node);
        Map<String, Long> used = new TreeMap<>();
        containers(template).forEach(container -> add(used, container, time));
        return used;
    }

    private static JsonNode template(Transition t, Node node) {
        JsonNode written = Calls.written(t, node);
        if (containers(written).noneMatch(c -> c.path("resources").toString().contains("{{"))) {
            return written;
        }
        try {
            return Calls.of(t, node).body();
        } catch (CallException e) {
            // The node ends, whatever became of its template; then the defaults count.
            return written;
        }
    }

    private static Stream<JsonNode> containers(JsonNode template) {
        return Stream.of(
                        Stream.of(template.path("container"), template.path("script"))
                                .filter(JsonNode::isObject),
                        template.path("containerSet").path("containers").valueStream(),
                        template.path("sidecars").valueStream())
                .flatMap(s -> s);
    }

    private static void add(Map<String, Long> used, JsonNode container, Duration time) {
        Map<String, Double> wanted = new LinkedHashMap<>();
        wanted.put("cpu", 0.1);
        wanted.put("memory", 100.0 * (1 << 20));
        for (String kind : List.of("limits", "requests")) {
            container
                    .path("resources")
                    .path(kind)
                    .properties()
                    .forEach(
                            r -> {
                                Double quantity = quantity(r.getValue().asString(""));
                                if (quantity != null) {
                                    wanted.put(r.getKey(), quantity);
                                }
                            });
        }
        double seconds = time.toMillis() / 1000.0;
        wanted.forEach(
                (resource, quantity) ->
                        used.merge(
                                resource,
                                (long) (quantity * seconds / UNITS.getOrDefault(resource, 1.0)),
                                Long::sum));
    }

    /** The number that a quantity such as {@code 100m} or {@code 1.5Gi} means; null for none. */
    static @Nullable Double quantity(String text) {
        Matcher matcher = QUANTITY.matcher(text.strip());
        if (!matcher.matches()) {
            return null;
        }
        return new BigDecimal(matcher.group(1)).doubleValue()
                * SUFFIXES.getOrDefault(matcher.group(2), 1.0);
    }

    private static Map<String, Double> suffixes() {
        Map<String, Double> all = new LinkedHashMap<>();
        all.put("n", 1e-9);
        all.put("u", 1e-6);
        all.put("m", 1e-3);
        all.put("k", 1e3);
        double decimal = 1e3;
        double binary = 1 << 10;
        for (String letter : List.of("K", "M", "G", "T", "P", "E")) {
            all.put(letter + "i", binary);
            all.put(letter, decimal);
            decimal *= 1e3;
            binary *= 1 << 10;
        }
        return Map.copyOf(all);
    }
}
