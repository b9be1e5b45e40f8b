package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.yaml.Documents;
import dev.millrace.schemas.yaml.YamlReader;
import dev.millrace.server.command.RefusedException;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Bodies of requests: JSON or YAML, which is the same to the reader. */
final class Bodies {

    private Bodies() {}

    /**
     * The one object of a body; an empty object if there is no body.
     *
     * @throws RefusedException naming line and column if it cannot be read
     */
    static ObjectNode object(Context ctx) {
        String text = text(ctx);
        if (text.isBlank()) {
            return Json.object();
        }
        Documents documents = YamlReader.read("body", text);
        if (!documents.faults().isEmpty()) {
            throw RefusedException.invalid(
                    documents.faults().stream()
                            .map(
                                    f ->
                                            f.place()
                                                    + ": "
                                                    + f.message()
                                                    + (f.hint().isEmpty()
                                                            ? ""
                                                            : " (" + f.hint() + ")"))
                            .collect(Collectors.joining("\n")));
        }
        if (documents.documents().size() != 1) {
            throw RefusedException.invalid(
                    "the body has %d documents; this address takes one, POST /api/v1/manifests takes several"
                            .formatted(documents.documents().size()));
        }
        if (documents.documents().getFirst().tree() instanceof ObjectNode object) {
            return object;
        }
        throw RefusedException.invalid("the body is not an object");
    }

    /**
     * What stands under a member of the message, or the message itself if it is a manifest: people
     * post those.
     */
    static JsonNode wrapped(ObjectNode message, String member) {
        return message.has("kind") && !message.has(member) ? message : message.path(member);
    }

    static String text(Context ctx) {
        return new String(ctx.bodyAsBytes(), StandardCharsets.UTF_8);
    }
}
