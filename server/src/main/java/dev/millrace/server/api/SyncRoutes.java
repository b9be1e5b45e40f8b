package dev.millrace.server.api;

import dev.millrace.log.plain.ManifestLog.Stored;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Kind;
import dev.millrace.schemas.manifest.Manifest;
import dev.millrace.schemas.manifest.ManifestDocument;
import dev.millrace.schemas.manifest.ManifestReader;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import dev.millrace.server.manifests.ManifestStore;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code /api/v1/sync}: the limits of semaphores, which are keys of ConfigMaps. Those of a database
 * are not built.
 */
final class SyncRoutes {
    private static final String ONE = "/api/v1/sync/{namespace}/{key}";

    private final ManifestStore store;

    SyncRoutes(ManifestStore store) {
        this.store = store;
    }

    void register(RoutesConfig routes) {
        routes.post("/api/v1/sync/{namespace}", this::create);
        routes.get(ONE, this::get);
        routes.put(ONE, this::update);
        routes.delete(ONE, this::delete);
    }

    /** Names one limit. */
    private record Place(String namespace, String configMap, String key) {
        static Place of(Context ctx, String type, String configMap, String key) {
            if (type.equals("DATABASE") || type.equals("1")) {
                throw new RefusedException(
                        Code.UNIMPLEMENTED,
                        "limits in a database are not built; use a ConfigMap (type CONFIG_MAP)");
            }
            if (configMap.isEmpty()) {
                throw RefusedException.invalid("cmName is required: the ConfigMap of the limit");
            }
            if (key.isEmpty()) {
                throw RefusedException.invalid("key is required: the key in the ConfigMap");
            }
            return new Place(ctx.pathParam("namespace"), configMap, key);
        }

        RefusedException notFound() {
            return new RefusedException(
                    Code.NOT_FOUND,
                    "ConfigMap %s in namespace %s has no limit '%s'"
                            .formatted(configMap, namespace, key));
        }
    }

    private void create(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        Place place = place(ctx, body, body.path("key").asString(""));
        int limit = limit(body);
        if (value(place).isPresent()) {
            throw new RefusedException(
                    Code.ALREADY_EXISTS,
                    "ConfigMap %s in namespace %s has a limit '%s' already; update it"
                            .formatted(place.configMap(), place.namespace(), place.key()));
        }
        put(place, limit);
        answer(ctx, place);
    }

    private void get(Context ctx) {
        answer(ctx, place(ctx));
    }

    private void update(Context ctx) {
        ObjectNode body = Bodies.object(ctx);
        Place place = place(ctx, body, ctx.pathParam("key"));
        int limit = limit(body);
        require(place);
        put(place, limit);
        answer(ctx, place);
    }

    private void delete(Context ctx) {
        Place place = place(ctx);
        require(place);
        put(place, null);
        WorkflowRoutes.answer(ctx, Json.object());
    }

    private static Place place(Context ctx) {
        Query query = Query.of(ctx);
        return Place.of(ctx, query.text("type"), query.text("cmName"), ctx.pathParam("key"));
    }

    private static Place place(Context ctx, JsonNode body, String key) {
        return Place.of(ctx, body.path("type").asString(""), body.path("cmName").asString(""), key);
    }

    private static int limit(JsonNode body) {
        JsonNode limit = body.path("limit");
        if (!limit.isIntegralNumber() || !limit.canConvertToInt() || limit.asInt() < 1) {
            throw RefusedException.invalid("limit must be a whole number above 0");
        }
        return limit.asInt();
    }

    private Optional<Stored> configMap(Place place) {
        return store.find(Kind.CONFIG_MAP, place.namespace(), place.configMap());
    }

    private Optional<JsonNode> value(Place place) {
        return configMap(place)
                .map(stored -> stored.manifest().path("data").path(place.key()))
                .filter(value -> !value.isMissingNode());
    }

    private void require(Place place) {
        if (value(place).isEmpty()) {
            throw place.notFound();
        }
    }

    /**
     * @param limit null takes it out
     */
    private void put(Place place, @Nullable Integer limit) {
        Optional<Stored> stored = configMap(place);
        ObjectNode tree =
                stored.map(s -> s.manifest().deepCopy().asObject()).orElseGet(() -> empty(place));
        ObjectNode data = tree.withObject("/data");
        if (limit == null) {
            data.remove(place.key());
        } else {
            data.put(place.key(), limit.toString());
        }
        Manifest manifest = checked(tree);
        if (stored.isPresent()) {
            store.update(manifest, Long.toString(stored.get().version()));
        } else {
            store.create(manifest);
        }
    }

    private static ObjectNode empty(Place place) {
        ObjectNode tree = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
        tree.putObject("metadata")
                .put("name", place.configMap())
                .put("namespace", place.namespace());
        return tree;
    }

    private static Manifest checked(ObjectNode tree) {
        ManifestDocument document =
                ManifestReader.read("sync", tree.toString()).documents().getFirst();
        if (!document.isValid()) {
            throw RefusedException.invalid(List.copyOf(document.problems()));
        }
        return document.manifest();
    }

    private void answer(Context ctx, Place place) {
        String value = value(place).orElseThrow(place::notFound).asString("");
        ObjectNode answer =
                Json.object()
                        .put("namespace", place.namespace())
                        .put("cmName", place.configMap())
                        .put("key", place.key())
                        .put("type", "CONFIG_MAP");
        if (!value.strip().matches("\\d{1,9}")) {
            throw RefusedException.invalid(
                    "the value '%s' of '%s' in ConfigMap %s is no limit; write a whole number"
                            .formatted(value, place.key(), place.configMap()));
        }
        answer.put("limit", Integer.parseInt(value.strip()));
        WorkflowRoutes.answer(ctx, answer);
    }
}
