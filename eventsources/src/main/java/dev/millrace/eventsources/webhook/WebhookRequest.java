package dev.millrace.eventsources.webhook;

import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request, free of the server it came through.
 *
 * @param method as sent, in capitals as a rule
 * @param rawQuery what stands behind the question mark, still encoded; null if there is none
 * @param headers in the order of the wire, repeated ones repeatedly
 * @param contentLength bytes of the body as announced, -1 if unknown
 * @param body read at most once, and not beyond the limit of the entry
 */
public record WebhookRequest(
        String method,
        @Nullable String rawQuery,
        List<Header> headers,
        long contentLength,
        InputStream body) {

    /** One header line. */
    public record Header(String name, String value) {}

    public WebhookRequest {
        headers = List.copyOf(headers);
    }

    /** The first value of a header, or null. Names are compared without regard to case. */
    public @Nullable String header(String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return header.value();
            }
        }
        return null;
    }
}
