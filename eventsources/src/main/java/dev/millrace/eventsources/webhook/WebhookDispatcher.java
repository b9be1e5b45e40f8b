package dev.millrace.eventsources.webhook;

import dev.millrace.eventsources.EntryKey;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Answers for webhook entries by their names: what a server mounts under {@code
 * /webhooks/{namespace}/{eventsource}/{event}}. It works also while an entry's own port is taken.
 */
public final class WebhookDispatcher {

    private final Map<EntryKey, WebhookEndpoint> endpoints = new ConcurrentHashMap<>();
    private final AtomicBoolean draining = new AtomicBoolean();

    /**
     * Answers a request; blocks until the log has the event.
     *
     * @throws IOException if the sender goes away while its body is read
     */
    public WebhookResponse handle(
            String namespace, String eventSource, String event, WebhookRequest request)
            throws IOException {
        WebhookEndpoint endpoint = endpoints.get(new EntryKey(namespace, eventSource, event));
        return endpoint == null ? WebhookResponse.notFound() : handle(endpoint, request);
    }

    /** From now on every request is answered with 503. */
    public void drain() {
        draining.set(true);
    }

    WebhookResponse handle(WebhookEndpoint endpoint, WebhookRequest request) throws IOException {
        return draining.get() ? WebhookResponse.shuttingDown() : endpoint.handle(request);
    }

    void add(WebhookEndpoint endpoint) {
        endpoints.put(endpoint.key(), endpoint);
    }

    void remove(WebhookEndpoint endpoint) {
        endpoints.remove(endpoint.key(), endpoint);
    }
}
