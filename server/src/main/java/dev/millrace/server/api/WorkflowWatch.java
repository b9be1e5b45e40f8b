package dev.millrace.server.api;

import dev.millrace.log.plain.Positions;
import dev.millrace.schemas.Json;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.readmodel.ReadModel;
import dev.millrace.server.readmodel.WorkflowChanges;
import dev.millrace.server.readmodel.WorkflowChanges.Change;
import dev.millrace.server.readmodel.WorkflowRows;
import dev.millrace.server.readmodel.WorkflowRows.Found;
import dev.millrace.server.readmodel.WorkflowRows.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One watch of workflows. What changes several times within a short while is sent once, as it
 * stands then: a client wants the newest state, and a large workflow changes a thousand times a
 * second.
 */
final class WorkflowWatch {

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final Duration LONG_PAUSE = Duration.ofSeconds(1);
    private static final int LARGE = 1_000;

    private record Key(String namespace, String name) {}

    /** What the client was told of a workflow. */
    private record Known(String uid, JsonNode metadata) {}

    private final ReadModel model;
    private final String namespace;
    private final Query.Selection selection;
    private final FieldFilter fields;
    private final Map<Key, Known> known = new HashMap<>();
    private final Map<Key, Change> changed = new LinkedHashMap<>();

    /** Uids whose deletion was told when it began; its end is no news. */
    private final Set<String> toldGone = new HashSet<>();

    private boolean large;

    /**
     * @param namespace empty for all
     */
    WorkflowWatch(
            ReadModel model, String namespace, Query.Selection selection, FieldFilter fields) {
        this.model = model;
        this.namespace = namespace;
        this.selection = selection;
        this.fields = fields;
    }

    /** The version of a list or of an earlier message, from which a watch goes on. */
    static Positions since(String resourceVersion) {
        try {
            return resourceVersion.equals("0") ? Positions.START : Positions.parse(resourceVersion);
        } catch (IllegalArgumentException e) {
            throw RefusedException.invalid(
                    "resourceVersion=%s is not one that this server has given; leave it out to begin with what is there"
                            .formatted(resourceVersion));
        }
    }

    /** Sends what changed since a version (at the start everything), then every change. */
    void run(EventStream stream, WorkflowChanges changes, Positions since)
            throws IOException, InterruptedException {
        // First the subscription: a change between the two is sent twice rather than never.
        try (WorkflowChanges.Subscription _ = changes.subscribe(this::note)) {
            for (Row row : model.read(handle -> WorkflowRows.in(handle).list(namespace))) {
                if (selection.matches(row)) {
                    if (since.covers(row.version())) {
                        known.put(new Key(row.namespace(), row.name()), known(row));
                    } else {
                        send(stream, new Key(row.namespace(), row.name()));
                    }
                }
            }
            while (true) {
                List<Change> round = next();
                if (round.isEmpty()) {
                    stream.keepAlive();
                }
                large = false;
                for (Change change : round) {
                    Key key = new Key(change.namespace(), change.name());
                    if (change.gone() != null && !known.containsKey(key)) {
                        sendUnknownGone(stream, change);
                    }
                    send(stream, key);
                }
                Thread.sleep(large ? LONG_PAUSE : PAUSE);
            }
        }
    }

    private void note(Change change) {
        if (namespace.isEmpty() || change.namespace().equals(namespace)) {
            synchronized (changed) {
                Key key = new Key(change.namespace(), change.name());
                Change earlier = changed.get(key);
                changed.put(key, change.gone() == null && earlier != null ? earlier : change);
                changed.notifyAll();
            }
        }
    }

    /** What changed; empty after a while in which nothing did. */
    private List<Change> next() throws InterruptedException {
        synchronized (changed) {
            long deadline = System.nanoTime() + KEEP_ALIVE.toNanos();
            while (changed.isEmpty()) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    break;
                }
                changed.wait(left / 1_000_000 + 1);
            }
            List<Change> round = new ArrayList<>(changed.values());
            changed.clear();
            return round;
        }
    }

    private void send(EventStream stream, Key key) {
        model.read(
                handle -> {
                    Optional<Found> found =
                            WorkflowRows.in(handle)
                                    .open(key.namespace(), key.name())
                                    .filter(f -> selection.matches(f.row()));
                    Known before = known.get(key);
                    if (before != null
                            && found.map(f -> !f.row().uid().equals(before.uid())).orElse(true)) {
                        known.remove(key);
                        toldGone.add(before.uid());
                        send(stream, "DELETED", bare(before.metadata()));
                    }
                    found.ifPresent(f -> send(stream, key, f));
                    return key;
                });
    }

    private void send(EventStream stream, Key key, Found found) {
        String type = known.put(key, known(found.row())) == null ? "ADDED" : "MODIFIED";
        boolean nodes = fields.keeps("result", "object", "status", "nodes");
        send(stream, type, out -> large |= found.write(nodes, out) > LARGE);
    }

    /**
     * It was there before this watch began and went at once: a client that goes on from a list
     * knows it.
     */
    private void sendUnknownGone(EventStream stream, Change change) {
        WorkflowChanges.Gone gone = change.gone();
        if (gone == null || toldGone.remove(gone.uid())) {
            return;
        }
        Map<String, String> labels = new HashMap<>();
        gone.metadata()
                .path("labels")
                .properties()
                .forEach(l -> labels.put(l.getKey(), l.getValue().asString("")));
        if (selection.matches(
                change.namespace(),
                change.name(),
                labels.getOrDefault("workflows.argoproj.io/phase", ""),
                labels)) {
            send(stream, "DELETED", bare(gone.metadata()));
        }
    }

    private void send(EventStream stream, String type, ObjectNode object) {
        send(stream, type, out -> out.writeTree(object));
    }

    private void send(EventStream stream, String type, Consumer<JsonGenerator> object) {
        stream.write(
                message -> {
                    JsonGenerator out = fields.filtering(message);
                    out.writeStartObject();
                    out.writeName("result");
                    out.writeStartObject();
                    out.writeStringProperty("type", type);
                    out.writeName("object");
                    object.accept(out);
                    out.writeEndObject();
                    out.writeEndObject();
                });
    }

    private static Known known(Row row) {
        ObjectNode metadata = Json.object();
        metadata.put("name", row.name());
        metadata.put("namespace", row.namespace());
        metadata.put("uid", row.uid());
        metadata.put("resourceVersion", row.version().toString());
        metadata.set("labels", Json.tree(row.labels()));
        return new Known(row.uid(), metadata);
    }

    private static ObjectNode bare(JsonNode metadata) {
        ObjectNode object = Json.object();
        object.put("apiVersion", "argoproj.io/v1alpha1").put("kind", "Workflow");
        object.set("metadata", metadata);
        object.set("spec", Json.object());
        object.set("status", Json.object());
        return object;
    }
}
