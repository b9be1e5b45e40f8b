package dev.millrace.server.api;

import dev.millrace.eventsources.webhook.WebhookDispatcher;
import dev.millrace.eventsources.webhook.WebhookRequest;
import dev.millrace.eventsources.webhook.WebhookRequest.Header;
import dev.millrace.eventsources.webhook.WebhookResponse;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** {@code /webhooks/{namespace}/{eventsource}/{event}}: every webhook entry at the API's port. */
final class WebhookRoutes {

    private static final String PATH = "/webhooks/{namespace}/{eventsource}/{event}";

    private final WebhookDispatcher webhooks;

    WebhookRoutes(WebhookDispatcher webhooks) {
        this.webhooks = webhooks;
    }

    void register(RoutesConfig routes) {
        for (HandlerType method :
                List.of(
                        HandlerType.GET,
                        HandlerType.POST,
                        HandlerType.PUT,
                        HandlerType.PATCH,
                        HandlerType.DELETE)) {
            routes.addHttpHandler(method, PATH, this::handle);
        }
    }

    private void handle(Context ctx) throws IOException {
        List<Header> headers = new ArrayList<>();
        for (String name : Collections.list(ctx.req().getHeaderNames())) {
            Collections.list(ctx.req().getHeaders(name))
                    .forEach(value -> headers.add(new Header(name, value)));
        }
        WebhookResponse response =
                webhooks.handle(
                        ctx.pathParam("namespace"),
                        ctx.pathParam("eventsource"),
                        ctx.pathParam("event"),
                        new WebhookRequest(
                                ctx.method().name(),
                                ctx.queryString(),
                                headers,
                                ctx.req().getContentLengthLong(),
                                ctx.req().getInputStream()));
        ctx.status(response.status());
        response.headers().forEach(ctx::header);
        ctx.result(response.body());
    }
}
