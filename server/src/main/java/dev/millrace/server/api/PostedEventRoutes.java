package dev.millrace.server.api;

import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import dev.millrace.schemas.Json;
import dev.millrace.server.command.CommandIds;
import dev.millrace.server.command.PostedEvents;
import dev.millrace.server.command.RefusedException;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** {@code POST /api/v1/events/{namespace}/{discriminator}}: events for WorkflowEventBindings. */
final class PostedEventRoutes {

    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private final PostedEvents events;

    PostedEventRoutes(PostedEvents events) {
        this.events = events;
    }

    void register(RoutesConfig routes) {
        routes.post("/api/v1/events/{namespace}/{discriminator}", this::post);
    }

    private void post(Context ctx) {
        String text = Bodies.text(ctx);
        String payload = text.isBlank() ? "null" : text;
        try {
            // A marker of byte order or two documents would not be seen where it is put in.
            payload = GoJson.compact(payload);
        } catch (GoJsonException e) {
            throw RefusedException.invalid("the body is no JSON: " + e.getMessage());
        }
        String given = ctx.header(CommandIds.HEADER);
        String id = given == null || given.isBlank() ? CommandIds.random() : given.strip();
        ctx.header(CommandIds.HEADER, id);
        String namespace = ctx.pathParam("namespace");
        if (!NAMESPACE.matcher(namespace).matches()) {
            // It would become another one in the key of the event.
            throw RefusedException.invalid("'" + namespace + "' is not a valid namespace");
        }
        String discriminator = ctx.pathParam("discriminator");
        if (given != null) {
            events.repeat(id, namespace, discriminator, metadata(ctx), payload);
        } else {
            events.publish(id, namespace, discriminator, metadata(ctx), payload);
        }
        WorkflowRoutes.answer(ctx, Json.object());
    }

    /** Headers that begin with {@code x-}; others could hold credentials. */
    private static Map<String, List<String>> metadata(Context ctx) {
        Map<String, List<String>> metadata = new TreeMap<>();
        for (String header : Collections.list(ctx.req().getHeaderNames())) {
            String name = header.toLowerCase(Locale.ROOT);
            if (name.startsWith("x-")) {
                metadata.computeIfAbsent(name, _ -> new ArrayList<>())
                        .addAll(Collections.list(ctx.req().getHeaders(header)));
            }
        }
        return metadata;
    }
}
