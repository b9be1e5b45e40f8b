package dev.millrace.schemas.workflow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call by HTTP.
 *
 * @param method GET where absent
 * @param timeoutSeconds how long an answer may take, 30 where absent
 * @param successCondition an expression over {@code request} and {@code response}; where absent,
 *     every status from 200 to 299 is a success
 * @param body what is sent, as text
 * @param bodyFrom what is sent instead of {@code body}
 * @param insecureSkipVerify whether the certificate of the server is taken as it is
 */
public record HttpTemplate(
        @Nullable String method,
        @Nullable String url,
        List<Header> headers,
        @Nullable Long timeoutSeconds,
        @Nullable String successCondition,
        @Nullable String body,
        @Nullable BodySource bodyFrom,
        @Nullable Boolean insecureSkipVerify) {

    public HttpTemplate {
        headers = headers == null ? List.of() : headers;
    }

    /** A header, with its value or where that is kept. */
    public record Header(
            @Nullable String name, @Nullable String value, @Nullable HeaderSource valueFrom) {}

    /** Where the value of a header is kept. */
    public record HeaderSource(@Nullable SecretKeySelector secretKeyRef) {}

    /**
     * Where a body comes from.
     *
     * @param bytes the body in base64
     */
    public record BodySource(@Nullable String bytes) {}
}
