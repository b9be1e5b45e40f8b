package dev.millrace.server.api;

import dev.millrace.schemas.Json;
import dev.millrace.server.command.RefusedException.Code;
import io.javalin.http.Context;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** Errors as the clients of this field read them. */
final class ErrorBody {

    private ErrorBody() {}

    /** The body: a gRPC code and the message, twice, since clients look in either place. */
    static ObjectNode of(int code, String message) {
        return Json.object().put("error", message).put("code", code).put("message", message);
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
