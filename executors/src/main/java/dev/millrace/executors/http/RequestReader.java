package dev.millrace.executors.http;

import dev.millrace.executors.KeyValues;
import dev.millrace.executors.StepRefusedException;
import dev.millrace.executors.http.HttpCall.Field;
import dev.millrace.log.web.Addresses;
import dev.millrace.schemas.record.StepSpec;
import dev.millrace.schemas.workflow.HttpTemplate;
import dev.millrace.schemas.workflow.SecretKeySelector;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Reads a template as a request. Secrets are looked up here, when the call is made. */
final class RequestReader {
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final KeyValues secrets;

    RequestReader(KeyValues secrets) {
        this.secrets = secrets;
    }

    /**
     * The request of a step.
     *
     * @throws StepRefusedException if it cannot be made; the message names the member at fault and
     *     has no secrets
     */
    HttpCall read(StepSpec step, HttpTemplate http) throws StepRefusedException {
        URI uri = address(http.url() == null ? "" : http.url());
        List<Field> fields = new ArrayList<>();
        for (HttpTemplate.Header header : http.headers()) {
            fields.add(field(step, header));
        }
        if (fields.stream().noneMatch(field -> field.is(IDEMPOTENCY_KEY))) {
            fields.add(new Field(IDEMPOTENCY_KEY, step.stepId(), false));
        }
        if (uri.getUserInfo() != null && fields.stream().noneMatch(f -> f.is("Authorization"))) {
            String basic =
                    Base64.getEncoder()
                            .encodeToString(uri.getUserInfo().getBytes(StandardCharsets.UTF_8));
            fields.add(new Field("Authorization", "Basic " + basic, true));
        }
        URI address = URI.create(Addresses.withoutPassword(uri));
        return new HttpCall(method(http), address, fields, body(http));
    }

    static String method(HttpTemplate http) {
        return http.method() == null || http.method().isEmpty() ? "GET" : http.method();
    }

    /**
     * What is sent.
     *
     * @throws StepRefusedException if {@code bodyFrom.bytes} is no base64
     */
    static byte[] body(HttpTemplate http) throws StepRefusedException {
        HttpTemplate.BodySource from = http.bodyFrom();
        if (from == null || from.bytes() == null) {
            return http.body() == null ? new byte[0] : http.body().getBytes(StandardCharsets.UTF_8);
        }
        try {
            return Base64.getMimeDecoder().decode(from.bytes());
        } catch (IllegalArgumentException e) {
            throw new StepRefusedException("http.bodyFrom.bytes is no base64", e);
        }
    }

    private static URI address(String url) throws StepRefusedException {
        try {
            URI uri = new URI(Addresses.escaped(url.strip()));
            if (("http".equalsIgnoreCase(uri.getScheme())
                            || "https".equalsIgnoreCase(uri.getScheme()))
                    && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            throw new StepRefusedException("http.url is no address: " + e.getReason(), e);
        }
        throw new StepRefusedException(
                "http.url '%s' must begin with http:// or https:// and a host".formatted(url));
    }

    private Field field(StepSpec step, HttpTemplate.Header header) throws StepRefusedException {
        String name = header.name() == null ? "" : header.name();
        SecretKeySelector ref =
                header.valueFrom() == null ? null : header.valueFrom().secretKeyRef();
        if (ref == null) {
            return new Field(name, header.value() == null ? "" : header.value(), false);
        }
        String namespace = step.workflow().namespace();
        Optional<String> value =
                ref.name() == null
                        ? Optional.empty()
                        : secrets.value(namespace, ref.name(), ref.key());
        if (value.isEmpty() && !Boolean.TRUE.equals(ref.optional())) {
            throw new StepRefusedException(
                    "http.headers %s: there is no Secret %s in namespace %s with a key %s"
                            .formatted(name, ref.name(), namespace, ref.key()));
        }
        return new Field(name, value.orElse(""), true);
    }
}
