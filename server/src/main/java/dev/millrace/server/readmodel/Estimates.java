package dev.millrace.server.readmodel;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Estimate;
import dev.millrace.schemas.record.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import tools.jackson.databind.JsonNode;

/**
 * How long a workflow may take: as long as the newest one did that succeeded and came from the same
 * CronWorkflow or template, as its labels say.
 */
public final class Estimates {

    /** Labels that say where a workflow comes from, the nearest first. */
    static final List<String> ORIGINS =
            List.of(
                    "workflows.argoproj.io/cron-workflow",
                    "workflows.argoproj.io/workflow-template",
                    "workflows.argoproj.io/cluster-workflow-template");

    /** Of more nodes only the whole is estimated: the estimate goes with the workflow. */
    private static final int MOST_NODES = 100;

    private static final int KEPT = 1_000;

    private final ReadModel model;

    /** By uid: what succeeded does not change. */
    private final Map<String, Estimate> known = new ConcurrentHashMap<>();

    private record Ended(String name, String uid, long millis) {}

    public Estimates(ReadModel model) {
        this.model = model;
    }

    /**
     * @param labels of the workflow
     * @return empty if it came from nothing that ever succeeded
     */
    public Optional<Estimate> of(String namespace, JsonNode labels) {
        return ORIGINS.stream()
                .filter(labels::hasNonNull)
                .findFirst()
                .flatMap(
                        label ->
                                model.read(
                                        handle ->
                                                newest(
                                                        handle,
                                                        namespace,
                                                        label,
                                                        labels.path(label).asString(""))));
    }

    private Optional<Estimate> newest(Handle handle, String namespace, String label, String value) {
        return handle.createQuery(
                        "SELECT name, uid, finished - started FROM workflows WHERE "
                                + condition(label)
                                + " AND namespace = ? AND "
                                + expression(label)
                                + " = ? AND started IS NOT NULL ORDER BY created DESC LIMIT 1")
                .bind(0, namespace)
                .bind(1, value)
                .map((row, _) -> new Ended(row.getString(1), row.getString(2), row.getLong(3)))
                .findOne()
                .map(ended -> estimate(handle, namespace, ended));
    }

    private Estimate estimate(Handle handle, String namespace, Ended ended) {
        Estimate found = known.get(ended.uid());
        if (found != null) {
            return found;
        }
        Estimate made =
                new Estimate(
                        ended.name(),
                        seconds(Duration.ofMillis(ended.millis())),
                        nodes(handle, namespace, ended.name()));
        if (known.size() >= KEPT) {
            known.clear();
        }
        known.put(ended.uid(), made);
        return made;
    }

    private static Map<String, Long> nodes(Handle handle, String namespace, String workflow) {
        List<String> nodes =
                handle.createQuery(
                                "SELECT node FROM nodes WHERE namespace = ? AND workflow = ? LIMIT ?")
                        .bind(0, namespace)
                        .bind(1, workflow)
                        .bind(2, MOST_NODES + 1)
                        .mapTo(String.class)
                        .list();
        if (nodes.size() > MOST_NODES) {
            return Map.of();
        }
        Map<String, Long> seconds = new HashMap<>();
        for (String json : nodes) {
            Node node = Json.mapper().readValue(json, Node.class);
            Instant end = node.finishedAt();
            if (end != null && node.name().startsWith(workflow)) {
                seconds.put(
                        node.name().substring(workflow.length()),
                        seconds(Duration.between(node.startedAt(), end)));
            }
        }
        return seconds;
    }

    /** Clients take nought for no estimate. */
    private static long seconds(Duration duration) {
        return Math.max(1, duration.toSeconds());
    }

    /** What the index of a label is made of; queries must say it in the same words. */
    static String expression(String label) {
        return "json_extract(labels, '$.\"" + label + "\"')";
    }

    static String condition(String label) {
        return "stage = 'Done' AND phase = 'Succeeded' AND " + expression(label) + " IS NOT NULL";
    }
}
