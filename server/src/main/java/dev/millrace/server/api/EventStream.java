package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;

/**
 * A stream of messages: server-sent events for those who ask for them, else one JSON a line. Every
 * message is flushed. Used by one thread at a time.
 */
final class EventStream {

    // A comment: clients that do not know it pass over it.
    private static final String END = ":end\n\n";

    private static final ObjectWriter WRITER =
            Json.mapper()
                    .writer()
                    .withoutFeatures(
                            StreamWriteFeature.AUTO_CLOSE_TARGET,
                            StreamWriteFeature.FLUSH_PASSED_TO_STREAM);

    private final OutputStream out;
    private final boolean events;

    private EventStream(OutputStream out, boolean events) {
        this.out = out;
        this.events = events;
    }

    /** Sends the headers. */
    static EventStream open(Context ctx) throws IOException {
        String accept = ctx.header("Accept");
        boolean events = accept != null && accept.contains("text/event-stream");
        ctx.disableCompression();
        ctx.res().setStatus(200);
        ctx.res().setContentType(events ? "text/event-stream" : "application/json");
        ctx.res().setHeader("Cache-Control", "no-cache");
        ctx.res().setHeader("X-Content-Type-Options", "nosniff");
        EventStream stream = new EventStream(ctx.res().getOutputStream(), events);
        // The client sees at once that it is connected.
        ctx.res().flushBuffer();
        return stream;
    }

    /** Sends a message; an exception means that the client is gone. */
    void send(JsonNode result) {
        write(out -> out.writeTree(Json.object().set("result", result)));
    }

    /** Sends an error as the last message. */
    void error(int code, String message) {
        write(out -> out.writeTree(Json.object().set("error", ErrorBody.of(code, message))));
    }

    /** A sign of life, which also finds out whether the client is still there. */
    void keepAlive() throws IOException {
        if (events) {
            out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /**
     * Says that this is all. A stream that the server's own end cuts short lacks it, and a client
     * that knows of it comes back.
     */
    void end() throws IOException {
        if (events) {
            out.write(END.getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /**
     * Sends a message while it is being written; an exception means that the client is gone.
     *
     * @param message writes an object with the member {@code result}
     */
    void write(Consumer<JsonGenerator> message) {
        try {
            if (events) {
                out.write("data: ".getBytes(StandardCharsets.UTF_8));
            }
            try (JsonGenerator json = WRITER.createGenerator(out)) {
                message.accept(json);
            }
            // The blank before the line end belongs to the format that clients know.
            out.write((events ? " \n\n" : "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
