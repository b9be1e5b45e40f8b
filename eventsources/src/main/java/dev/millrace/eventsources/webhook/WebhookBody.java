package dev.millrace.eventsources.webhook;

import dev.millrace.expressions.gojson.GoJson;
import dev.millrace.expressions.gojson.GoJsonException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The {@code body} of an event from a request, or why there is none. */
sealed interface WebhookBody {

    /** JSON text, in the form in which Go embeds it. */
    record Json(String text) implements WebhookBody {}

    /** What the sender is told. */
    record Refused(int status, String message) implements WebhookBody {}

    /**
     * Reads a request. GET: the query as object of arrays. POST: a form, or one JSON value.
     *
     * @param maxBytes the entry's {@code maxPayloadSize}
     * @param logBytes what the log takes at most
     * @throws IOException if the sender goes away meanwhile
     */
    static WebhookBody read(WebhookRequest request, long maxBytes, long logBytes)
            throws IOException {
        if (request.method().equals("GET")) {
            String query = request.rawQuery();
            // As in Go, what of a query cannot be read is left out.
            return new Json(GoJson.encode(FormText.parse(query == null ? "" : query).values()));
        }
        if (request.contentLength() > logBytes) {
            return tooLargeForTheLog(request.contentLength(), logBytes);
        }
        long limit = Math.min(maxBytes, logBytes);
        byte[] bytes =
                request.contentLength() > limit
                        ? null
                        : request.body().readNBytes(Math.toIntExact(limit + 1));
        if (bytes == null || bytes.length > limit) {
            return maxBytes <= logBytes
                    ? tooLargeForTheEntry()
                    : tooLargeForTheLog(request.contentLength(), logBytes);
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        return isForm(request.header("Content-Type")) ? form(text) : json(text);
    }

    /** What an event that the log cannot take is answered with. */
    static Refused tooLargeForTheLog(long bytes, long logBytes) {
        String size = bytes < 0 ? "more" : bytes + " bytes";
        return new Refused(
                413,
                "the log takes events of at most %d bytes, quotes, backslashes and line ends counted twice; this is %s. Send less, or put the data where a workflow can fetch it and send the address"
                        .formatted(logBytes, size));
    }

    /** Argo Events writes the text twice, and clients have come to see it so. */
    private static Refused tooLargeForTheEntry() {
        String message = "failed to parse request body, http: request body too large";
        return new Refused(400, message + message);
    }

    /** Exactly: with a charset behind it, it is not recognised. */
    private static boolean isForm(@Nullable String contentType) {
        return "application/x-www-form-urlencoded".equals(contentType);
    }

    private static WebhookBody form(String text) {
        FormText form = FormText.parse(text);
        return form.error() == null
                ? new Json(GoJson.encode(form.values()))
                : new Refused(400, "failed to parse form data, " + form.error());
    }

    private static WebhookBody json(String text) {
        try {
            return new Json(GoJson.compact(text));
        } catch (GoJsonException e) {
            return new Refused(
                    400,
                    "json: error calling MarshalJSON for type *json.RawMessage: " + e.getMessage());
        }
    }
}
