package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.schemas.manifest.Problem;
import dev.millrace.server.command.RefusedException;
import dev.millrace.server.command.RefusedException.Code;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Errors as the clients of this field read them. */
final class ErrorBody {

    private ErrorBody() {}

    /** The body: a gRPC code and the message, twice, since clients look in either place. */
    static ObjectNode of(int code, String message) {
        return Json.object().put("error", message).put("code", code).put("message", message);
    }

    static void answer(Context ctx, RefusedException refused, UnaryOperator<String> redact) {
        ObjectNode body = of(refused.code().number(), redact.apply(refused.reason()));
        if (!refused.problems().isEmpty()) {
            body.set("problems", problems(refused.problems(), redact));
        }
        ctx.status(refused.code().httpStatus())
                .contentType("application/json")
                .result(body.toString());
    }

    /** Problems one by one, for clients that know where the members of the manifest stand. */
    static ArrayNode problems(List<Problem> problems, UnaryOperator<String> redact) {
        ArrayNode list = Json.mapper().createArrayNode();
        for (Problem problem : problems) {
            ObjectNode entry = list.addObject();
            entry.put("severity", problem.severity().name().toLowerCase(Locale.ROOT));
            if (problem.place().isKnown()) {
                entry.put("source", problem.place().source());
                entry.put("line", problem.place().line());
                entry.put("column", problem.place().column());
            }
            entry.put("path", problem.path());
            entry.put("message", redact.apply(problem.message()));
            entry.put("hint", redact.apply(problem.hint()));
            entry.put("text", redact.apply(problem.toString()));
        }
        return list;
    }

    static void answer(Context ctx, Code code, String message, UnaryOperator<String> redact) {
        answer(ctx, code.httpStatus(), code, message, redact);
    }

    static void answer(
            Context ctx, int httpStatus, Code code, String message, UnaryOperator<String> redact) {
        ctx.status(httpStatus)
                .contentType("application/json")
                .result(of(code.number(), redact.apply(message)).toString());
    }

    /** The code that belongs to an HTTP status of the web server itself. */
    static Code code(int httpStatus) {
        return switch (httpStatus) {
            case 401 -> Code.UNAUTHENTICATED;
            case 403 -> Code.PERMISSION_DENIED;
            case 404 -> Code.NOT_FOUND;
            case 405, 501 -> Code.UNIMPLEMENTED;
            case 409 -> Code.ALREADY_EXISTS;
            case 413, 429, 507 -> Code.RESOURCE_EXHAUSTED;
            case 503 -> Code.UNAVAILABLE;
            case 504 -> Code.DEADLINE_EXCEEDED;
            default -> httpStatus < 500 ? Code.INVALID_ARGUMENT : Code.INTERNAL;
        };
    }
}
