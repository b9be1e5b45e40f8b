package dev.millrace.eventsources.webhook;

import java.util.Map;

/**
 * An answer.
 *
 * @param body plain text, may be empty
 * @param headers further headers
 */
public record WebhookResponse(int status, String body, Map<String, String> headers) {

    public WebhookResponse {
        headers = Map.copyOf(headers);
    }

    static WebhookResponse of(int status, String body) {
        return new WebhookResponse(status, body, Map.of());
    }

    static WebhookResponse success() {
        return of(200, "success");
    }

    static WebhookResponse notFound() {
        return new WebhookResponse(
                404, "404 page not found\n", Map.of("X-Content-Type-Options", "nosniff"));
    }

    static WebhookResponse moved(String location) {
        return new WebhookResponse(301, "", Map.of("Location", location));
    }

    static WebhookResponse shuttingDown() {
        return new WebhookResponse(
                503,
                "Millrace is shutting down and takes no more events; send it again in a moment",
                Map.of("Retry-After", "2"));
    }
}
